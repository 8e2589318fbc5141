import { AgentFailure, publicText } from '../agent/agent-failure.ts';
import type { AnswerTurn } from '../agent/turn.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { StaleTask, type TaskStore } from '../store/task-store.ts';
import { LiveTask } from '../task/live-task.ts';
import { PassingMap } from '../task/passing-map.ts';
import type { Json, TaskRecord } from '../task/task-record.ts';
import type { WireMessage, WireState, WireStatus } from '../task/wire.ts';
import { type AskForm, askMessage, stateOf } from './ask-message.ts';
import { runTurn, type TurnCourse } from './run-turn.ts';
import { type RunHost, type TurnMessage, TurnRun } from './turn-run.ts';

/** What went wrong in a turn, for a private log. */
export type ReportFailure = (error: unknown, turn: { readonly taskId: string; readonly contextId: string }) => void;

export interface RunnerOptions {
  readonly store: TaskStore;
  /** Which turn answers a skill. */
  readonly turnOf: (skillId: string) => AnswerTurn;
  /** A message of the store as a turn sees it. */
  readonly read: (message: WireMessage) => TurnMessage;
  readonly report: ReportFailure;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether what a model thought is written (rule A8). */
  readonly includeReasoning: boolean;
  /** Called with each task that this process takes up, before anything happens to it. */
  readonly onTaken?: ((task: LiveTask) => void) | undefined;
}

/**
 * The tasks that this process works on, and the only place that changes one: what happened is stored, and then shown.
 */
export class TaskRunner {
  readonly #options: RunnerOptions;
  readonly #live = new PassingMap<LiveTask>();
  readonly #running = new PassingMap<LiveTask>();
  #spelt = { now: Number.NaN, timestamp: '' };
  /** Tasks that were given up because the store failed: stored as running, and nobody works on them. */
  readonly lost = new Set<string>();
  /** Turns that wait for an answer, by task. */
  readonly #waiting = new Map<string, PromiseWithResolvers<Json>>();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Whether no more turns may run, when so many are about to. */
  isFull(beginning: number): boolean {
    return this.#running.size + beginning >= AGENT_LIMITS.runningTasks;
  }

  /** The task as this process works on it; `undefined` when it has ended, or waits since an earlier process. */
  live(taskId: string): LiveTask | undefined {
    return this.#live.get(taskId);
  }

  /** Gives every task up: turns are aborted, watchers told, and what is stored stays as it is. */
  abandon(): void {
    for (const task of [...this.#live.values()]) this.giveUp(task);
  }

  /** Stores what turns have written, for those who read it in another process. */
  keepNews(): void {
    for (const task of this.#running.values()) if (task.writable && task.hasNews) this.#commit(task)?.catch(NOTHING);
  }

  /** Those whose turns run now. */
  running(): readonly LiveTask[] {
    return [...this.#running.values()];
  }

  /** Takes a task up where its record stands. */
  take(record: TaskRecord): LiveTask {
    const task = new LiveTask(record);
    this.adopt(task);
    return task;
  }

  adopt(task: LiveTask): void {
    this.#live.set(task.id, task);
    if (task.running) this.#running.set(task.id, task);
    this.#options.onTaken?.(task);
  }

  run(task: LiveTask): Promise<void> {
    if (task.status.state === 'TASK_STATE_SUBMITTED') this.#show(task, this.status('TASK_STATE_WORKING'));
    const first = task.history[0] as WireMessage;
    return runTurn(task, new TurnRun(task, this.#options.read(first), this.#host), this.#course);
  }

  readonly #course: TurnCourse = {
    answer: (task, turn) => this.#options.turnOf(task.skillId)(turn),
    completed: (task) => this.end(task, 'TASK_STATE_COMPLETED'),
    failed: (task, error) => this.#failed(task, error),
  };

  /** What a turn throws after its task has ended, or was given up, concerns nobody any more. */
  async #failed(task: LiveTask, error: unknown): Promise<void> {
    if (this.#live.get(task.id) !== task || task.closing || task.aborted) return;
    this.#report(task, error);
    await this.end(task, 'TASK_STATE_FAILED', error instanceof AgentFailure ? error : undefined).catch(() => undefined);
  }

  readonly #host: RunHost = {
    ask: (task, name, form) => this.#ask(task, name, form),
    keep: async (task) => this.#commit(task),
    progress: (task, text) => {
      const { id: taskId, contextId } = task;
      const messageId = this.#options.newId();
      this.#show(task, {
        ...this.status('TASK_STATE_WORKING'),
        message: { messageId, taskId, contextId, role: 'ROLE_AGENT', parts: [{ text }] },
      });
    },
    memory: async (task) => task.remembered ?? (await this.#options.store.memory(task.owner, task.contextId)),
    includeReasoning: () => this.#options.includeReasoning,
  };

  async #ask(task: LiveTask, name: string, form: AskForm): Promise<Json> {
    if (!this.#goesOn(task)) throw ended();
    const answered = Promise.withResolvers<Json>();
    // Nobody may be waiting any more when the task is given up.
    answered.promise.catch(() => undefined);
    task.signal.addEventListener('abort', () => answered.reject(task.signal.reason), { once: true });
    const message = askMessage(name, form, { taskId: task.id, contextId: task.contextId });
    const status = { ...this.status(stateOf(form)), message };
    task.note({ kind: 'ask', name, form: form as unknown as Json });
    await this.#commit(task, status);
    // Its end is stored behind the question, or already shown: nobody is asked any more.
    if (!this.#goesOn(task)) return answered.promise;
    this.#waiting.set(task.id, answered);
    this.#running.delete(task.id);
    task.enter(status);
    this.#forgetWaiting();
    return answered.promise;
  }

  /** Stores and shows that a paused task runs again; rejects when that is not stored. */
  async resume(task: LiveTask): Promise<void> {
    const status = this.status('TASK_STATE_WORKING');
    await this.#commit(task, status);
    if (!this.#goesOn(task)) return;
    task.enter(status);
    this.#running.set(task.id, task);
  }

  /** Whether this process works on the task, and nobody ends it. */
  #goesOn(task: LiveTask): boolean {
    return this.#live.get(task.id) === task && !task.closing;
  }

  /** A turn that waits can be repeated from its journal, so that of many only the latest are kept going. */
  #forgetWaiting(): void {
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size <= AGENT_LIMITS.waitingTurns) break;
      this.#waiting.delete(oldest);
      this.#live.delete(oldest);
    }
  }

  goOn(task: LiveTask, value: Json): void {
    if (!this.#goesOn(task)) return;
    const waiting = this.#waiting.get(task.id);
    this.#waiting.delete(task.id);
    if (waiting === undefined) void this.run(task);
    else waiting.resolve(value);
  }

  /** Ends a task, once: who comes later waits for the end that came first. */
  end(task: LiveTask, state: WireState, failure?: AgentFailure): Promise<void> {
    task.ending ??= this.#endNow(
      task,
      state === 'TASK_STATE_FAILED' ? this.#failure(task, failure) : this.status(state),
    );
    return task.ending;
  }

  #failure(task: LiveTask, failure: AgentFailure | undefined): WireStatus {
    return { ...this.status('TASK_STATE_FAILED'), message: failureMessage(task, failure) };
  }

