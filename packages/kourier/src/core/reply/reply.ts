import { LIMITS } from '../limits.ts';
import type { ContextId, TaskId } from '../thread/ids.ts';
import type {
  AgentEvent,
  AgentMessage,
  Artifact,
  ArtifactEvent,
  Part,
  StatusEvent,
  TaskSnapshot,
} from './agent-event.ts';
import { isPaused, isRunning, isTerminal, type Settled } from './task-state.ts';

/** What an event did: nothing, it showed that the task lives, it changed the answer, or it came after the end. */
export type Applied = 'ignored' | 'life' | 'text' | 'late';

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
  /** The answer grew past a limit: what came before stays. */
  overLimit = false;
  /** Text stood in a status message, where it is not the answer (decision 6). */
  statusText = false;
  #texts = new Map<string, string>();
  #characters = 0;

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
    const { state } = task.status;
    let changed = false;
    for (const [id, text] of snapshotTexts(task.artifacts)) changed = this.#meetSnapshot(id, text) || changed;
    this.#noteStatusText(task.status.message);
    if (this.ended) {
      if (!isRunning(state)) this.settled = { ...this.#settledOr(task.status), full: true };
    } else {
      this.settled = isTerminal(state) || isPaused(state) ? { status: task.status, full: true } : undefined;
    }
    return changed ? 'text' : 'life';
  }

  /** A terminal state was seen. */
  get ended(): boolean {
    return this.settled !== undefined && !isPaused(this.settled.status.state);
  }

  /** The answer: artifacts in the order in which they first appeared, empty ones left out (rule R12). Linear in its size. */
  text(): string {
    if (this.message) return joinedText(this.message.parts) ?? '';
    if (this.#texts.size === 1) return this.#texts.values().next().value ?? '';
    return [...this.#texts.values()].filter((text) => text !== '').join('\n\n');
  }

  /** Characters of the answer, without the blank lines between artifacts. */
  get characters(): number {
    return this.#characters;
  }

  #applyArtifact({ taskId, contextId, append, artifact }: ArtifactEvent): Applied {
    if (this.ended) return 'late';
    if (!this.#takeIds(taskId, contextId)) return 'ignored';
    const text = joinedText(artifact.parts);
    if (text === undefined) return 'life';
    const before = this.#texts.get(artifact.artifactId) ?? '';
    this.#put(artifact.artifactId, before, append ? before + text : text);
    return 'text';
  }

  #applyStatus({ taskId, contextId, status, final }: StatusEvent): Applied {
    if (this.ended) return 'late';
    if (!this.#takeIds(taskId, contextId)) return 'ignored';
    this.#noteStatusText(status.message);
    const settles = isTerminal(status.state) || isPaused(status.state) || (status.state === 'unknown' && final);
    this.settled = settles ? { status, full: false } : undefined;
    return 'life';
  }

  #applyMessage(message: AgentMessage): Applied {
    const ignored = message.role !== 'agent' || message.taskId !== undefined || this.taskId !== undefined;
    if (ignored || this.message) return 'ignored';
    this.message = message;
    this.heard = true;
    this.contextId = message.contextId;
    this.#characters = this.text().length;
    return 'text';
  }

  /** `false`: the event is about another task than this turn's. */
  #takeIds(taskId: TaskId | undefined, contextId: ContextId | undefined): boolean {
    if (taskId !== undefined && this.taskId !== undefined && taskId !== this.taskId) return false;
    this.taskId ??= taskId;
    if (contextId !== undefined) this.contextId = contextId;
    this.heard = true;
    return true;
  }

  #settledOr(status: Settled['status']): { status: Settled['status'] } {
    return isTerminal(status.state) ? { status } : { status: this.settled?.status ?? status };
  }

  #meetSnapshot(id: string, text: string): boolean {
    const received = this.#texts.get(id) ?? '';
    if (received.startsWith(text)) return false;
    this.#put(id, received, text);
    return true;
  }

  #put(id: string, before: string, after: string): void {
    const characters = this.#characters - before.length + after.length;
    const isNew = !this.#texts.has(id);
    if (characters > LIMITS.answerCharacters || (isNew && this.#texts.size >= LIMITS.artifacts)) {
      this.overLimit = true;
      return;
    }
    this.#characters = characters;
    this.#texts.set(id, after);
  }

  #noteStatusText(message: AgentMessage | undefined): void {
    if (message?.role === 'agent' && (joinedText(message.parts) ?? '').trim() !== '') this.statusText = true;
  }
}

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
