const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Everything has a limit, and every limit stands here. Bytes unless the name says otherwise. Past a limit there is a
 * clear error or notice, and nothing that was accepted is lost.
 */
export const LIMITS = {
  /** What a person writes in one message (HTTP 413 past it). */
  messageBytes: 64 * KIB,
  /** A request body of our own HTTP interface; an alert group can be larger than a message. */
  requestBodyBytes: 1 * MIB,
  actorFieldCharacters: 256,
  idempotencyKeyCharacters: 256,
  /** Turns that wait in one thread (HTTP 429 past it). */
  pendingMessages: 100,
  /** What one turn carries of asides; the oldest are left out, and the agent is told how many. */
  asideCharacters: 32_000,
  /** Threads that one courier keeps in memory while they are idle. */
  idleThreads: 10_000,
  /** One server-sent event of an agent (case C050: a limit per frame, none per stream). */
  frameBytes: 8 * MIB,
  /** A body that is no stream: a card, a task. */
  cardBytes: 1 * MIB,
  bodyBytes: 16 * MIB,
  /** Nesting of a data part or metadata that we keep; a deeper one stays unread. */
  jsonDepth: 64,
  /** The text of one turn's answer. */
  answerCharacters: 4 * MIB,
  artifacts: 20_000,
  /** Ids that an agent makes up; a longer one is no id. */
  idCharacters: 1_024,
  listPages: 100,
  /** Retry-After is honoured up to a day (rule E7). */
  retryAfterMs: 24 * 60 * 60 * 1_000,
  /** Status text that is read to find a failure's category (rule E8). */
  failureParts: 32,
  failureCharacters: 4_096,
} as const;
