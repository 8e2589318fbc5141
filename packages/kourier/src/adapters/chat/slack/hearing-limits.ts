const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** What is kept in memory of what comes in, and how long is waited for what. */
export const HEARING = {
  /** One body of Slack's; events are far smaller, a modal with all its fields is not. */
  bodyBytes: 1_024 * 1_024,
  /** A signature is for so long, before and after our own time. */
  signatureMs: 5 * MINUTE,
  /** People whose names are kept, and how long; one who could not be had is asked for again sooner. */
  people: 10_000,
  personMs: HOUR,
  personAgainMs: MINUTE,
  /** Slack waits three seconds for an acknowledgement: a name that is later than this is done without. */
  personWithinMs: 1_200,
  /** Presses of the stop button, and messages that one person was answered, that are remembered. What is taken is known by the store. */
  rememberedMessages: 10_000,
  /** Channels and workspaces that were told of in the log. */
  rememberedStrangers: 1_000,
  /** Messages that were heard, to tell what was not (case C170). */
  heardMessages: 20_000,
  /** Threads that are looked at after a gap: the ones used last, and not longer ago than what is made up for. */
  threads: 500,
  /** What is older than this is not made up for: nobody waits for it any more. */
  backfillMs: 24 * HOUR,
  /** Pages of one conversation or thread, and messages of a page. */
  backfillPages: 20,
  pageMessages: 100,
  /** Direct conversations that nothing was heard of are looked for after a gap that Slack's own repeats do not cover. */
  directGapMs: 6 * MINUTE,
  /** Of them: pages of the list and conversations of a page, how many are read, and how long that may take. */
  directPages: 10,
  pageConversations: 200,
  directConversations: 300,
  directWithinMs: 10 * MINUTE,
  /** Slack takes fifty calls a minute of a method from an app; answers need some of them. */
  readsPerMinute: 30,
  readAttempts: 5,
  /** Looked whether something was said that nobody told us of. */
  probeEveryMs: 5 * MINUTE,
  /** Slack may take so long to tell. */
  probeGraceMs: MINUTE,
  saveEveryMs: 10 * SECOND,
  retryMs: MINUTE,
} as const;
