/** Calls of each method in a minute and workspace (slack.md 1.6). What is not named has the second tier. */
const PER_MINUTE: Readonly<Record<string, number>> = {
  'agents.sessions.setStatus': 50,
  'assistant.threads.setStatus': 100,
  'auth.test': 100,
  'chat.appendStream': 100,
  'chat.delete': 50,
  'chat.postMessage': 300,
  'chat.startStream': 20,
  'chat.stopStream': 20,
  'chat.update': 50,
  'conversations.history': 50,
  'conversations.replies': 50,
  'users.info': 100,
};
const SECOND_TIER = 20;
const MINUTE_MS = 60_000;

export interface Rate {
  readonly max: number;
  readonly withinMs: number;
}

export const methodRate = (method: string): Rate => ({
  max: PER_MINUTE[method] ?? SECOND_TIER,
  withinMs: MINUTE_MS,
});

/** Posts to one channel: one a second, a few at once. */
export const CHANNEL_POSTS: Rate = { max: 3, withinMs: 3_000 };

/** What live text and other things that can be left out may take of a method: the rest is for what must be said. */
export const LIVE_SHARE = 0.6;
