const KIB = 1_024;
const MIB = 1_024 * KIB;

/** What one call to an agent may take, whatever way it goes. Past one it ends with the code that docs/egress.md names. */
export const UPSTREAM_LIMITS = {
  /** TCP and TLS. */
  connectMs: 10_000,
  /** From the request to the response's headers. A blocking SendMessage has them when its task is over. */
  headersMs: 300_000,
  /** Without a byte of a body, while its reader waits for one. */
  idleMs: 60_000,
  /** The same of an event stream: an agent may think for long without a word. TCP tells of one that is gone. */
  streamIdleMs: 3_600_000,
  responseHeaderBytes: 32 * KIB,
  responseBytes: 16 * MIB,
  /** Its frames are bounded by whoever reads them. */
  eventStreamBytes: 1_024 * MIB,
} as const;

/** Those that a composer may set. */
export type UpstreamLimits = Partial<Record<Exclude<keyof typeof UPSTREAM_LIMITS, 'responseHeaderBytes'>, number>>;
