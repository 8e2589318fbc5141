import { LIMITS } from '../limits.ts';
import type { ContextId, TaskId } from '../thread/ids.ts';
import type {
  AgentEvent,
  AgentMessage,
  Artifact,
  ArtifactEvent,
  Part,
  Status,
  StatusEvent,
  TaskSnapshot,
} from './agent-event.ts';
import { hasTools } from './placed-tools.ts';
import { Steps } from './steps.ts';
import { isPaused, isRunning, isTerminal, type Settled } from './task-state.ts';
import { Texts } from './texts.ts';

/** What an event did: nothing, it showed that the task lives, it changed the answer or its steps, or it came after the end. */
export type Applied = 'ignored' | 'life' | 'text' | 'steps' | 'late';

/**
 * One turn's reply, folded from the agent's events. It changes in place, so that a chunk costs what it brings and not
 * what came before; nothing here is durable, because the agent has it all: after a crash a snapshot fills a new one.
 */
export class Reply {
  taskId: TaskId | undefined;
  contextId: ContextId | undefined;
  /** A bare message of the agent: the whole turn (rule R10). */
  message: AgentMessage | undefined;
  /** The state in which the stream may end. A terminal one is never taken back (case C062). */
  settled: Settled | undefined;
  /** Something of the agent was taken, so the send was not silent (rule R2). */
  heard = false;
  /** Text stood in a status message, where it is not the answer (decision 6). */
  statusText = false;
  /** An answer was replied to with a bare message (rule R11). */
  answeredByMessage = false;
  /** Since the last answer went out, the agent has said more than that it still waits. */
  moved = false;
  readonly steps = new Steps();
  #isAnswered: ((status: Status) => boolean) | undefined;
  readonly #texts = new Texts();
  #messageTooLong = false;

  /** An earlier courier heard the beginning. */
  readonly #cameLater: boolean;

  /** `taskId`: the task that the turn is known to have. */
  constructor(taskId?: TaskId) {
    this.taskId = taskId;
    this.#cameLater = taskId !== undefined;
  }

  /** Applies one event of a stream, in the order of arrival. */
  apply(event: AgentEvent): Applied {
    switch (event.kind) {
      case 'artifact':
        return this.#applyArtifact(event);
      case 'status':
        return this.#applyStatus(event);
      case 'task':
        return this.applySnapshot(event.task);
      case 'message':
        return this.#applyMessage(event.message);
    }
  }

