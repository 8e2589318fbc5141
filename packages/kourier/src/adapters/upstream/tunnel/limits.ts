/** What one end of a tunnel takes from the other, whoever it is (rule C8; docs/space-tunnel.md). */
export const TUNNEL_LIMITS = {
  /** Connections of all agents to one process of the gateway, draining ones included. */
  tunnels: 4_096,
  /** Connections of one agent: the newest, and older ones whose calls still run. */
  tunnelsOfOneAgent: 4,
  /** Calls at once through one tunnel. */
  callsAtOnce: 256,
  /** Header names and values of one request or answer, as HTTP/2 counts them: 32 bytes more for each. */
  headerBytes: 32_768,
  /** Headers of one answer. */
  headers: 128,
  /** Informational answers (1xx) before the answer. */
  interimAnswers: 8,
  /** One message of the WebSocket. */
  frameBytes: 262_144,
  /** The body of one request that is passed on to the agent. */
  requestBytes: 33_554_432,
  /** Of one answer that its reader has not taken yet; what one slow reader costs. */
  answerWindowBytes: 131_072,
  /** Of all answers of a tunnel that are on their way. */
  tunnelWindowBytes: 524_288,
  /** What HTTP/2 may hold for one tunnel: headers, and frames that wait to be written. */
  sessionBytes: 33_554_432,
  /** Calls that the gateway may break off at once before its end takes it for an attacker. */
  cancelsAtOnce: 10_000,
  /** And in each second from then on. */
  cancelsPerSecond: 1_000,
  /** The file of the key that an end dials with. */
  keyBytes: 4_096,
  /** From the TCP connection to the first word of HTTP/2. */
  handshakeMs: 10_000,
  /** Each end asks the other whether it is there. */
  pingEveryMs: 15_000,
  /** An end that said nothing so long after it was asked is dead. */
  pongWithinMs: 10_000,
  /** The wait after a first lost connection; it doubles from there. */
  redialFirstMs: 500,
  /** The longest wait. A connection that lasted as long begins anew. */
  redialLongestMs: 30_000,
} as const;
