import { type Delivery, type PostState, type Wanted, within } from './delivery.ts';
import type { DeliveryTimings } from './delivery-timings.ts';

/** What is to be done next for a thread's posts. */
export type NextCall<Post extends Wanted> =
  | PostCall<Post>
  /** A wait ends earlier when the posts change. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Everything is shown, and nothing of it is in doubt. */
  | { readonly kind: 'nothing' };

export type PostCall<Post extends Wanted> =
  | { readonly kind: 'post'; readonly post: Post }
  | { readonly kind: 'edit'; readonly post: Post; readonly ref: string; readonly at?: string }
  | { readonly kind: 'find'; readonly key: string; readonly sinceMs: number; readonly at?: string }
  | { readonly kind: 'remove'; readonly key: string; readonly ref: string; readonly at?: string };

/** What may be done, best first. */
const RANKS = ['edit', 'remove', 'post', 'live', 'check'] as const;
type Rank = (typeof RANKS)[number];

interface Candidate<Post extends Wanted> {
  readonly rank: Rank;
  readonly atMs: number;
  readonly call: PostCall<Post>;
}

/**
 * Posts appear strictly in their order: the first that is not settled holds back those after it, but for edits of what
 * is there already. A post with an unknown outcome is looked for before it is made again; one that may be a double is
 * looked for once more. What somebody deleted, or the platform refuses, holds nothing back.
 */
export function nextCall<Post extends Wanted>(
  delivery: Delivery,
  posts: readonly Post[],
  nowMs: number,
  timings: DeliveryTimings,
): NextCall<Post> {
  const candidates = candidatesOf(delivery, within(delivery, posts), timings);
  for (const rank of RANKS) {
    const ready = candidates.find((candidate) => candidate.rank === rank && candidate.atMs <= nowMs);
    if (ready) return ready.call;
  }
  const untilMs = Math.min(...candidates.map(({ atMs }) => atMs));
  return candidates.length === 0 ? { kind: 'nothing' } : { kind: 'wait', untilMs };
}

function candidatesOf<Post extends Wanted>(
  delivery: Delivery,
  posts: readonly Post[],
  timings: DeliveryTimings,
): readonly Candidate<Post>[] {
  const wanted = new Set(posts.map(({ key }) => key));
  const unwanted = delivery.posts.filter(({ key }) => !wanted.has(key));
  const states = new Map(delivery.posts.map((state) => [state.key, state] as const));
  const candidates: Candidate<Post>[] = unwanted.flatMap((state) => ofUnwanted<Post>(state, timings));
  let isHeldBack = false;
  for (const post of posts) {
    const state = states.get(post.key);
    if (state) candidates.push(...ofThere(post, state, timings));
    if (isHeldBack || isThere(state)) continue;
    candidates.push(
      state ? ofUnsettled(post, state, timings) : { rank: 'post', atMs: 0, call: { kind: 'post', post } },
    );
    isHeldBack = true;
  }
  return candidates;
}

const isThere = (state: PostState | undefined): boolean =>
  state?.step === 'posted' || state?.step === 'refused' || state?.step === 'gone';

function ofUnsettled<Post extends Wanted>(post: Post, state: PostState, timings: DeliveryTimings): Candidate<Post> {
  if (state.step === 'posting' || state.step === 'looking') return look(state, timings);
  return { rank: 'post', atMs: state.notBeforeMs ?? 0, call: { kind: 'post', post } };
}

/** Nothing of it is to be seen any more. */
function ofUnwanted<Post extends Wanted>(state: PostState, timings: DeliveryTimings): Candidate<Post>[] {
  if (state.step === 'posting' || state.step === 'looking') return [look(state, timings)];
  const { key, ref, notBeforeMs: atMs = 0 } = state;
  const gone = [...doubles<Post>(state), ...check<Post>(state, timings)];
  if (state.step === 'posted' && ref !== undefined) {
    gone.push({ rank: 'remove', atMs, call: { kind: 'remove', key, ref, ...where(state) } });
  }
  return gone;
}

function ofThere<Post extends Wanted>(post: Post, state: PostState, timings: DeliveryTimings): Candidate<Post>[] {
  const isToCome = state.step === 'due' || state.step === 'posting' || state.step === 'looking';
  const candidates = [...doubles<Post>(state), ...(isToCome ? [] : check<Post>(state, timings))];
  const { ref, notBeforeMs = 0, doubtUntilMs } = state;
  if (state.step === 'refused' && state.says !== post.says && !post.live) {
    candidates.push({ rank: 'post', atMs: notBeforeMs, call: { kind: 'post', post } });
  }
  if (state.step !== 'posted' || ref === undefined) return candidates;
  const call = { kind: 'edit', post, ref, ...where(state) } as const;
  const isOld = state.says !== post.says || (state.loose === true && !post.live);
  if (isOld) candidates.push({ rank: post.live ? 'live' : 'edit', atMs: notBeforeMs, call });
  // What may still overwrite the last text is waited for, and then it is said once more.
  else if (doubtUntilMs !== undefined && !post.live) {
    candidates.push({ rank: 'check', atMs: Math.max(doubtUntilMs, notBeforeMs), call });
  }
  return candidates;
}

function look<Post extends Wanted>(state: PostState, timings: DeliveryTimings): Candidate<Post> {
  const { intentMs = 0, notBeforeMs = 0 } = state;
  return { rank: 'post', atMs: Math.max(intentMs + timings.settleMs, notBeforeMs), call: find(state, timings) };
}

function check<Post extends Wanted>(state: PostState, timings: DeliveryTimings): Candidate<Post>[] {
  const { checkAtMs, notBeforeMs = 0, doubles: known } = state;
  if (checkAtMs === undefined || known) return [];
  return [{ rank: 'check', atMs: Math.max(checkAtMs, notBeforeMs), call: find(state, timings) }];
}

function doubles<Post extends Wanted>(state: PostState): Candidate<Post>[] {
  const [ref] = state.doubles ?? [];
  if (ref === undefined) return [];
  const { key, notBeforeMs: atMs = 0 } = state;
  return [{ rank: 'remove', atMs, call: { kind: 'remove', key, ref, ...where(state) } }];
}

const find = (state: PostState, { lookBackMs }: DeliveryTimings) => ({
  kind: 'find' as const,
  key: state.key,
  sinceMs: Math.max(0, (state.sinceMs ?? 0) - lookBackMs),
  ...where(state),
});

const where = ({ at }: PostState) => (at === undefined ? {} : { at });
