import { type FollowedTask, News, type Watcher } from './live-task.ts';
import { printTask, type TaskRecord } from './task-record.ts';
import { isRunning, type WireArtifact, type WireMessage, type WireStatus } from './wire.ts';

/** A task that another process works on, for those who follow it here: they get the whole task whenever it was read. */
export class RemoteTask implements FollowedTask {
  readonly #watchers = new Set<Watcher>();
  #record: TaskRecord;

  constructor(record: TaskRecord) {
    this.#record = record;
  }

  get id(): string {
    return this.#record.id;
  }

  get contextId(): string {
    return this.#record.contextId;
  }

  get owner(): string {
    return this.#record.owner;
  }

  get skillId(): string {
    return this.#record.skillId;
  }

  get status(): WireStatus {
    return this.#record.status;
  }

  get history(): readonly WireMessage[] {
    return this.#record.history;
  }

  get artifacts(): readonly WireArtifact[] {
    return this.#record.artifacts;
  }

  get journal(): TaskRecord['journal'] {
    return this.#record.journal;
  }

  get version(): number {
    return this.#record.version;
  }

  get characters(): number {
    return this.#record.characters;
  }

  get running(): boolean {
    return isRunning(this.#record.status.state);
  }

  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  watch(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  unwatch(watcher: Watcher): void {
    this.#watchers.delete(watcher);
  }

  /** The task as it was read again. */
  renew(record: TaskRecord): void {
    if (record.version <= this.#record.version) return;
    this.#record = record;
    if (!this.running) return this.#dismiss((watcher) => watcher.settled());
    const news = new News({ task: printTask(record) });
    for (const watcher of this.#watchers) watcher.news(news);
  }

  /** It is there no more. */
  lose(): void {
    this.#dismiss((watcher) => watcher.lost());
  }

  #dismiss(tell: (watcher: Watcher) => void): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) tell(watcher);
  }
}
