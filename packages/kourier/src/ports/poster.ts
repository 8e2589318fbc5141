import type { Entry } from '../core/thread/entry.ts';

/**
 * One message of a platform that stands for entries of a thread. The delivery makes the platform's messages say what the
 * posts say; it knows nothing of what is in them.
 */
export interface Post {
  /** Names this message of the thread for ever: the same entries give the same keys after every restart. */
  readonly key: string;
  /** Equal for posts that look the same: another value is a reason to edit. */
  readonly says: string;
  /** The platform's own document. */
  readonly body: unknown;
  /** Its text is still growing: an edit of it may be skipped for a newer one, and need not outlive this process. */
  readonly live: boolean;
}

/** Where a thread is on its platform, as the platform's adapter writes it (`T1/C1/1700000000.000100`). Opaque elsewhere. */
export type Place = string;
/** A message on the platform, as its adapter writes it. Opaque elsewhere, durable as it is. */
export type PostRef = string;

/** Not done, and certain: the platform said so, or the call never left. */
export interface NotDone {
  readonly kind: 'not-done';
  /** Not before then. Absent: the delivery backs off by itself. */
  readonly retryAfterMs?: number;
  /** It only waited for its turn: nothing is wrong, and nothing backs off. */
  readonly untried?: true;
  readonly why: string;
}

/** The platform will not take this message, in no form; repeating it would bring the same. */
export interface Refused {
  readonly kind: 'refused';
  readonly why: string;
}

/** May have been done: a time-out, a lost connection, a 5xx. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

export type Posted = { readonly kind: 'posted'; readonly ref: PostRef } | NotDone | Refused | Unknown;
/** `gone`: the message was deleted by somebody; it is not posted again. */
export type Edited = { readonly kind: 'edited' } | { readonly kind: 'gone' } | NotDone | Refused | Unknown;
export type Found = { readonly kind: 'found'; readonly refs: readonly PostRef[] } | NotDone;

/**
 * A platform that messages are posted to. Its own limits (size, rate, formats) are the adapter's: it lays entries out
 * so that each post fits, paces its calls by the platform's limits, and tries simpler forms before it refuses. No
 * method throws or repeats a write by itself: the delivery decides what an unknown outcome is worth.
 */
export interface Poster {
  /** The platform's id. */
  readonly platform: string;
  /**
   * Pure: what a thread's entries come to, in the order in which they stand, each within the platform's limits. What a
   * person wrote on the platform itself is there already and gives no post.
   */
  layout(entries: readonly Entry[], place: Place): readonly Post[];
  /**
   * Posts a message that can be found again by its key. A live one may begin as a stream of the platform. Not
   * repeatable: see `find`. `overtaken`: the thread has more to say than this, so it need not wait for its turn.
   */
  post(place: Place, post: Post, overtaken?: AbortSignal): Promise<Posted>;
  /** Makes a message say what the post says now. Repeatable. The first edit that is not live ends a stream. */
  edit(place: Place, ref: PostRef, post: Post, overtaken?: AbortSignal): Promise<Edited>;
  /** Repeatable. */
  remove(place: Place, ref: PostRef): Promise<Edited>;
  /** Messages of ours with this key at that place since then, oldest first: how an unknown outcome becomes known. */
  find(place: Place, key: string, sinceMs: number): Promise<Found>;
  /**
   * Opens a thread on the platform for one that began elsewhere (an alert): posts its first message and tells the place
   * of the thread below it. Not repeatable: found again by its key, under the channel's own place.
   */
  open(channel: Place, post: Post, overtaken?: AbortSignal): Promise<Posted & { readonly place?: Place }>;
}
