import type { WebClient } from '@slack/web-api';

/** A Slack, whoever made it, with one app in one channel. */
export interface SlackBench {
  /** With every scope. */
  readonly web: WebClient;
  /** Of the same app with `chat:write` alone; absent: scopes are not modelled. */
  readonly narrow?: WebClient;
  /** With no token that Slack knows. */
  readonly stranger: WebClient;
  /** A channel that the app is in. */
  readonly channel: string;
  /** A person with an address. */
  readonly user: string;
  /** What a click would have brought; absent: views are not modelled. */
  trigger?(): Promise<string>;
  close(): Promise<void>;
}

export type Case = readonly [name: string, body: (bench: SlackBench) => Promise<void>];

export const MARKER = { event_type: 'kourier_delivery', event_payload: { key: 'k1' } };

export const post = async (
  { web, channel }: SlackBench,
  text: string,
  more: { thread_ts?: string; metadata?: typeof MARKER } = {},
): Promise<string> => (await web.chat.postMessage({ channel, text, ...more })).ts ?? '';