  async #endNow(task: LiveTask, status: WireStatus): Promise<void> {
    if (this.#live.get(task.id) !== task) return;
    await this.#store(task, status);
    this.#live.delete(task.id);
    this.#running.delete(task.id);
    this.#waiting.delete(task.id);
    task.enter(status);
    task.abort();
  }

  /** Shows a status that only says that the task runs; it is stored meanwhile. */
  #show(task: LiveTask, status: WireStatus): void {
    task.enter(status);
    this.#commit(task, status)?.catch(NOTHING);
  }

  /**
   * Stores what the task has that is new. A turn that goes on after its task was given up concerns no store: another
   * process may have taken it up by now. Nor does one whose task is being ended: what is stored behind an end undoes it.
   */
  #commit(task: LiveTask, status?: WireStatus): Promise<void> | undefined {
    return this.#goesOn(task) ? this.#store(task, status) : Promise.reject(ended());
  }

  /** `undefined` when the store has it already: a promise for every change of every task costs more than the change. */
  #store(task: LiveTask, status?: WireStatus): Promise<void> | undefined {
    try {
      const committed = this.#options.store.commit(task.change(status));
      return committed instanceof Promise ? committed.catch((error) => this.#lose(task, error)) : undefined;
    } catch (error) {
      return this.#lose(task, error);
    }
  }

  /** What could not be stored gives the task up: nobody is told what may not be so. Rejects with the reason. */
  async #lose(task: LiveTask, error: unknown): Promise<never> {
    if (!(error instanceof StaleTask)) {
      this.#report(task, error);
      this.lost.add(task.id);
    }
    this.giveUp(task);
    throw error;
  }

  /** Aborts the turn, and tells whoever watches that no more is heard of the task here. What is stored stays as it is. */
  giveUp(task: LiveTask): void {
    if (this.#live.get(task.id) !== task) return;
    this.#live.delete(task.id);
    this.#running.delete(task.id);
    this.#waiting.delete(task.id);
    task.abort();
    task.lose();
  }

  #report(task: LiveTask, error: unknown): void {
    this.#options.report(error, { taskId: task.id, contextId: task.contextId });
  }

  status(state: WireState): WireStatus {
    const now = this.#options.now();
    // Many statuses begin in one millisecond, and each would spell it out anew.
    if (this.#spelt.now !== now) this.#spelt = { now, timestamp: new Date(now).toISOString() };
    return { state, timestamp: this.#spelt.timestamp };
  }
}

const ended = (): StaleTask => new StaleTask('the task was given up, or is being ended');

const NOTHING = (): void => undefined;

function failureMessage(task: TaskRecord, failure: AgentFailure | undefined): WireMessage {
  const { code, category } = failure ?? {};
  const metadata = {
    ...(code === undefined ? {} : { code }),
    ...(category === undefined ? {} : { error_code: category }),
  };
  const ids = { messageId: `${task.id}-failed`, taskId: task.id, contextId: task.contextId };
  return { ...ids, role: 'ROLE_AGENT', parts: [{ text: publicText(category) }], metadata };
}
