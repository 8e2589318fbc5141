import { AgentFailure, publicText } from './agent-failure.ts';
import { AGENT_LIMITS } from './limits.ts';
import type { Piece } from './turn.ts';
import type { WireArtifact, WireMessage, WirePart, WireState, WireStatus, WireTask } from './wire.ts';

const ANSWER = 'answer';

/** Whoever follows a task. Neither call may throw. */
export interface Watcher {
  /** The JSON of one stream result, made once for all watchers. */
  readonly frame: (result: string) => void;
  /** The task has ended; it is the last call. */
  readonly ended: () => void;
}

/** What a task needs from its store: the time, and a number that grows with every change of a status. */
export interface TaskClock {
  /** Milliseconds since the epoch. */
  now(): number;
  nextSequence(): number;
}

export interface TaskBirth {
  readonly id: string;
  readonly contextId: string;
  readonly message: WireMessage;
  readonly clock: TaskClock;
  readonly onEnded: (task: LiveTask) => void;
}

/** When a status began: `sequence` orders what `at` cannot, since many begin in one millisecond. */
export interface Stamp {
  readonly sequence: number;
  readonly at: number;
}

/**
 * One task, from its message to its end. A chunk costs what the chunk is long: text is added to the last text part in
 * place, and nothing is copied before somebody asks for the whole. An ended task does not change again (case C062).
 */
export class LiveTask {
  readonly id: string;
  readonly contextId: string;
  readonly message: WireMessage;
  readonly abort = new AbortController();
  readonly #clock: TaskClock;
  readonly #onEnded: (task: LiveTask) => void;
  readonly #watchers = new Set<Watcher>();
  readonly #artifacts = new Map<string, WireArtifact>();
  readonly #stamps: Stamp[] = [];
  #status: WireStatus;
  #characters = 0;

  constructor(birth: TaskBirth) {
    this.id = birth.id;
    this.contextId = birth.contextId;
    this.message = birth.message;
    this.#clock = birth.clock;
    this.#onEnded = birth.onEnded;
    this.#status = this.#enter('TASK_STATE_SUBMITTED');
  }

  get state(): WireState {
    return this.#status.state;
  }

  get ended(): boolean {
    return this.state !== 'TASK_STATE_SUBMITTED' && this.state !== 'TASK_STATE_WORKING';
  }

  /** How much the turn has yielded, as it is kept. */
  get characters(): number {
    return this.#characters;
  }

  /** The latest status that had begun when `sequence` was given out; `undefined` when the task is younger. */
  stampAsOf(sequence: number): Stamp | undefined {
    return this.#stamps.findLast((stamp) => stamp.sequence <= sequence);
  }

  /** Adds a watcher; the function returned takes it away. The caller reads the snapshot in the same breath. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  work(): void {
    if (this.ended) return;
    this.#status = this.#enter('TASK_STATE_WORKING');
    this.#publishStatus();
  }

  /** Adds what the turn yielded. Throws when it is no piece, is no JSON, or is over a limit: the turn's failure. */
  add(piece: Piece): void {
    if (this.ended) return;
    const { artifactId, part } = toPart(piece);
    this.#characters += 'text' in part ? part.text.length : JSON.stringify(part).length;
    const artifact = this.#artifacts.get(artifactId);
    if (artifact === undefined) this.#artifacts.set(artifactId, { artifactId, parts: [{ ...part }] });
    else addPart(artifact.parts, part);
    if (this.#characters > AGENT_LIMITS.outputCharacters || this.#artifacts.size > AGENT_LIMITS.artifacts) {
      throw new AgentFailure({ code: 'output-too-large' });
    }
    if (this.#watchers.size === 0) return;
    const update = { artifact: { artifactId, parts: [part] }, append: artifact !== undefined };
    this.#publish({ artifactUpdate: { taskId: this.id, contextId: this.contextId, ...update } });
  }

  complete(): void {
    this.#end('TASK_STATE_COMPLETED');
  }

  cancel(): void {
    this.#end('TASK_STATE_CANCELED');
  }

  fail(failure: AgentFailure | undefined): void {
    const { code, category } = failure ?? {};
    const metadata = {
      ...(code === undefined ? {} : { code }),
      ...(category === undefined ? {} : { error_code: category }),
    };
    this.#end('TASK_STATE_FAILED', {
      messageId: `${this.id}-failed`,
      taskId: this.id,
      contextId: this.contextId,
      role: 'ROLE_AGENT',
      parts: [{ text: publicText(category) }],
      metadata,
    });
  }

  /** The task as it stands. Shares its parts with the task, so print it at once. */
  snapshot(options: { historyLength?: number | undefined; artifacts?: boolean } = {}): WireTask {
    const { historyLength = 1, artifacts = true } = options;
    return {
      id: this.id,
      contextId: this.contextId,
      status: this.#status,
      ...(artifacts ? { artifacts: [...this.#artifacts.values()] } : {}),
      ...(historyLength > 0 ? { history: [this.message] } : {}),
    };
  }

  #end(state: WireState, message?: Readonly<Record<string, unknown>>): void {
    if (this.ended) return;
    this.#status = this.#enter(state, message);
    this.#publishStatus();
    this.#onEnded(this);
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const watcher of watchers) watcher.ended();
    this.abort.abort();
  }

  #enter(state: WireState, message?: Readonly<Record<string, unknown>>): WireStatus {
    const at = this.#clock.now();
    this.#stamps.push({ sequence: this.#clock.nextSequence(), at });
    return { state, timestamp: new Date(at).toISOString(), ...(message === undefined ? {} : { message }) };
  }

  #publishStatus(): void {
    this.#publish({ statusUpdate: { taskId: this.id, contextId: this.contextId, status: this.#status } });
  }

  #publish(result: Readonly<Record<string, unknown>>): void {
    if (this.#watchers.size === 0) return;
    const frame = JSON.stringify(result);
    for (const watcher of this.#watchers) watcher.frame(frame);
  }
}

function addPart(parts: WirePart[], part: WirePart): void {
  const last = parts.at(-1);
  if (last !== undefined && 'text' in last && 'text' in part) last.text += part.text;
  else parts.push({ ...part });
}

function toPart(piece: Piece): { artifactId: string; part: WirePart } {
  if (typeof piece === 'string') return { artifactId: ANSWER, part: { text: piece } };
  if (typeof piece === 'object' && piece !== null) {
    if ('text' in piece && typeof piece.text === 'string') {
      return { artifactId: piece.artifactId ?? ANSWER, part: { text: piece.text } };
    }
    if ('call' in piece) return { artifactId: ANSWER, part: toolPart(piece.call, 'function_call') };
    if ('result' in piece) return { artifactId: ANSWER, part: toolPart(piece.result, 'function_response') };
  }
  throw new TypeError('a turn yields a string, { text }, { call } or { result }');
}

/** The data is taken as JSON at once: the turn may change its own objects later. */
function toolPart(data: object, type: 'function_call' | 'function_response'): WirePart {
  return { data: JSON.parse(JSON.stringify(data)), metadata: { adk_type: type } };
}
