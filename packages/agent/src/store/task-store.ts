import type { TaskChange } from '../task/live-task.ts';
import type { Json, TaskRecord } from '../task/task-record.ts';
import type { WireState } from '../task/wire.ts';

export type { TaskChange } from '../task/live-task.ts';
export type { JournalEntry, Json, TaskRecord } from '../task/task-record.ts';

/** What is answered at once wherever it can be: a promise on the way of every request costs more than most answers. */
export type Awaitable<T> = T | Promise<T>;

/** How a message is known again: by its id among those of its owner, within the context that it was sent to, if any. */
export interface MessageKey {
  readonly messageId: string;
  /** As sent: absent on the first message of a conversation (case C131). */
  readonly contextId: string | undefined;
}

export type Begun =
  | { readonly kind: 'begun' }
  /** The same message came before, and this is its task. */
  | { readonly kind: 'known'; readonly taskId: string }
  /** Another task of the context runs. */
  | { readonly kind: 'busy' };

/** Which tasks are listed; what is absent does not count. A state is the one that the task is in now. */
export interface TaskFilter {
  readonly owner: string;
  readonly contextId: string | undefined;
  readonly state: WireState | undefined;
  /** Milliseconds since the epoch; tasks whose status is as new or newer. */
  readonly changedSince: number | undefined;
}

export interface ListRequest extends TaskFilter {
  /** At most so many; a page of long tasks may be shorter. */
  readonly pageSize: number;
  /** What an earlier page gave. */
  readonly pageToken: string | undefined;
}

export interface ListedTasks {
  readonly tasks: readonly TaskRecord[];
  /** How a walk goes on after the task at `index`. */
  readonly tokenAfter: (index: number) => string;
  /** Whether there are more after the last of `tasks`. */
  readonly more: boolean;
  /** Of the whole walk. */
  readonly totalSize: number;
}

/** Thrown by `commit`: another process has changed the task since it was read, or it is forgotten. */
export class StaleTask extends Error {
  override readonly name = 'StaleTask';
}

/** Thrown by `list` for a page token that this store did not give, or so long ago that it no longer knows how tasks stood. */
export class UnknownPageToken extends Error {
  override readonly name = 'UnknownPageToken';
}

/** What a store tells of the other processes that work on its tasks. */
export interface SharedTasks {
  /** How often a process is to look for what the others did: a task that it works on may have been cancelled there. */
  readonly lookEveryMs: number;
  /**
   * The stored versions of those tasks that exist, as of now. One that is higher than a process knows tells that
   * another one went on with the task, or ended it.
   */
  versions(taskIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Takes a running task away from whoever works on it, whose next commit is stale, and gives it as it stands then; to
   * read it and to commit would never win against one that writes all the time. Any other task is only read.
   */
  take(taskId: string): Promise<TaskRecord | undefined>;
}

/**
 * Where a served agent keeps its tasks (rule A6). A call that returned, or resolved, has happened, whatever crashes
 * afterwards; one that threw has not happened at all. A store that answers at once, without a promise, costs least.
 */
export interface TaskStore {
  /** Absent where one process has the tasks for itself. */
  readonly shared?: SharedTasks;
  /** Called once, before any other call. Rejects when the store cannot be had. */
  open(): Awaitable<void>;
  /**
   * Takes up a task in its first state, unless its message is known or its context is busy with another task that is
   * submitted or working; the three are decided in one step. The message is known again under the key as sent, and
   * under the context that it was given.
   */
  begin(first: TaskChange, key: MessageKey): Awaitable<Begun>;
  /**
   * Stores a change and raises the version by one, whole or not at all. Changes of one task are stored in the order of
   * the calls, and after one that was not stored none of the same `task` is. Throws StaleTask. Tasks that have ended and that nobody asks for any more may be forgotten for it, and
   * paused ones that nobody answers: the oldest, beyond a number that the store documents.
   */
  commit(change: TaskChange): Awaitable<void>;
  read(taskId: string): Awaitable<TaskRecord | undefined>;
  /** The task that a message began. */
  ofMessage(owner: string, key: MessageKey): Awaitable<string | undefined>;
  /**
   * One page of tasks, the newest status first, equal times by id. The pages of a walk are ordered as the tasks stood
   * when it began: a task that moves on meanwhile is neither skipped nor listed twice, and one that is younger than the
   * walk is not listed (case C127).
   */
  list(request: ListRequest): Awaitable<ListedTasks>;
  /**
   * Tasks that are submitted or working although no process works on them: what a crash left. Asked for when a process
   * starts, and in a shared store whenever it looks. Several may be told of the same ones: the first commit decides.
   */
  orphans(): Awaitable<readonly TaskRecord[]>;
  /** What the agent remembers of a conversation; the last committed. */
  memory(owner: string, contextId: string): Awaitable<Json | undefined>;
  close(): Awaitable<void>;
}