  /** Applies a whole task, from a stream or a read: more text than was received is news, less is old (rule R13). */
  applySnapshot(task: TaskSnapshot): Applied {
    if (!this.#takeIds(task.id, task.contextId)) return 'ignored';
    const { status } = task;
    const { state } = status;
    const isOld = this.#isAnswered?.(status) ?? false;
    if (!isOld) this.moved = true;
    let texts = false;
    const whole = snapshotTexts(task.artifacts);
    if (this.#cameLater) this.#texts.place([...whole.keys()]);
    for (const [id, text] of whole) texts = this.#meetSnapshot(id, text) || texts;
    const steps = this.steps.snapshot(task, this.#texts.starts(), this.#texts.length);
    this.#noteStatusText(task.status.message);
    if (this.ended) {
      if (!isRunning(state)) this.settled = { ...this.#settledOr(task.status), full: true };
    } else {
      const settles = isTerminal(state) || (isPaused(state) && !isOld);
      this.settled = settles ? { status, full: true } : undefined;
    }
    return change(texts, steps);
  }

  /** An answer goes out: until the agent has moved on, the pause that it answers is no news. */
  beginAnswer(isAnswered: (status: Status) => boolean): void {
    this.#isAnswered = isAnswered;
    this.settled = undefined;
    this.moved = false;
    this.answeredByMessage = false;
    this.steps.beginAnswer(this.#texts.length);
  }

  /** A terminal state was seen. */
  get ended(): boolean {
    return this.settled !== undefined && !isPaused(this.settled.status.state);
  }

  /** The answer or its steps grew past a limit: what came before stays. */
  get overLimit(): boolean {
    return this.#texts.overLimit || this.steps.overLimit || this.#messageTooLong;
  }

  /** The answer (rule R12). Linear in its size. */
  text(): string {
    return this.message ? (joinedText(this.message.parts) ?? '') : this.#texts.join();
  }

  /** Characters of the answer. */
  get length(): number {
    return this.message ? this.text().length : this.#texts.length;
  }

  #applyArtifact({ taskId, contextId, append, artifact }: ArtifactEvent): Applied {
    if (this.ended) return 'late';
    if (!this.#takeIds(taskId, contextId)) return 'ignored';
    this.moved = true;
    const { artifactId, parts } = artifact;
    const text = joinedText(parts);
    const before = this.#texts.get(artifactId);
    if (text !== undefined) this.#texts.set(artifactId, append ? before + text : text);
    if (!hasTools(parts)) return change(text !== undefined, false);
    const start = this.#texts.startOf(artifactId);
    const steps = append
      ? this.steps.append(artifactId, parts, start, before.length)
      : this.steps.replace(artifactId, parts, start);
    return change(text !== undefined, steps);
  }

  #applyStatus({ taskId, contextId, status, final }: StatusEvent): Applied {
    if (this.ended) return 'late';
    if (!this.#takeIds(taskId, contextId)) return 'ignored';
    this.#noteStatusText(status.message);
    const isOld = this.#isAnswered?.(status) ?? false;
    if (!isOld) this.moved = true;
    const { state } = status;
    const settles = isTerminal(state) || (isPaused(state) && !isOld) || (state === 'unknown' && final);
    this.settled = settles ? { status, full: false } : undefined;
    return change(false, this.steps.status(status, this.#texts.length));
  }

  #applyMessage(message: AgentMessage): Applied {
    const isAnswer = this.#isAnswered !== undefined;
    const ignored = message.role !== 'agent' || message.taskId !== undefined || this.taskId !== undefined || isAnswer;
    if (message.role === 'agent' && isAnswer && !this.moved) this.answeredByMessage = true;
    if (ignored || this.message) return 'ignored';
    if ((joinedText(message.parts) ?? '').length > LIMITS.answerCharacters) {
      this.#messageTooLong = true;
      return 'ignored';
    }
    this.message = message;
    this.heard = true;
    this.contextId = message.contextId;
    return 'text';
  }

  /** `false`: the event is about another task than this turn's. */
  #takeIds(taskId: TaskId | undefined, contextId: ContextId | undefined): boolean {
    if (taskId !== undefined && this.taskId !== undefined && taskId !== this.taskId) return false;
    this.taskId ??= taskId;
    // A task has one context: an agent that names another with every event is not told about with every event.
    this.contextId ??= contextId;
    this.heard = true;
    return true;
  }

  #settledOr(status: Settled['status']): { status: Settled['status'] } {
    return isTerminal(status.state) ? { status } : { status: this.settled?.status ?? status };
  }

  #meetSnapshot(id: string, text: string): boolean {
    if (this.#texts.get(id).startsWith(text)) return false;
    this.#texts.set(id, text);
    return true;
  }

  #noteStatusText(message: AgentMessage | undefined): void {
    if (message?.role === 'agent' && (joinedText(message.parts) ?? '').trim() !== '') this.statusText = true;
  }
}

const change = (text: boolean, steps: boolean): Applied => (steps ? 'steps' : text ? 'text' : 'life');

/** The text parts, joined; `undefined` when there is none, which leaves the text as it was. Thoughts are no text (decision 11). */
function joinedText(parts: readonly Part[]): string | undefined {
  let text: string | undefined;
  for (const part of parts) if (part.kind === 'text' && !part.thought) text = (text ?? '') + part.text;
  return text;
}

/** Entries of one artifact that stand apart in a snapshot are one text (case C083). */
function snapshotTexts(artifacts: readonly Artifact[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { artifactId, parts } of artifacts) {
    const text = joinedText(parts);
    if (text !== undefined) texts.set(artifactId, (texts.get(artifactId) ?? '') + text);
  }
  return texts;
}
