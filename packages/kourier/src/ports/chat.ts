import type { Entry, ThreadStatus } from '../core/thread/entry.ts';
import type { ThreadId } from '../core/thread/ids.ts';

export interface ThreadUpdate {
  readonly thread: ThreadId;
  readonly binding: string;
  /** Whole entries that appeared or changed, in the order of the timeline. */
  readonly entries: readonly Entry[];
  readonly status: ThreadStatus;
  /** The revision of the last commit: what a reader gives to `Store.changes` to go on from here. */
  readonly revision: number;
  /** `true`: a streaming answer on its way, not committed. A later update of the same entry replaces it. */
  readonly live: boolean;
}

/**
 * Where a thread is seen. `show` is called after every commit, in the order of the commits of a thread, and between
 * them for live text of entries that a commit has begun. It must not block and must not throw: a platform that needs
 * time keeps its own outbox.
 */
export interface Chat {
  /** The platform's id (`web`, `slack`): what an actor's metadata names (rule S5). */
  readonly platform: string;
  /** Its display name (`Web`, `Slack`): what a turn's prefix shows (rule S6). */
  readonly displayName: string;
  show(update: ThreadUpdate): void;
}
