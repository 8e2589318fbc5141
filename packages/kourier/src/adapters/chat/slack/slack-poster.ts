import type { Entry } from '../../../core/thread/entry.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Edited, Found, NotDone, Place, Post, Posted, Poster, PostRef } from '../../../ports/poster.ts';
import type { CallOutcome } from './calls/call-outcome.ts';
import { undone } from './calls/refusals.ts';
import type { SlackCalls } from './calls/slack-calls.ts';
import { findMessages } from './find-messages.ts';
import { textIn } from './json.ts';
import { layoutThread } from './layout/layout-thread.ts';
import type { SlackBody } from './layout/slack-body.ts';
import { EditPace } from './live/edit-pace.ts';
import { LIVE, LiveStreams } from './live/live-streams.ts';
import { until } from './live/until.ts';
import { type Marker, marker } from './marker.ts';
import { placeBelow, readRef, readWhere, refOf, type Where } from './message-ref.ts';
import type { SlackIdentity } from './slack-identity.ts';
import { SLACK } from './slack-limits.ts';
import { Writing } from './writing.ts';

export interface SlackPosterOptions {
  readonly platform: string;
  readonly calls: SlackCalls;
  readonly clock: Clock;
  /** Markers of messages are made with it. */
  readonly botToken: string;
  /** `undefined` while Slack does not say who we are. */
  readonly identity: () => Promise<SlackIdentity | undefined>;
}

const NOT_A_PLACE = { kind: 'refused', why: 'no place on Slack' } as const;
const SHOWN: Edited = { kind: 'edited' };
/** Until a live message has something that stays. */
const SOON_MS = 200;

/**
 * Slack, posted to. What a message says is always put right by an edit of the whole; a stream is only how people see it
 * grow. Live text that has no turn at Slack's rates is left out: what follows it says more (slack.md 1.6).
 */
export class SlackPoster implements Poster {
  readonly platform: string;
  readonly #calls: SlackCalls;
  readonly #clock: Clock;
  readonly #identity: SlackPosterOptions['identity'];
  readonly #marks: Marker;
  readonly #streams: LiveStreams;
  readonly #pace: EditPace;
  readonly #writing: Writing;

  constructor({ platform, calls, clock, botToken, identity }: SlackPosterOptions) {
    this.platform = platform;
    this.#calls = calls;
    this.#clock = clock;
    this.#identity = identity;
    this.#marks = marker(botToken);
    this.#streams = new LiveStreams(calls, clock);
    this.#pace = new EditPace(clock);
    this.#writing = new Writing(calls);
  }

  layout(entries: readonly Entry[]): readonly Post[] {
    return layoutThread(entries);
  }

  async post(place: Place, post: Post, overtaken?: AbortSignal): Promise<Posted> {
    const where = readWhere(place);
    if (where === undefined) return NOT_A_PLACE;
    const body = post.body as SlackBody;
    if (post.live && body.kind === 'reply') {
      const started = await this.#streams.start(where, body);
      if (started.kind === 'started') return { kind: 'posted', ref: started.ref };
      if (started.kind === 'unknown') return started;
      if (started.kind === 'soon') return { kind: 'not-done', why: 'nothing to show yet', retryAfterMs: SOON_MS };
    }
    return this.#postMessage(where, place, post, overtaken);
  }

