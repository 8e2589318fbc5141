import type { Artifact, Message, StreamEvent, Task, TaskState, TaskStatus } from '@agentkourier/a2a/model';
import { SaidTexts, type SpokenEvent } from './said-texts.ts';
import { spokenRuns } from './spoken-runs.ts';

/** The last event of a typed stream. */
export interface TurnEnd {
  readonly type: 'end';
  /**
   * `completed`, also by a bare message. `paused`: the agent waits for input or authorization; `status.message` has what
   * it asks, and a message with `taskId` answers it. `failed`: failed, canceled or rejected, as `status.state` says.
   * `interrupted`: the stream is over and the task was not; read the task. `too-large`: the agent said more than
   * `AGENT_LIMITS.heardCharacters` or `heardArtifacts`; the stream was left there.
   */
  readonly outcome: 'completed' | 'paused' | 'failed' | 'interrupted' | 'too-large';
  /** The text of the answer as far as it came, what was replaced left out, and no thoughts. */
  readonly answer: string;
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** The last one; `undefined` when the agent gave none. The text of its message is no answer (rule R4). */
  readonly status: TaskStatus | undefined;
}

const OUTCOMES: Readonly<Record<TaskState, TurnEnd['outcome']>> = {
  submitted: 'interrupted',
  working: 'interrupted',
  unknown: 'interrupted',
  'input-required': 'paused',
  'auth-required': 'paused',
  completed: 'completed',
  failed: 'failed',
  canceled: 'failed',
  rejected: 'failed',
};
const TERMINAL: readonly TaskState[] = ['completed', 'failed', 'canceled', 'rejected'];
const NOTHING: readonly SpokenEvent[] = Object.freeze([]);

/** One turn, folded from an agent's events in the order of their arrival. */
export class TurnFold {
  readonly #said = new SaidTexts();
  #taskId: string | undefined;
  #contextId: string | undefined;
  #status: TaskStatus | undefined;
  /** There is a task, so a message is not the whole turn (rule R10). */
  #hasTask = false;
  #hasMessage = false;

  /** What it tells that was not told before. */
  apply(event: StreamEvent): readonly SpokenEvent[] {
    switch (event.kind) {
      case 'artifact-update':
        return this.#isOurs(event.taskId, event.contextId)
          ? this.#applyArtifact(event.artifact, event.append)
          : NOTHING;
      case 'status-update':
        if (this.#isOurs(event.taskId, event.contextId)) this.#applyStatus(event.status);
        return NOTHING;
      case 'task':
        return this.#isOurs(event.task.id, event.task.contextId) ? this.#applyTask(event.task) : NOTHING;
      case 'message':
        return this.#applyMessage(event.message);
    }
  }

  get overLimit(): boolean {
    return this.#said.overLimit;
  }

  end(): TurnEnd {
    return {
      type: 'end',
      outcome: this.#outcome(),
      answer: this.#said.answer(),
      taskId: this.#taskId,
      contextId: this.#contextId,
      status: this.#status,
    };
  }

  #outcome(): TurnEnd['outcome'] {
    if (this.overLimit) return 'too-large';
    if (this.#hasMessage) return 'completed';
    return OUTCOMES[this.#status?.state ?? 'unknown'];
  }

  get #ended(): boolean {
    return this.#status !== undefined && TERMINAL.includes(this.#status.state);
  }

  #applyArtifact({ artifactId, parts }: Artifact, append: boolean): readonly SpokenEvent[] {
    // A task that has ended says no more (case C062); a whole task may still fill in what the stream lost.
    if (this.#ended) return NOTHING;
    const spoken = spokenRuns(parts);
    return append ? this.#said.append(artifactId, spoken) : this.#said.meet(artifactId, spoken, false);
  }

  #applyTask({ status, artifacts }: Task): readonly SpokenEvent[] {
    this.#applyStatus(status);
    const events: SpokenEvent[] = [];
    for (const [artifactId, parts] of partsById(artifacts)) {
      for (const event of this.#said.meet(artifactId, spokenRuns(parts), true)) events.push(event);
    }
    return events;
  }

  /** A terminal state is not taken back; what it says of itself may come later. */
  #applyStatus(status: TaskStatus): void {
    const adds = status.state === this.#status?.state && this.#status.message === undefined;
    if (!this.#ended || adds) this.#status = status;
  }

  /** The first bare message is the turn (rule R10, decision 9). Whoever leaves the role out is the agent that we called. */
  #applyMessage(message: Message): readonly SpokenEvent[] {
    const { role, roleText, taskId, contextId, parts } = message;
    const isOfAgent = role === 'agent' || (role === 'unknown' && roleText === '');
    if (!isOfAgent || taskId !== undefined || this.#hasTask || this.#hasMessage) return NOTHING;
    this.#hasMessage = true;
    this.#contextId = contextId;
    return this.#said.append('', spokenRuns(parts));
  }

  /** `false`: it is of another task, or comes after the message that was the whole turn. */
  #isOurs(taskId: string | undefined, contextId: string | undefined): boolean {
    if (this.#hasMessage) return false;
    if (taskId !== undefined && this.#taskId !== undefined && taskId !== this.#taskId) return false;
    this.#taskId ??= taskId;
    this.#contextId ??= contextId;
    this.#hasTask = true;
    return true;
  }
}

/** Entries of one artifact that stand apart in a snapshot are one artifact (case C083). */
function partsById(artifacts: readonly Artifact[]): Iterable<readonly [string, Artifact['parts']]> {
  const byId = new Map<string, Artifact['parts'][number][]>();
  for (const { artifactId, parts } of artifacts) {
    const known = byId.get(artifactId);
    if (known === undefined) byId.set(artifactId, [...parts]);
    else for (const part of parts) known.push(part);
  }
  return byId;
}
