import { AgentFailure } from '../agent/agent-failure.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { busy, invalidParams, type RpcError, taskNotFound, unsupported } from '../rpc-error.ts';
import { type Awaitable, type Begun, type MessageKey, StaleTask, type TaskStore } from '../store/task-store.ts';
import { type FollowedTask, LiveTask } from '../task/live-task.ts';
import { openAsk, type TaskRecord } from '../task/task-record.ts';
import { isEnded, isPaused, isRunning, type WireMessage } from '../task/wire.ts';
import type { AskForm } from './ask-message.ts';
import { Lookout } from './lookout.ts';
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

/** So often a task may change hands while it is ended. */
const END_TRIES = 5;

const NOTHING = (): void => undefined;
const NONE: readonly never[] = [];

/** What callers may do with tasks: begin one, answer it, read it, cancel it. Each sees those of its own only. */
export class TaskDesk {
  readonly #options: RunnerOptions;
  readonly #store: TaskStore;
  readonly #runner: TaskRunner;
  /** Where other processes work on the same tasks. */
  readonly #lookout: Lookout | undefined;
  /** Tasks that the store is about to take up. */
  #beginning = 0;

  constructor(options: RunnerOptions) {
    const { store } = options;
    this.#options = options;
    this.#store = store;
    this.#runner = new TaskRunner(options);
    if (store.shared !== undefined) {
      this.#lookout = new Lookout(store, store.shared, this.#runner, async () => {
        await this.#failOrphans();
        await this.#failLost();
      });
    }
  }

  /** Opens the store, and fails what a crash left in the middle of its work: its turn may have done half of it. */
  async open(): Promise<void> {
    await this.#store.open();
    await this.#failOrphans();
    this.#lookout?.start();
  }

  /** Aborts the turns that run. Their tasks stay as they are stored; a paused one goes on after the next start. */
  async close(): Promise<void> {
    this.#lookout?.stop();
    this.#runner.abandon();
    await this.#store.close();
  }

  /** The task, when it is the owner's. Throws -32001. */
  async read(taskId: string, owner: string): Promise<TaskRecord> {
    // Where that still cannot be stored, a task that this process has can be read all the same.
    if (this.#runner.lost.size > 0) await this.#failLost().catch(() => undefined);
    const record = (await this.#current(taskId)) ?? (await this.#store.read(taskId));
    if (record === undefined || record.owner !== owner) throw taskNotFound();
    return record;
  }

  /** The task as it goes on, here or in another process; `undefined` when it has ended, or waits for its caller. */
  followed(record: TaskRecord): FollowedTask | undefined {
    return this.#runner.live(record.id) ?? this.#lookout?.follow(record);
  }

  /** Begins a task with a message, or finds the one that it began before. Throws -32004 with a Retry-After when busy. */
  begin(turn: NewTurn): Awaitable<Taken> {
    if (this.#runner.lost.size > 0) return this.#failLost().then(() => this.#begin(turn));
    return this.#begin(turn);
  }

  #begin(turn: NewTurn): Awaitable<Taken> {
    const { message, contextId, owner } = turn;
    const key = { messageId: message.messageId, contextId };
    if (this.#runner.isFull(this.#beginning)) return this.#ofMessage(owner, key);
    const task = this.#newTask(turn);
    let begun: Awaitable<Begun>;
    try {
      begun = this.#store.begin(task.change(), key);
    } catch (error) {
      begun = Promise.reject(error);
    }
    return begun instanceof Promise ? this.#beginLater(task, begun) : this.#taken(task, begun);
  }

  /** What is found when nothing more can be begun. */
  async #ofMessage(owner: string, key: MessageKey): Promise<Taken> {
    const known = await this.#store.ofMessage(owner, key);
    if (known === undefined) throw busy('The agent runs as many turns as it can.', AGENT_LIMITS.retryAfterMs);
    return { task: await this.read(known, owner), start: NOTHING };
  }

  async #beginLater(task: LiveTask, begun: Promise<Begun>): Promise<Taken> {
    let outcome: Begun;
    this.#beginning += 1;
    try {
      outcome = await begun;
    } catch (error) {
      // Should it be stored all the same, nobody works on it.
      this.#runner.lost.add(task.id);
      throw error;
    } finally {
      this.#beginning -= 1;
    }
    return this.#taken(task, outcome);
  }

  #taken(task: LiveTask, outcome: Begun): Awaitable<Taken> {
    if (outcome.kind === 'known')
      return this.read(outcome.taskId, task.owner).then((known) => ({ task: known, start: NOTHING }));
    if (outcome.kind === 'busy') throw busy('A turn of this context is still running.', AGENT_LIMITS.retryAfterMs);
    this.#runner.adopt(task);
    return { task, start: () => void this.#runner.run(task) };
  }

  #newTask({ message, contextId, owner, skillId }: NewTurn): LiveTask {
    const id = this.#options.newId();
    const context = contextId ?? this.#options.newId();
    const task = new LiveTask({
      id,
      contextId: context,
      owner,
      skillId,
      status: this.#runner.status('TASK_STATE_SUBMITTED'),
      history: NONE,
      artifacts: NONE,
      journal: NONE,
      version: 0,
    });
    task.converse({ ...message, contextId: context, taskId: id });
    return task;
  }

  /**
   * Goes on with a paused task. The same message again finds the task as it is. Throws -32004 for a task that has ended
   * or runs, and -32602 for what is no answer: the task then still waits.
   */
  async answer(taskId: string, owner: string, message: WireMessage): Promise<Taken> {
    const record = await this.read(taskId, owner);
    // A2A 1.0, section 3.4.3.
    const contextId = message['contextId'] ?? record.contextId;
    if (contextId !== record.contextId && contextId !== '')
      throw invalidParams('message.contextId must be that of the task, or be left out.');
    if (record.history.some(({ messageId }) => messageId === message.messageId))
      return { task: record, start: NOTHING };
    if (isEnded(record.status.state)) throw unsupported('The task has ended: send a new message without its taskId.');
    const ask = openAsk(record);
    if (!isPaused(record.status.state) || ask === undefined) throw notWaiting();
    const value = readAnswer(ask.form as unknown as AskForm, message, this.#options.read(message).text);
    const task = this.#runner.live(taskId) ?? this.#runner.take(record);
    // Whoever comes second finds no open question any more, although nothing is stored yet.
    if (task.closing || openAsk(task) === undefined) throw notWaiting();
    if (!task.takes(message))
      throw invalidParams('The task has no room for the answer: shorten it, or cancel the task.');
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
    for (let tries = 1; ; tries += 1) {
      const record = await this.read(taskId, owner);
      const taken = this.#runner.live(taskId) ?? (await this.#store.shared?.take(taskId)) ?? record;
      if (isEnded(taken.status.state)) return taken;
      const task = this.#runner.live(taskId) ?? this.#runner.take(taken);
      try {
        await this.#runner.end(task, 'TASK_STATE_CANCELED');
        return task;
      } catch (error) {
        if (!(error instanceof StaleTask) || tries === END_TRIES) throw error;
      }
    }
  }

  /** The task as this process has it, unless another one has gone on with it meanwhile: then this one's turn is over. */
  async #current(taskId: string): Promise<LiveTask | undefined> {
    const task = this.#runner.live(taskId);
    if (task === undefined || !(await this.#lookout?.isBehind(task))) return task;
    this.#runner.giveUp(task);
    return undefined;
  }

  /** Of several processes that find them at once, one ends them. */
  async #failOrphans(): Promise<void> {
    for (const record of await this.#store.orphans()) await this.#fail(record, 'agent-restarted');
  }

  /** What could not be stored is lost; that the task has failed is stored as soon as the store takes something again. */
  async #failLost(): Promise<void> {
    for (const taskId of [...this.#runner.lost]) {
      this.#runner.lost.delete(taskId);
      try {
        // An earlier change of it may still be on its way.
        for (let tries = 1; tries <= END_TRIES; tries += 1) {
          const record = await this.#store.read(taskId);
          if (record === undefined || !isRunning(record.status.state)) break;
          if (await this.#fail(record, 'not-stored')) break;
        }
      } catch (error) {
        this.#runner.lost.add(taskId);
        throw error;
      }
    }
  }

  /** Whether it did; not when the task has moved on. */
  async #fail(record: TaskRecord, code: string): Promise<boolean> {
    try {
      await this.#runner.end(this.#runner.take(record), 'TASK_STATE_FAILED', new AgentFailure({ code }));
      return true;
    } catch (error) {
      if (error instanceof StaleTask) return false;
      throw error;
    }
  }
}

const notWaiting = (): RpcError => busy('The task is still running and waits for no input.', AGENT_LIMITS.retryAfterMs);
