import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { Message, StatusUpdate, StreamEvent, Task, TaskStatus } from '@agentkourier/a2a/model';
import { CLIENT_LIMITS } from '../limits.ts';
import { KeptMetadata } from './kept-size.ts';
import {
  isPaused,
  isTerminal,
  KeptArtifacts,
  type KeptTask,
  textOfArtifacts,
  textOfParts,
  tooMuchKept,
} from './kept-task.ts';
import type { FinishedMessage, FinishedTask, Paused, TerminalState } from './outcome.ts';

type Settled = FinishedTask | FinishedMessage | Paused;

const NO_STATUS: TaskStatus = { state: 'unknown', stateText: '', message: undefined, timestamp: undefined };

/**
 * What one call said of one task, put together. A snapshot replaces what was there, updates add to it, a terminal state
 * stays (case C062), and what belongs to another task or context is left out (case C068).
 */
export class TaskFold {
  #id: string | undefined;
  #contextId: string | undefined;
  #status = NO_STATUS;
  #history: readonly Message[] = [];
  readonly #metadata = new KeptMetadata();
  #source: JsonObject | undefined;
  readonly #artifacts = new KeptArtifacts();
  #message: Message | undefined;
  #ended: TerminalState | undefined;
  #paused = false;
  #events = 0;
  #overLimit = false;

  constructor(taskId?: string) {
    this.#id = taskId;
  }

  /** The task is known by its id alone. */
  name(taskId: string | undefined): void {
    this.#id ??= taskId;
  }

  get taskId(): string | undefined {
    return this.#id;
  }

  /** Events that were taken. */
  get events(): number {
    return this.#events;
  }

  get settled(): boolean {
    return this.#ended !== undefined || this.#paused || this.#message !== undefined;
  }

  /** The task has ended; more may still be said of how. */
  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get overLimit(): boolean {
    return this.#overLimit || this.#artifacts.overLimit;
  }

  /** `false`: the event is none of this task's, or comes too late to say anything. */
  take(event: StreamEvent): boolean {
    if (!this.#takes(event)) return false;
    this.#events += 1;
    switch (event.kind) {
      case 'task':
        this.#snapshot(event.task);
        return true;
      case 'status-update':
        this.#update(event);
        return true;
      case 'artifact-update':
        this.#artifacts.update(event.artifact, event.append);
        return true;
      case 'message':
        // After a task was named it is no second answer (case C086), and the first of several is the answer (decision 9).
        if (this.#id === undefined) this.#message ??= event.message;
        return true;
    }
  }

  outcome(): Settled | undefined {
    if (this.#message !== undefined) {
      const message = this.#message;
      return { kind: 'finished', from: 'message', state: 'completed', message, text: textOfParts(message.parts) };
    }
    const task = this.task();
    if (task === undefined) return undefined;
    const text = textOfArtifacts(task.artifacts);
    if (this.#ended !== undefined) return { kind: 'finished', from: 'task', state: this.#ended, task, text };
    const { state } = task;
    if (state !== 'input-required' && state !== 'auth-required') return undefined;
    return { kind: 'paused', state, task, question: task.status.message, text };
  }

  task(): KeptTask | undefined {
    if (this.#id === undefined || this.#events === 0) return undefined;
    return {
      id: this.#id,
      contextId: this.#contextId ?? '',
      state: this.#status.state,
      status: this.#status,
      artifacts: this.#artifacts.list(),
      history: this.#history,
      metadata: this.#metadata.value,
      source: this.#source,
    };
  }

  text(): string {
    return textOfArtifacts(this.#artifacts.list());
  }

  #takes(event: StreamEvent): boolean {
    if (this.#message !== undefined) return false;
    if (event.kind === 'message') return this.#ended === undefined;
    const taskId = event.kind === 'task' ? event.task.id : event.taskId;
    const contextId = event.kind === 'task' ? event.task.contextId : event.contextId;
    if (this.#id !== undefined && taskId !== undefined && taskId !== this.#id) return false;
    if (this.#contextId !== undefined && contextId !== undefined && contextId !== this.#contextId) return false;
    // Of an ended task only the whole of it says more.
    if (this.#ended !== undefined && !(event.kind === 'task' && isTerminal(event.task.status.state))) return false;
    this.#id ??= taskId;
    this.#contextId ??= contextId;
    return true;
  }

  /** What a snapshot leaves out it does not take away (case C085): agents store less than they say. */
  #snapshot({ status, artifacts, history, metadata, source }: Task): void {
    this.#source = source;
    if (artifacts.length > 0) this.#artifacts.replaceAll(artifacts);
    if (history.length > 0) this.#history = history;
    if (metadata !== undefined) this.#metadata.replace(metadata);
    if (this.#ended === undefined) this.#enter(status, false);
  }

  #update({ status, final, metadata }: StatusUpdate): void {
    this.#metadata.add(metadata);
    if (this.#metadata.characters > CLIENT_LIMITS.keptCharacters) {
      this.#overLimit = true;
      throw tooMuchKept();
    }
    this.#enter(status, final);
  }

  /** A state that nobody knows and that is said to be the last is a failure (case C073). */
  #enter(status: TaskStatus, final: boolean): void {
    this.#status = status;
    this.#paused = isPaused(status.state);
    if (isTerminal(status.state)) this.#ended = status.state as TerminalState;
    else if (final && status.state === 'unknown') this.#ended = 'failed';
  }
}
