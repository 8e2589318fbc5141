import type { Found, Place, PostRef } from '../../../ports/poster.ts';
import { undone } from './calls/refusals.ts';
import type { SlackCalls } from './calls/slack-calls.ts';
import { type Json, jsonIn, listIn, textIn } from './json.ts';
import { REPLY_KEY } from './layout/layout-thread.ts';
import type { Marker } from './marker.ts';
import { refOf, type Where } from './message-ref.ts';
import type { SlackIdentity } from './slack-identity.ts';
import { msToTs } from './slack-place.ts';

export interface Finder {
  readonly calls: SlackCalls;
  readonly marks: Marker;
  readonly own: SlackIdentity;
  /** A stream of this process, so of another key. */
  readonly isKnown: (ref: PostRef) => boolean;
}

export interface Sought {
  readonly place: Place;
  readonly key: string;
  readonly sinceMs: number;
}

const PAGE = 200;
/** Of one search. Beyond it the delivery looks again. */
const PAGES = 20;

/** Our own messages with a marker, oldest first. A stream has no marker before its end: one without may be the one sought. */
export async function findMessages(finder: Finder, where: Where, sought: Sought): Promise<Found> {
  const { calls } = finder;
  const { channel, threadTs } = where;
  const method = threadTs === undefined ? 'conversations.history' : 'conversations.replies';
  const args = {
    channel,
    ...(threadTs !== undefined && { ts: threadTs }),
    oldest: msToTs(sought.sinceMs),
    include_all_metadata: true,
    limit: PAGE,
  };
  const found = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const paged = cursor === undefined ? args : { ...args, cursor };
    const outcome = await calls.call(method, paged, { priority: 'final' });
    if (outcome.kind === 'no' && outcome.error === 'thread_not_found') return { kind: 'found', refs: [] };
    if (outcome.kind !== 'ok') {
      const end = undone(outcome);
      return end?.kind === 'not-done' ? end : { kind: 'not-done', why: whyOf(outcome) };
    }
    for (const message of listIn(outcome.body, 'messages')) {
      const ts = textIn(message, 'ts');
      if (ts !== undefined && isSought(finder, message, refOf({ channel, ts }), sought)) found.add(ts);
    }
    cursor = textIn(jsonIn(outcome.body, 'response_metadata'), 'next_cursor');
    if (cursor === undefined) return { kind: 'found', refs: inOrder(found).map((ts) => refOf({ channel, ts })) };
  }
  return { kind: 'not-done', why: 'too much was written since' };
}

function isSought({ marks, own, isKnown }: Finder, message: Json, ref: PostRef, { place, key }: Sought): boolean {
  if (textIn(message, 'bot_id') !== own.bot && textIn(message, 'user') !== own.user) return false;
  if (marks.isMarked(message)) return marks.isOf(message, place, key);
  const isStream = textIn(message, 'streaming_state') !== undefined;
  return key.startsWith(REPLY_KEY) && isStream && !isKnown(ref);
}

const inOrder = (found: ReadonlySet<string>): readonly string[] => [...found].sort((a, b) => Number(a) - Number(b));

const whyOf = (outcome: { readonly kind: string; readonly why?: string; readonly error?: string }): string =>
  outcome.error ?? outcome.why ?? outcome.kind;
