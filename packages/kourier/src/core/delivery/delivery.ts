import { LIMITS } from '../limits.ts';

/** What the delivery sees of a post (`ports/poster.ts`). */
export interface Wanted {
  readonly key: string;
  readonly says: string;
  readonly live: boolean;
}

/**
 * One post of a thread, as far as it is known on the platform. `due`: not there, to be posted. `posting`: its intent is
 * durable, its outcome is not known. `looking`: looked for, because of that. `gone`: deleted by somebody. `removed`: by
 * us, because the thread says it no longer.
 */
export interface PostState {
  readonly key: string;
  readonly step: 'due' | 'posting' | 'looking' | 'posted' | 'refused' | 'gone' | 'removed';
  readonly ref?: string;
  /** Where it is, when that is not the thread's place: the post that opened the thread. */
  readonly at?: string;
  /** What it was last known to say; absent: not known. */
  readonly says?: string;
  /** There may be edits of it that are not recorded here: its text is live, or an edit is under way. */
  readonly loose?: true;
  /** So often it was tried to remove it: who finds it gone after more than one may have done it. */
  readonly removals?: number;
  /** An edit with an older text, or a removal, may reach the platform until then. */
  readonly doubtUntilMs?: number;
  /** Of the last intent. */
  readonly intentMs?: number;
  /** Of the first. */
  readonly sinceMs?: number;
  /** That found nothing since the last intent. */
  readonly looks?: number;
  /** Failures in a row. */
  readonly tries?: number;
  readonly notBeforeMs?: number;
  /** It was posted again without knowing that it was not there. */
  readonly repeated?: true;
  /** When to look for doubles. */
  readonly checkAtMs?: number;
  /** To be removed. */
  readonly doubles?: readonly string[];
}

/** What is known of a thread's posts, in the order in which they were begun. Plain JSON. */
export interface Delivery {
  readonly posts: readonly PostState[];
  /** Posts so far behind that nothing is kept of them: as many as that, the last with that key. */
  readonly behind?: { readonly count: number; readonly key: string };
  /** The place that was made for the thread. */
  readonly place?: string;
}

export const NO_DELIVERY: Delivery = { posts: [] };

export function stateOf({ posts }: Delivery, key: string): PostState | undefined {
  return posts.find((state) => state.key === key);
}

export function withState(delivery: Delivery, state: PostState): Delivery {
  const at = delivery.posts.findIndex(({ key }) => key === state.key);
  const posts = at < 0 ? [...delivery.posts, state] : delivery.posts.with(at, state);
  return { ...delivery, posts };
}

export function withoutState(delivery: Delivery, key: string): Delivery {
  return { ...delivery, posts: delivery.posts.filter((state) => state.key !== key) };
}

/** The posts that something is kept of, or will be. */
export function within<Post extends Wanted>({ behind }: Delivery, posts: readonly Post[]): readonly Post[] {
  if (!behind) return posts;
  const at = posts.findIndex(({ key }) => key === behind.key);
  return posts.slice(at < 0 ? behind.count : at + 1);
}

/** Forgets what is settled and far behind when there is too much. A thread can be of any length; this cannot. */
export function compacted(delivery: Delivery, posts: readonly Wanted[]): Delivery {
  if (delivery.posts.length <= LIMITS.postStates) return delivery;
  const kept = within(delivery, posts);
  const most = Math.max(0, kept.length - LIMITS.postStates / 2);
  const unsettled = kept.findIndex((post) => !isSettled(stateOf(delivery, post.key), post));
  const count = unsettled < 0 ? most : Math.min(most, unsettled);
  const last = kept[count - 1];
  if (!last) return delivery;
  const dropped = new Set(kept.slice(0, count).map(({ key }) => key));
  const behind = { count: posts.length - kept.length + count, key: last.key };
  return { ...delivery, behind, posts: delivery.posts.filter(({ key }) => !dropped.has(key)) };
}

function isSettled(state: PostState | undefined, { says, live }: Wanted): boolean {
  if (!state || live || state.checkAtMs !== undefined || state.doubles || state.doubtUntilMs !== undefined)
    return false;
  if (state.step === 'gone') return true;
  return (state.step === 'posted' || state.step === 'refused') && state.says === says && !state.loose;
}
