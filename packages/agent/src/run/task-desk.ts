import { AgentFailure } from '../agent/agent-failure.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { busy, type RpcError, taskNotFound, unsupported } from '../rpc-error.ts';
import { StaleTask, type TaskStore } from '../store/task-store.ts';
import { LiveTask } from '../task/live-task.ts';
import { openAsk, type TaskRecord } from '../task/task-record.ts';
import { isEnded, isPaused, type WireMessage } from '../task/wire.ts';
import type { AskForm } from './ask-message.ts';
import { readAnswer } from './read-answer.ts';
import { type RunnerOptions, TaskRunner } from './task-runner.ts';

/** A message that is to begin a task. */
export interface NewTurn {
  readonly message: WireMessage;
  readonly contextId: string | undefined;
  readonly owner: string;
  readonly skillId: string;
}

/** A task that a message began or goes on with. `start` is to be called once its first state has been shown. */
export interface Taken {
  readonly task: TaskRecord;
  readonly start: () => void;
}

const NOTHING = (): void => undefined;

/** What callers may do with tasks: begin one, answer it, read it, cancel it. Each sees those of its own only. */
export class TaskDesk {
  readonly #options: RunnerOptions;
  readonly #store: TaskStore;
  readonly #runner: TaskRunner;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#store = options.store;
    this.#runner = new TaskRunner(options);
  }

  /** Opens the store, and fails what a crash left in the middle of its work: its turn may have done half of it. */
  async open(): Promise<void> {
    await this.#store.open();
    for (const record of await this.#store.orphans()) {
      await this.#runner.end(
        this.#runner.take(record),
        'TASK_STATE_FAILED',
        new AgentFailure({ code: 'agent-restarted' }),
      );
    }
  }

  /** Aborts the turns that run. Their tasks stay as they are stored; a paused one goes on after the next start. */
  async close(): Promise<void> {
    this.#runner.abandon();
    await this.#store.close();
  }

  /** The task, when it is the owner's. Throws -32001. */
  async read(taskId: string, owner: string): Promise<TaskRecord> {
    const record = this.#runner.live(taskId) ?? (await this.#store.read(taskId));
    if (record === undefined || record.owner !== owner) throw taskNotFound();
    return record;
  }

  /** The task as this process works on it; `undefined` when it is ended, paused since a restart, or another process's. */
  live(taskId: string): LiveTask | undefined {
    return this.#runner.live(taskId);
  }

  /** Begins a task with a message, or finds the one that it began before. Throws -32004 with a Retry-After when busy. */
  async begin({ message, contextId, owner, skillId }: NewTurn): Promise<Taken> {
    const key = { messageId: message.messageId, contextId };
    if (this.#runner.full) {
      const known = await this.#store.ofMessage(owner, key);
      if (known !== undefined) return { task: await this.read(known, owner), start: NOTHING };
      throw busy('The agent runs as many turns as it can.', AGENT_LIMITS.retryAfterMs);
    }
    const id = this.#options.newId();
    const context = contextId ?? this.#options.newId();
    const task = new LiveTask({
      id,
      contextId: context,
      owner,
      skillId,
      status: this.#runner.status('TASK_STATE_SUBMITTED'),
      history: [],
      artifacts: [],
      journal: [],
      version: 0,
    });
    task.converse({ ...message, contextId: context, taskId: id });
    const begun = this.#store.begin(task.change(), key);
    const outcome = begun instanceof Promise ? await begun : begun;
    if (outcome.kind === 'known') return { task: await this.read(outcome.taskId, owner), start: NOTHING };
    if (outcome.kind === 'busy') throw busy('A turn of this context is still running.', AGENT_LIMITS.retryAfterMs);
    this.#runner.adopt(task);
    return { task, start: () => void this.#runner.run(task) };
  }

  /**
   * Goes on with a paused task. The same message again finds the task as it is. Throws -32004 for a task that has ended
   * or runs, and -32602 for what is no answer: the task then still waits.
   */
  async answer(taskId: string, owner: string, message: WireMessage): Promise<Taken> {
    const record = await this.read(taskId, owner);
    if (record.history.some(({ messageId }) => messageId === message.messageId))
      return { task: record, start: NOTHING };
    if (isEnded(record.status.state)) throw unsupported('The task has ended: send a new message without its taskId.');
    const ask = openAsk(record);
    if (!isPaused(record.status.state) || ask === undefined) throw notWaiting();
    const value = readAnswer(ask.form as unknown as AskForm, message, this.#options.read(message).text);
    const task = this.#runner.live(taskId) ?? this.#runner.take(record);
    // Whoever comes second finds no open question any more, although nothing is stored yet.
    if (task.closing || openAsk(task) === undefined) throw notWaiting();
    if (task.status.message !== undefined) task.converse(task.status.message);
    task.converse({ ...message, taskId, contextId: task.contextId });
    task.note({ kind: 'answer', value });
    try {
      await this.#runner.resume(task);
    } catch (error) {
      throw error instanceof StaleTask ? notWaiting() : error;
    }
    return { task, start: () => this.#runner.goOn(task, value) };
  }

  /** Cancels a task. Returns it in the state that it is in then, which may be another end that came first. */
  async cancel(taskId: string, owner: string): Promise<TaskRecord> {
    const record = await this.read(taskId, owner);
    if (isEnded(record.status.state)) return record;
    const task = this.#runner.live(taskId) ?? this.#runner.take(record);
    await this.#runner.end(task, 'TASK_STATE_CANCELED');
    return task;
  }
}

const notWaiting = (): RpcError => busy('The task is still running and waits for no input.', AGENT_LIMITS.retryAfterMs);
