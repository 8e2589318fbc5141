import type { Clock } from '../../../../ports/clock.ts';
import type { PostRef } from '../../../../ports/poster.ts';
import type { CallOutcome } from '../calls/call-outcome.ts';
import type { CallOptions, SlackCalls } from '../calls/slack-calls.ts';
import { type Json, textIn } from '../json.ts';
import type { ReplyBody } from '../layout/slack-body.ts';
import { readRef, refOf, type Where } from '../message-ref.ts';
import { SLACK } from '../slack-limits.ts';
import { recipientTeams } from './recipients.ts';
import { type Sent, streamDelta } from './stream-delta.ts';
import { until } from './until.ts';

interface Stream {
  readonly startedMs: number;
  sent: Sent;
  nextMs: number;
  /** Nothing may be appended any more: what it says is to be put right by an edit. */
  isOver: boolean;
}

/** `none`: post it as any other message. `soon`: there is nothing to show yet. */
export type Started =
  | { readonly kind: 'started'; readonly ref: PostRef }
  | { readonly kind: 'none' | 'soon' }
  | { readonly kind: 'unknown'; readonly why: string };

/** `over`: it ends here, and an edit goes on. `unknown`: the same, and it is not known what it shows. */
export type Appended =
  | { readonly kind: 'shown' | 'over' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly why: string };

/** Slack's words for an app or a workspace that has no streams. */
const NO_STREAMS = ['unknown_method', 'method_deprecated', 'feature_not_enabled', 'not_allowed_token_type'];
const BEGINS: Sent = [];
/** How text waits that can be left out: what follows it says more. */
export const LIVE = { priority: 'live', waitMs: SLACK.appendEveryMs } as const;

/**
 * Messages that are written while people read them. A stream is a view and no more: it may end at any time, nothing that
 * it was sent is ever sent again, and an edit of the message says the whole (slack.md 1.8; case C155).
 */
export class LiveStreams {
  readonly #calls: SlackCalls;
  readonly #clock: Clock;
  readonly #streams = new Map<PostRef, Stream>();
  readonly #teamOf: ReturnType<typeof recipientTeams>;
  #areThere = true;

  constructor(calls: SlackCalls, clock: Clock) {
    this.#calls = calls;
    this.#clock = clock;
    this.#teamOf = recipientTeams(calls);
  }

  has(ref: PostRef): boolean {
    return this.#streams.has(ref);
  }

  /** Needs a thread, and in a channel somebody who asked: an alert has nobody. */
  async start({ team, channel, threadTs }: Where, { settled = [], recipient }: ReplyBody): Promise<Started> {
    const isDirect = channel.startsWith('D');
    if (!this.#areThere || threadTs === undefined || (recipient === undefined && !isDirect)) return { kind: 'none' };
    const delta = streamDelta(BEGINS, settled);
    if (delta.kind !== 'grows') return { kind: 'soon' };
    const to =
      recipient === undefined
        ? {}
        : { recipient_user_id: recipient, recipient_team_id: await this.#teamOf(recipient, team) };
    const { chunks } = delta;
    const args = { channel, thread_ts: threadTs, ...to, task_display_mode: 'timeline', chunks };
    const outcome = await this.#calls.call('chat.startStream', args, { priority: 'live', waitMs: 0 });
    if (outcome.kind === 'no' && NO_STREAMS.includes(outcome.error)) this.#areThere = false;
    if (outcome.kind === 'unknown') return outcome;
    const ts = outcome.kind === 'ok' ? textIn(outcome.body, 'ts') : undefined;
    if (outcome.kind === 'ok' && ts === undefined) return { kind: 'unknown', why: 'no ts' };
    if (ts === undefined) return { kind: 'none' };
    const ref = refOf({ channel, ts });
    const now = this.#clock.now();
    this.#streams.set(ref, { startedMs: now, sent: delta.sent, nextMs: now + SLACK.appendEveryMs, isOver: false });
    return { kind: 'started', ref };
  }

  /** Shows what has settled since, where that is more. */
  async append(ref: PostRef, { settled = [] }: ReplyBody, over?: AbortSignal): Promise<Appended> {
    const stream = this.#streams.get(ref);
    const message = readRef(ref);
    if (stream === undefined || message === undefined || this.#isOver(stream)) return { kind: 'over' };
    const delta = streamDelta(stream.sent, settled);
    if (delta.kind === 'same') return { kind: 'shown' };
    if (delta.kind === 'no-way') return this.#over(stream);
    await until(this.#clock, stream.nextMs, over);
    if (over?.aborted) return { kind: 'shown' };
    stream.nextMs = this.#clock.now() + SLACK.appendEveryMs;
    const options = { ...LIVE, ...(over && { over }) };
    const outcome = await this.#calls.call('chat.appendStream', { ...message, chunks: delta.chunks }, options);
    switch (outcome.kind) {
      case 'ok':
        stream.sent = delta.sent;
        return { kind: 'shown' };
      case 'not-sent':
        // Left out: the next one brings it along.
        return { kind: 'shown' };
      case 'no':
        if (outcome.error !== 'message_not_found') return this.#over(stream);
        this.#streams.delete(ref);
        return { kind: 'gone' };
      case 'unknown':
        stream.isOver = true;
        return { kind: 'unknown', why: outcome.why };
    }
  }

  /** Ends a stream, of this process or of one before it. It is told nothing more: the edit after it says the whole (case C157). */
  async stop(ref: PostRef, metadata: Json, options: CallOptions = { priority: 'final' }): Promise<CallOutcome> {
    const message = readRef(ref);
    if (message === undefined) return { kind: 'no', error: 'message_not_found' };
    const outcome = await this.#calls.call('chat.stopStream', { ...message, metadata }, options);
    if (outcome.kind !== 'not-sent') this.#streams.delete(ref);
    return outcome;
  }

  forget(ref: PostRef): void {
    this.#streams.delete(ref);
  }

  #isOver({ isOver, startedMs }: Stream): boolean {
    const agoMs = this.#clock.now() - startedMs;
    return isOver || agoMs < 0 || agoMs >= SLACK.streamMs;
  }

  #over(stream: Stream): Appended {
    stream.isOver = true;
    return { kind: 'over' };
  }
}
