import { HEARING } from './hearing-limits.ts';
import { Recent } from './recent.ts';
import type { SlackApi } from './slack-api.ts';
import type { SlackLog } from './slack-log.ts';

export interface PrivateNote {
  readonly channel: string;
  readonly user: string;
  /** Absent: in the channel itself. */
  readonly threadTs?: string;
  /** Ours. What is of others in it goes through `escaped`. */
  readonly text: string;
  /** The same is told once, however often it comes. */
  readonly about?: string;
}

/** Tells one person something that the others need not read. Lost where Slack does not take it: nothing depends on it. */
export type TellPrivately = (note: PrivateNote) => void;

export function privateNotes(api: SlackApi, platform: string, log: SlackLog): TellPrivately {
  const told = new Recent<true>(HEARING.rememberedMessages);
  return ({ channel, user, threadTs, text, about }) => {
    if (about !== undefined && !told.add(about, true)) return;
    const args = { channel, user, text, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) };
    void api.call('chat.postEphemeral', args).then((outcome) => {
      if (outcome.kind === 'ok') return;
      log('warn', { event: 'slack-note-not-shown', platform, channel, why: outcome.why });
    });
  };
}

/** Text of others, as `mrkdwn` shows it letter by letter. */
export function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;' })[character] ?? '&gt;');
}
