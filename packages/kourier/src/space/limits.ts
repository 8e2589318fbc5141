/** Of the Space: each has its unit in its name, and stands in docs/space.md. */
export const SPACE_LIMITS = {
  /** Calls that one process carries at once, and of these those of one caller. */
  callsAtOnce: 10_000,
  callsOfCaller: 5_000,
  /** The body of one A2A call. */
  callBytes: 8 * 1_024 * 1_024,
  /** Objects and arrays inside one another, in a call or in an answer. */
  jsonDepth: 64,
  /** Objects and arrays in all, in a call, in an answer, in one event. */
  callContainers: 500_000,
  /** Objects and arrays in all, in a card and in a body of the Space's own interface. */
  jsonContainers: 100_000,
  /** One answer of an agent that is no stream. */
  answerBytes: 32 * 1_024 * 1_024,
  /** Tasks of one page that an agent lists. */
  listedTasks: 10_000,
  /** States of its task that an agent comes to while one call is carried. */
  statesOfOneCall: 1_000,
  /** One event of a stream. */
  eventBytes: 16 * 1_024 * 1_024,
  /** Revisions of one agent that are taken by reading its card again, within a day. */
  watchedRevisionsADay: 24,
  /** The body of a call of the Space's own interface. */
  requestBytes: 2 * 1_024 * 1_024,
  /** Tasks, revisions or dead letters of one page. */
  pageItems: 50,
  /** The text of a message that an agent is looked for. */
  routeCharacters: 64 * 1_024,
  /** An id of a message, a task or a context. */
  idCharacters: 256,
  /** Tasks that one message refers to. */
  referencedTasks: 32,
  /** The canonical JSON of one card. */
  cardCharacters: 1_024 * 1_024,
  /** Faults of one card that are told. */
  cardFaults: 50,
  /** Attempts at writing an agent that others write too; after so many the store is at fault. */
  writeAttempts: 8,
  /** Changes of the directory that are read at once. */
  directoryChanges: 100,
  /** Agents whose cards and health are looked at side by side. */
  watchedAtOnce: 16,
  /** Queues of one sink that one process works on at once. */
  outboxQueues: 32,
  /** Events of one queue that are read at once. */
  outboxEvents: 50,
  /** Attempts at one event before its queue is dead: about two hours. */
  outboxAttempts: 20,
  /** Refusals among these that are enough: the sink says that it will not take the event. */
  outboxRefusals: 3,
  /** A caller that takes nothing of an answer for so long, in milliseconds, is cut off. */
  stalledReaderMs: 300_000,
  /** How long a call that did not reach its agent should wait before it is made again. */
  retryAfterSeconds: 1,
} as const;

/** Waits of the outbox, in milliseconds. */
export const OUTBOX_WAITS = {
  firstRetryMs: 1_000,
  /** Between two attempts at most. */
  lastRetryMs: 600_000,
  /** One attempt, to the status of the answer; shorter than a hold. */
  attemptMs: 20_000,
  /** A queue is held by one process for so long at most; if that dies, another takes it up then. */
  holdMs: 60_000,
  /** What is owed to a sink that the configuration does not name waits for so long after it was due, and is forgotten. */
  unnamedMs: 600_000,
  /** How often it is looked for what other processes owe. */
  lookEveryMs: 5_000,
} as const;