  async edit(place: Place, ref: PostRef, post: Post, overtaken?: AbortSignal): Promise<Edited> {
    if (post.live) return this.#editLive(place, ref, post, overtaken);
    if (this.#streams.has(ref)) {
      const ended = endOf(await this.#streams.stop(ref, this.#marks.of(place, post.key)));
      if (ended !== undefined) return ended;
    }
    return this.#update(place, ref, post);
  }

  async remove(_place: Place, ref: PostRef): Promise<Edited> {
    const message = readRef(ref);
    if (message === undefined) return NOT_A_PLACE;
    const outcome = await this.#calls.call('chat.delete', { ...message }, { priority: 'step' });
    if (outcome.kind === 'ok') {
      this.#streams.forget(ref);
      return SHOWN;
    }
    if (outcome.kind === 'no' && outcome.error === 'message_not_found') return { kind: 'gone' };
    return undone(outcome) ?? { kind: 'refused', why: outcome.kind === 'no' ? outcome.error : outcome.why };
  }

  async find(place: Place, key: string, sinceMs: number): Promise<Found> {
    const where = readWhere(place);
    const own = await this.#identity();
    if (where === undefined || own === undefined) return { kind: 'not-done', why: 'Slack did not say who we are' };
    const isKnown = (ref: PostRef): boolean => this.#streams.has(ref);
    return findMessages({ calls: this.#calls, marks: this.#marks, own, isKnown }, where, { place, key, sinceMs });
  }

  async open(channel: Place, post: Post, overtaken?: AbortSignal): Promise<Posted & { readonly place?: Place }> {
    const where = readWhere(channel);
    if (where === undefined || where.threadTs !== undefined) return NOT_A_PLACE;
    const posted = await this.#postMessage(where, channel, post, overtaken);
    return posted.kind === 'posted' ? { ...posted, place: placeBelow(channel, posted.ref) } : posted;
  }

  async #postMessage(
    { channel, threadTs }: Where,
    place: Place,
    { key, body }: Post,
    over: AbortSignal | undefined,
  ): Promise<Posted> {
    const args = {
      channel,
      ...(threadTs !== undefined && { thread_ts: threadTs }),
      metadata: this.#marks.of(place, key),
      // What an agent says fetches nothing.
      unfurl_links: false,
      unfurl_media: false,
    };
    const outcome = await this.#writing.write('chat.postMessage', args, body as SlackBody, {
      channel,
      ...(over && { over }),
    });
    if (outcome.kind !== 'done') return outcome;
    const ts = textIn(outcome.body, 'ts');
    if (ts === undefined) return { kind: 'unknown', why: 'no ts' };
    return { kind: 'posted', ref: refOf({ channel: textIn(outcome.body, 'channel') ?? channel, ts }) };
  }

  /** What is overtaken counts as shown: the edit after it says the whole. */
  async #editLive(place: Place, ref: PostRef, post: Post, over: AbortSignal | undefined): Promise<Edited> {
    const body = post.body as SlackBody;
    if (this.#streams.has(ref) && body.kind === 'reply') {
      const appended = await this.#streams.append(ref, body, over);
      if (appended.kind === 'shown') return SHOWN;
      if (appended.kind === 'gone' || appended.kind === 'unknown') return appended;
      const options = { ...LIVE, ...(over && { over }) };
      const ended = endOf(await this.#streams.stop(ref, this.#marks.of(place, post.key), options));
      if (ended !== undefined) return ended.kind === 'not-done' && ended.untried ? SHOWN : ended;
    }
    const nextMs = this.#pace.nextMs(ref);
    if (nextMs === undefined || nextMs - this.#clock.now() > SLACK.liveEditEveryMs) return SHOWN;
    await until(this.#clock, nextMs, over);
    if (over?.aborted) return SHOWN;
    this.#pace.note(ref);
    return this.#update(place, ref, post, over);
  }

  /** The whole, whatever the message said before. */
  async #update(place: Place, ref: PostRef, { key, body, live }: Post, over?: AbortSignal): Promise<Edited> {
    const message = readRef(ref);
    if (message === undefined) return NOT_A_PLACE;
    const metadata = this.#marks.of(place, key);
    const options = { ref, ...(live && { waitMs: LIVE.waitMs, ...(over && { over }) }) };
    for (let attempt = 0; attempt < 2; attempt++) {
      const outcome = await this.#writing.write('chat.update', { ...message, metadata }, body as SlackBody, options);
      if (outcome.kind === 'done') return SHOWN;
      if (outcome.kind === 'not-done' && live && outcome.untried) return SHOWN;
      if (outcome.kind !== 'refused') return outcome;
      if (outcome.why === 'message_not_found') return { kind: 'gone' };
      if (outcome.why !== 'streaming_state_conflict') return outcome;
      // A stream of an earlier process, or one whose end did not arrive.
      const ended = endOf(await this.#streams.stop(ref, metadata));
      if (ended !== undefined) return ended;
    }
    return { kind: 'not-done', why: 'streaming_state_conflict' };
  }
}

/** What keeps an edit from going on after a stream was to end. A stream that ended by itself keeps nothing. */
function endOf(outcome: CallOutcome): NotDone | { readonly kind: 'gone' } | undefined {
  const end = outcome.kind === 'not-sent' ? undone(outcome) : undefined;
  if (end?.kind === 'not-done') return end;
  return outcome.kind === 'no' && outcome.error === 'message_not_found' ? { kind: 'gone' } : undefined;
}
