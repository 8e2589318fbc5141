const KIB = 1_024;
const MIB = 1_024 * KIB;

/**
 * Everything that a served agent keeps or reads is bounded, and so is what is heard of a called one; every bound stands
 * here. Past one there is a clear JSON-RPC error, a failed task, an older finished task that is forgotten, or an end that
 * says so.
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
  /** Messages of one task and its questions; an answer past it is refused (-32602), and the question stays open. */
  messageCharacters: 8 * MIB,
  /** What a task needs to be repeated: questions, answers, results of `once` and `tool`. The task fails past it. */
  journalCharacters: 8 * MIB,
  /** What an agent remembers of one conversation, as JSON; the task fails past it. */
  memoryCharacters: 1 * MIB,
  /** Turns that run at once (-32004 past it). */
  runningTasks: 5_000,
  /** Turns that wait for an answer and are kept going; an older one is repeated from its journal when it comes. */
  waitingTurns: 1_000,
  /** Paused tasks that the memory store keeps; the oldest go first. */
  pausedTasks: 2_000,
  /** Conversations that the memory store remembers something of, and how much in all; those that spoke last. */
  rememberedContexts: 10_000,
  rememberedCharacters: 64 * MIB,
  /** Finished tasks that are kept to be read, and how much they may hold together; the oldest go first. */
  finishedTasks: 1_000,
  finishedCharacters: 64 * MIB,
  /**
   * What the durable stores keep, unless they are told otherwise: finished tasks, paused ones, and conversations that
   * something is remembered of. The oldest go first, a hundredth at a time.
   */
  storedFinishedTasks: 10_000,
  storedPausedTasks: 10_000,
  storedContexts: 100_000,
  /** A walk through ListTasks has to begin again after so many changes in the whole store. */
  walkChanges: 100_000,
  /** Changes that a durable store writes in one transaction. */
  groupedChanges: 100,
  /** Connections of one process to PostgreSQL. */
  postgresConnections: 5,
  /** Streams that are read at once (-32004 past it; what a refused message began goes on, and is found by the message). */
  openStreams: 10_000,
  /** What one slow reader may have waiting; past it the news is dropped, and it gets a whole task when it has caught up. */
  streamBufferBytes: 256 * KIB,
  /** A reader that takes nothing for so many heartbeats, of a stream or of an answer, is cut off: five minutes. */
  stalledHeartbeats: 20,
  /** One page of ListTasks: entries, and characters after which a page ends early. */
  pageTasks: 100,
  pageCharacters: 4 * MIB,
  /** What a called agent says in one turn, thoughts and what it took back included; past it the reader leaves. */
  heardCharacters: 8 * MIB,
  heardArtifacts: 1_000,
  /** Webhooks of one task (-32602 past it), and what one may hold: URL, id, token and credentials together. */
  taskWebhooks: 10,
  webhookCharacters: 4_096,
  /** Notifications that wait for one webhook; past it those between the first and the latest are left out. */
  webhookBacklog: 100,
  /** What a task may hold to be sent whole in a notification; a larger one is sent as its status alone. */
  notificationCharacters: 256 * KIB,
  /** What a busy agent asks its caller to wait. */
  retryAfterMs: 1_000,
} as const;

/** What the sending of notifications takes. */
export const PUSH_LIMITS = {
  /** One attempt, from its begin to the head of the answer (A2A 1.0, section 4.3.3: 10 to 30 seconds). */
  timeoutMs: 15_000,
  /** After the first attempt that failed; doubled each time up to the second of the two, half of it random. */
  firstRetryMs: 1_000,
  retryMs: 300_000,
  /** The longest Retry-After that is obeyed as it stands. */
  retryAfterMs: 3_600_000,
  /** A notification that was not taken for a day is given up, and that is reported. */
  giveUpAfterMs: 86_400_000,
  /** Attempts that are under way at once, and of these to one host. */
  atOnce: 100,
  atOnceToHost: 10,
} as const;

/** What an agent that takes calls from a gateway alone goes by (rule A5, docs/inbound.md). */
export const INBOUND_LIMITS = {
  /** What the gateway's clock may differ by. */
  clockSkewMs: 5_000,
  /** Tokens that were used and could still count; past it every call is refused, until some have expired. */
  usedIdentities: 500_000,
  /** The gateway's key set: one answer, the time for it, how long it counts, and the time between two attempts. */
  keysBytes: 64 * KIB,
  keysFetchMs: 5_000,
  keysMaxAgeMs: 300_000,
  keysRefetchMs: 5_000,
} as const;

