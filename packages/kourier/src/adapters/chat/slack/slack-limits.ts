/**
 * What Slack takes of one message, and what we use of it: its measured limits are lower than the written ones, and some
 * count what it makes of a text (slack.md 1.7, 1.8). Characters unless the name says otherwise.
 */
export const SLACK = {
  /** UTF-8 of everything that is written in one message. Streams were seen to end near 10,600. */
  messageBytes: 9_000,
  /** After Markdown was expanded; Slack refuses 51. */
  messageBlocks: 45,
  /** Messages of one reply. Past it the last one says that more was not shown. */
  replyMessages: 100,
  /** Step cards in a row; the later ones share one card. */
  stepsInRow: 20,
  stepTitle: 100,
  stepDetails: 256,
  sectionText: 3_000,
  /** `text` of chat.update. */
  updateText: 4_000,
  /** `text` beside blocks: what a notification shows. */
  fallbackText: 1_000,
  buttonText: 75,
  /** Choices that are buttons, answered with one click. */
  choiceButtons: 10,
  callMs: 10_000,
  /** Slack ends a stream about five minutes after its start. */
  streamMs: 240_000,
  /** Between two pieces of live text of one message. */
  appendEveryMs: 1_000,
  liveEditEveryMs: 3_000,
  /** The more often a message was edited, the rarer it is (case C173). */
  liveEdits: 200,
} as const;
