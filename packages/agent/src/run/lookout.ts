import type { SharedTasks, TaskStore } from '../store/task-store.ts';
import { RemoteTask } from '../task/remote-task.ts';
import type { TaskRecord } from '../task/task-record.ts';
import { isRunning } from '../task/wire.ts';
import type { TaskRunner } from './task-runner.ts';

/**
 * What is to be told and noticed between the processes that work on the tasks of a store: how far a task has come,
 * that one of ours was cancelled elsewhere, and that a process has left its tasks behind.
 */
export class Lookout {
  readonly #store: TaskStore;
  readonly #shared: SharedTasks;
  readonly #runner: TaskRunner;
  readonly #failOrphans: () => Promise<void>;
  /** Tasks of other processes that somebody follows here. */
  readonly #followed = new Map<string, RemoteTask>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(store: TaskStore, shared: SharedTasks, runner: TaskRunner, failOrphans: () => Promise<void>) {
    this.#store = store;
    this.#shared = shared;
    this.#runner = runner;
    this.#failOrphans = failOrphans;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), this.#shared.lookEveryMs);
    this.#timer.unref();
  }

  /** Whoever follows a task here is told that no more is heard of it. */
  stop(): void {
    clearInterval(this.#timer);
    for (const task of this.#followed.values()) task.lose();
    this.#followed.clear();
  }

  /** Whether another process has gone on with a task that this one has, or ended it. */
  async isBehind(task: TaskRecord): Promise<boolean> {
    return isOlder(task, await this.#shared.versions([task.id]));
  }

  /** A task that another process works on, to be watched; `undefined` when nobody does. */
  follow(record: TaskRecord): RemoteTask | undefined {
    if (!isRunning(record.status.state)) return undefined;
    const task = this.#followed.get(record.id) ?? new RemoteTask(record);
    this.#followed.set(record.id, task);
    task.renew(record);
    return task;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      this.#runner.keepNews();
      await this.#renew();
      await this.#failOrphans();
    } catch {
      // The database cannot be had for now. Whatever needs it says so; the next look comes soon.
    } finally {
      this.#looking = false;
    }
  }

  async #renew(): Promise<void> {
    for (const task of this.#followed.values()) if (!task.watched) this.#followed.delete(task.id);
    const ours = this.#runner.running();
    const theirs = [...this.#followed.values()];
    if (ours.length + theirs.length === 0) return;
    const versions = await this.#shared.versions([...ours, ...theirs].map(({ id }) => id));
    for (const task of ours) if (isOlder(task, versions)) this.#runner.giveUp(task);
    for (const task of theirs) {
      if (!isOlder(task, versions)) continue;
      const record = await this.#store.read(task.id);
      if (record === undefined) task.lose();
      else task.renew(record);
    }
  }
}

/** What is still on its way to the store makes a task newer, never older. */
function isOlder(task: TaskRecord, versions: ReadonlyMap<string, number>): boolean {
  const stored = versions.get(task.id);
  return stored === undefined || stored > task.version;
}