/** A comment on every open stream this often, so that no proxy takes it for dead (case C044). */
export const HEARTBEAT_EVERY_MS = 15_000;

/**
 * What the guarded transport lets an operation take, unless its options say otherwise. Past one the operation ends with
 * the code that docs/egress.md names.
 */
export const EGRESS_LIMITS = {
  /** Looking a name up, every time anew. */
  dnsMs: 5_000,
  /** TCP and TLS, over all addresses of the name. */
  connectMs: 10_000,
  /** One address before the next is tried beside it. */
  attemptMs: 1_000,
  /** From the request to the end of the response's headers, however slowly they drip. */
  headersMs: 30_000,
  /** Without a byte of the body. There is no limit on a whole stream's time: a healthy one may be quiet and long. */
  idleMs: 300_000,
  responseHeaderBytes: 32 * KIB,
  /** One body, except an event stream: its frames are bounded by whoever reads them, and it may go on for hours. */
  responseBytes: 8 * MIB,
  eventStreamBytes: 1_024 * MIB,
  /** What a body that is read as JSON may hold, told before it is parsed. */
  jsonDepth: 64,
  jsonStringCharacters: 1 * MIB,
  jsonContainers: 100_000,
} as const;
/** What a client takes from an agent. Past a limit the call ends with a TransportError, or an AgentError says less. */
export const CLIENT_LIMITS = {
  cardBytes: 1 * MIB,
  /** An answer that is no stream. */
  answerBytes: 16 * MIB,
  /** An answer that only explains an error, and a token endpoint's. */
  errorBytes: 64 * KIB,
  /** One server-sent event (case C050: a limit for each, none for the stream). */
  frameCharacters: 8 * MIB,
  /** Objects and arrays in one answer or event. */
  jsonContainers: 500_000,
  /** Everything that the artifacts of one task hold, and its metadata apart, as it is kept for the result. */
  keptCharacters: 64 * MIB,
  keptArtifacts: 20_000,
  /** The message of an error, as the agent wrote it. */
  errorCharacters: 4_096,
  /** Retry-After is believed up to a day. */
  retryAfterMs: 24 * 60 * 60 * 1_000,
  /** Pages that one walk through all tasks reads (case C127). */
  listPages: 100,
} as const;

/** How long a client waits; each can be set. There is no limit on how long a stream lasts (case C046). */
export const CLIENT_WAITS = {
  /** From the request to the headers of its answer (case C047). A blocking SendMessage waits `idleMs` for them. */
  headersMs: 30_000,
  /** Without a byte, comments included. */
  idleMs: 5 * 60 * 1_000,
  /** For what an agent still says after the end of a task, before the stream is closed. */
  lingerMs: 1_000,
  /** Between two looks at a task that is followed: at first, and at most. It doubles. */
  followFirstMs: 1_000,
  followMostMs: 30_000,
  /** A task that is followed without a sign of life is given up: an hour (case C059). */
  lifelessMs: 60 * 60 * 1_000,
  /** A token is asked for anew so long before it expires. */
  tokenEarlyMs: 30_000,
} as const;

/** Lost calls in a row after which a task is followed no longer. */
export const FOLLOW_ATTEMPTS = 10;
/** Processes that share a store look this often for what the others did to their tasks. */
export const LOOK_EVERY_MS = 500;

/** A process that has not renewed its lease for so long, by the clock of the database, is taken for gone. */
export const LEASE_MS = 15_000;

/** What a statement of PostgreSQL may take; past it the call fails. */
export const STATEMENT_MS = 30_000;

/** A process that stands still in the middle of a change makes the others wait no longer than this. */
export const CHANGE_MS = 5_000;
/** How long a card may be kept before it is asked for again, in seconds. */
export const CARD_MAX_AGE_S = 300;

/** Of a client of a Space. */
export const SPACE_CLIENT_LIMITS = {
  /** One answer of the Space's own interface. */
  answerBytes: 16 * 1_024 * 1_024,
  /** To the end of such an answer, in milliseconds. */
  answerMs: 30_000,
} as const;
