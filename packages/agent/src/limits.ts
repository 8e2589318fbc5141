const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Everything that a served agent keeps or reads is bounded, and every bound stands here. Past one there is a clear
 * JSON-RPC error, a failed task, or an older finished task that is forgotten.
 */
export const AGENT_LIMITS = {
  /** One request (HTTP 413 past it). */
  bodyBytes: 1 * MIB,
  /** Nesting of a request's JSON; V8 parses deeper than it can print. */
  jsonDepth: 64,
  /** Any id that a client makes up: of a request, a message, a context. It is repeated on every frame. */
  idCharacters: 1_024,
  /** Parts of one message. */
  messageParts: 1_000,
  /** Everything that one turn yields, as it is kept; the task fails past it. */
  outputCharacters: 8 * MIB,
  artifacts: 1_000,
  /** Turns that run at once (-32004 past it). */
  runningTasks: 1_000,
  /** Turns that wait for an answer and are kept going; an older one is repeated from its journal when it comes. */
  waitingTurns: 1_000,
  /** Paused tasks that the memory store keeps; the oldest go first. */
  pausedTasks: 2_000,
  /** Conversations that the memory store remembers something of; those that spoke last. */
  rememberedContexts: 10_000,
  /** Finished tasks that are kept to be read, and how much they may hold together; the oldest go first. */
  finishedTasks: 1_000,
  finishedCharacters: 64 * MIB,
  /** What one slow reader may have waiting; past it the news is dropped, and it gets a whole task when it has caught up. */
  streamBufferBytes: 256 * KIB,
  /** A reader that takes nothing for so many heartbeats is cut off: five minutes. */
  stalledHeartbeats: 20,
  /** One page of ListTasks: entries, and characters after which a page ends early. */
  pageTasks: 100,
  pageCharacters: 4 * MIB,
  /** What a busy agent asks its caller to wait. */
  retryAfterMs: 1_000,
} as const;

/** A comment on every open stream this often, so that no proxy takes it for dead (case C044). */
export const HEARTBEAT_EVERY_MS = 15_000;

/** How long a card may be kept before it is asked for again, in seconds. */
export const CARD_MAX_AGE_S = 300;
