import type { LiveTask, News, Watcher } from '../task/live-task.ts';
import type { WireState } from '../task/wire.ts';
import type { Notice } from './notice.ts';

/**
 * Sees each state that a task comes to. Progress within a state is not told: a webhook is called at what happens to the
 * task, not at what it writes; streams are there for that.
 */
export class StatusWatch implements Watcher {
  readonly #task: LiveTask;
  readonly #tell: (notice: Notice) => void;
  #state: WireState;

  constructor(task: LiveTask, tell: (notice: Notice) => void) {
    this.#task = task;
    this.#tell = tell;
    this.#state = task.status.state;
  }

  news({ result }: News): void {
    if (!('statusUpdate' in result) || result.statusUpdate.status.state === this.#state) return;
    const { taskId, contextId, status } = result.statusUpdate;
    this.#state = status.state;
    this.#tell({ taskId, contextId, owner: this.#task.owner, version: this.#task.version, status });
  }

  /** A task that paused in this process may go on in it. */
  settled(): void {
    if (this.#task.paused) this.#task.watch(this);
  }

  lost(): void {}
}
