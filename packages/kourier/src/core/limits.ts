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
  /** Audit records of one reading. */
  auditRecords: 200,
  /** Turns that wait in one thread (HTTP 429 past it). */
  pendingMessages: 100,
  /** Asides that wait in one thread for its next turn; the oldest make room for new ones, so that talk fills no thread. */
  pendingAsides: 100,
  /** What one turn carries of asides; the oldest are left out, and the agent is told how many. */
  asideCharacters: 32_000,
  /** Threads that one courier keeps in memory while they are idle. */
  idleThreads: 10_000,
  /** One server-sent event of an agent (case C050: a limit per frame, none per stream). */
  frameBytes: 8 * MIB,
  /** What has come of frames and bodies that are not whole yet, of all agents together. Small ones are always let in. */
  unfinishedBytes: 64 * MIB,
  smallFrameBytes: 256 * KIB,
  /** A body that is no stream: a card, a task. */
  cardBytes: 1 * MIB,
  /** A card's name, description or version, as we show it. */
  cardTextCharacters: 4_096,
  /** What of a thread's first message a Space is asked with. */
  routedCharacters: 64 * KIB,
  /** Agents of a Space that one notice names. */
  toldAgents: 5,
  bodyBytes: 16 * MIB,
  /** Objects and arrays in one frame or body. */
  jsonContainers: 500_000,
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
  /** A prompt is shown whole or not at all (rule Q7): all of it, one string in it, one name or key, its heading. */
  promptCharacters: 24_000,
  promptTextCharacters: 16_000,
  promptNameCharacters: 300,
  headingCharacters: 200,
  requestTools: 20,
  requestQuestions: 20,
  requestChoices: 100,
  /** Pauses of one turn whose names are remembered. */
  pausesPerTurn: 200,
  /** What is kept of a step's arguments, and of its result. */
  shownCharacters: 64 * KIB,
  /** Of a step's name. */
  shownNameCharacters: 300,
  /** Tool calls and results of one turn, and what they say together; each source that says one counts. */
  toolParts: 50_000,
  toolCharacters: 16 * MIB,
  /** Status text that is read to find a failure's category (rule E8). */
  failureParts: 32,
  failureCharacters: 4_096,
  /** Configuration: one file, one value of a mounted Secret, all files together, and how many of them. */
  configurationFileBytes: 1 * MIB,
  secretBytes: 64 * KIB,
  configurationBytes: 4 * MIB,
  /** Files that documents refer to (cards, keys), all together; each of them is bounded as what it is. */
  configurationAttachedBytes: 32 * MIB,
  configurationFiles: 1_000,
  configurationDocuments: 10_000,
  /** Nesting and aliases of one YAML document. */
  configurationDepth: 32,
  configurationAliases: 100,
  /** Error lines of one reading; the rest is counted. */
  configurationProblems: 50,
  /** The longest wait that can be configured. */
  durationMs: 365 * 24 * 60 * 60 * 1_000,
  /** Threads whose live text the web chat keeps; past it the one longest without news is forgotten, and its committed text shown. */
  liveThreads: 10_000,
  /** Posts of one thread that something is kept of; what is settled and further behind stays as it was posted. */
  postStates: 500,
  /** Threads that are posted to at once; the others wait in the store. */
  deliveries: 10_000,
  /** Readers of threads at once (HTTP 503 past it). */
  eventStreams: 10_000,
  /** Live text to one reader, after a burst. Entries go out whole: without it an answer would cost the square of its chunks. */
  eventStreamBytesPerSecond: 4 * MIB,
  eventStreamBurstBytes: 256 * KIB,
  /** A reader that takes nothing for so long is closed; it resumes with Last-Event-ID. */
  eventStreamStallMs: 30_000,
  heartbeatMs: 15_000,
  /** A request's head, and its whole, must have arrived by then (HTTP 408 past it). */
  requestHeadMs: 10_000,
  requestMs: 30_000,
  /** What an agent gets of one alert group, and of one field in it. */
  alertCharacters: 32_000,
  alertFieldCharacters: 1_000,
  /** A signed event: its title, how many fields, and how far its time may be from ours. */
  hookTitleCharacters: 200,
  hookFields: 100,
  hookSignatureMs: 5 * 60 * 1_000,
} as const;
