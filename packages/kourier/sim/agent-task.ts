import type {
  AgentEvent,
  AgentMessage,
  Artifact,
  Part,
  Status,
  TaskSnapshot,
  TaskState,
} from '../src/core/reply/agent-event.ts';
import { isPaused, isRunning } from '../src/core/reply/task-state.ts';
import type { ContextId, MessageId, TaskId } from '../src/core/thread/ids.ts';
import type { Failure, Outgoing } from '../src/ports/agent.ts';
import type { Move, TaskPlan } from './agent-plan.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';
import type { AgentTraits } from './swarm.ts';

/** The server's end of a stream. After `close` or `fail` nothing more is sent. */
export interface Pipe {
  event(event: AgentEvent): void;
  close(): void;
  fail(failure: Failure): void;
}

/** A task as the agent has it: what it has said, where it stands, and who is listening. */
export class AgentTask {
  readonly id: TaskId;
  readonly contextId: ContextId;
  readonly message: Outgoing;
  state: TaskState = 'submitted';
  cancelAsked = false;
  /** What it was answered, by the number of the question. */
  readonly answered = new Map<number, Outgoing>();
  endedAtMs = Number.POSITIVE_INFINITY;
  readonly #setting: Setting;
  readonly #traits: () => AgentTraits;
  readonly #chances: Prng;
  readonly #plan: TaskPlan;
  readonly #artifacts = new Map<string, readonly Part[]>();
  /** The tool calls that it made, with how each ended. */
  readonly calls = new Map<string, 'running' | 'done' | 'failed'>();
  readonly #watchers = new Set<Pipe>();
  #asking: Extract<Move, { kind: 'ask' }> | undefined;
  #moved = 0;
  #changes = 0;

  constructor(
    setting: Setting,
    traits: () => AgentTraits,
    chances: Prng,
    task: { id: TaskId; contextId: ContextId; message: Outgoing; plan: TaskPlan },
  ) {
    this.#setting = setting;
    this.#traits = traits;
    this.#chances = chances;
    this.id = task.id;
    this.contextId = task.contextId;
    this.message = task.message;
    this.#plan = task.plan;
  }

  get running(): boolean {
    return isRunning(this.state);
  }

  /** It still occupies its context: it runs, or waits for its client. */
  get open(): boolean {
    return isOpen(this.state);
  }

  /** From when on its store shows its end. */
  get visibleAtMs(): number {
    return this.endedAtMs + this.#traits().lagMs;
  }

  /** The answer as it stands: what a thread must show when the task has ended. */
  text(): string {
    return [...this.#artifacts.values()]
      .map(textIn)
      .filter((text) => text !== '')
      .join('\n\n');
  }

  begin(pipe: Pipe): void {
    this.#watchers.add(pipe);
    if (this.#plan.first === 'task') this.#tell({ kind: 'task', task: this.snapshot() });
    if (this.#plan.first === 'status') this.#tellStatus('submitted', false);
    this.#goOn();
  }

  /** The task as it is, and what it says from now on. */
  watch(pipe: Pipe): void {
    pipe.event({ kind: 'task', task: this.snapshot() });
    if (this.open && this.running) this.#watchers.add(pipe);
    else pipe.close();
  }

  /** A person's answer. The same again changes nothing; without a question it is refused. */
  answer(message: Outgoing, pipe: Pipe): 'taken' | 'repeated' | 'refused' {
    const known = [...this.answered.values()].some(({ messageId }) => messageId === message.messageId);
    if (known && this.#traits().dedupes) {
      this.watch(pipe);
      return 'repeated';
    }
    const asking = this.#asking;
    if (!asking || this.state !== 'input-required') {
      pipe.fail({ kind: 'rejected', code: -32602, why: '-32602' });
      return 'refused';
    }
    this.answered.set(asking.number, message);
    this.#asking = undefined;
    this.state = 'working';
    this.#watchers.add(pipe);
    this.#tellStatus('working', false);
    this.#goOn();
    return 'taken';
  }

  unwatch(pipe: Pipe): void {
    this.#watchers.delete(pipe);
  }

  end(state: TaskState): void {
    if (!this.open) return;
    this.#settle(state);
    this.#tellEnd();
  }

  /** As GetTask shows it: behind the stream for `lagMs` after the end. */
  snapshot(): TaskSnapshot {
    const lags = this.#setting.scheduler.nowMs < this.visibleAtMs && !this.running;
    if (lags) this.#setting.mark('agent-lagged');
    const state = lags ? 'working' : this.state;
    const at = lags ? this.#changes - 1 : this.#changes;
    const { messageId, text } = this.message;
    const history: AgentMessage[] = [
      { messageId, role: 'user', parts: [textPart(text)], extensions: [], contextId: this.contextId, taskId: this.id },
    ];
    const artifacts = [...this.#artifacts].map(([id, whole]) => artifact(id, lags ? older(whole) : whole));
    return { id: this.id, contextId: this.contextId, status: this.#status(state, at), artifacts, history };
  }

  holds(messageId: MessageId): boolean {
    return this.message.messageId === messageId;
  }

  #goOn(): void {
    this.#setting.scheduler.after(this.#chances.between(0, 2 * this.#traits().paceMs), () => this.#move());
  }

  #move(): void {
    if (!this.running) return;
    const move = this.#plan.moves[this.#moved++];
    this.state = 'working';
    if (move?.kind === 'ask') return this.#ask(move);
    if (move) this.#make(move);
    else if (this.#plan.end === 'never') return this.#setting.mark('agent-stuck');
    else return this.end(this.#plan.end);
    if (this.#chances.chance(this.#traits().closesWhileWorking)) {
      this.#setting.mark('agent-closed-while-working');
      this.#closeAll();
    }
    this.#goOn();
  }

  #ask(move: Extract<Move, { kind: 'ask' }>): void {
    this.#setting.mark('agent-asked');
    this.#setting.trace.note(this.id, `asks for ${move.what} ${move.number}`);
    this.#asking = move;
    this.state = 'input-required';
    this.endedAtMs = this.#setting.scheduler.nowMs;
    this.#tellStatus('input-required', true);
    if (move.closes) this.#closeAll();
  }

  #make(move: Exclude<Move, { kind: 'ask' }>): void {
    const of = { taskId: this.id, contextId: this.contextId };
    switch (move.kind) {
      case 'artifact': {
        const before = this.#artifacts.get(move.artifactId);
        if (before !== undefined && !move.append) this.#setting.mark('agent-replaced-text');
        return this.#say(move.artifactId, textPart(move.text), move.append);
      }
      case 'call':
        this.#setting.mark('agent-called-tool');
        this.calls.set(move.callId, 'running');
        return this.#say('tools', toolPart('function_call', move.callId, { args: { of: this.id } }), true);
      case 'result': {
        const response = move.fails ? { error: 'no' } : { found: 1 };
        this.calls.set(move.callId, move.fails ? 'failed' : 'done');
        return this.#say('tools', toolPart('function_response', move.callId, { response }), true);
      }
      case 'snapshot':
        return this.#tell({ kind: 'task', task: this.snapshot() });
      case 'working':
        return this.#tellStatus('working', false);
      case 'foreign':
        this.#tell({
          kind: 'message',
          message: { role: 'agent', ...of, parts: [textPart('[aside]')], extensions: [] },
        });
        return this.#tell({
          ...{ kind: 'artifact', taskId: `${this.id}-other` as TaskId, append: false },
          artifact: artifact('a', [textPart('[of another task]')]),
        });
    }
  }

  #say(artifactId: string, part: Part, append: boolean): void {
    const before = append ? (this.#artifacts.get(artifactId) ?? []) : [];
    this.#artifacts.set(artifactId, [...before, part]);
    const of = { taskId: this.id, contextId: this.contextId };
    this.#tell({ kind: 'artifact', ...of, append, artifact: artifact(artifactId, [part]) });
  }

  #settle(state: TaskState): void {
    this.state = state;
    this.#changes++;
    this.endedAtMs = this.#setting.scheduler.nowMs;
    if (state === 'input-required' || state === 'auth-required') this.#setting.mark('agent-paused');
    this.#setting.trace.note(this.id, state);
  }

  #tellEnd(): void {
    const { ending } = this.#plan;
    const full: AgentEvent = { kind: 'task', task: { ...this.snapshot(), ...this.#whole() } };
    if (ending === 'task') this.#tell(full);
    else if (ending !== 'bare-close') this.#tellStatus(this.state, true);
    // What an agent says after the end is no part of the answer (case C062).
    const late = { kind: 'artifact', taskId: this.id, contextId: this.contextId, append: true } as const;
    if (ending === 'status-and-open' && !this.open)
      return this.#tell({ ...late, artifact: artifact('a', [textPart('[too late]')]) });
    if (ending === 'status-and-open') return;
    if (ending === 'status-then-task') this.#tell(full);
    this.#closeAll();
  }

  /** The stream is never behind. */
  #whole(): Pick<TaskSnapshot, 'status' | 'artifacts'> {
    const artifacts = [...this.#artifacts].map(([id, parts]) => artifact(id, parts));
    return { status: this.#status(this.state, this.#changes), artifacts };
  }

  #status(state: TaskState, at: number): Status {
    const asking = state === 'input-required' ? this.#asking : undefined;
    const speaks = this.#plan.statusText && (state === 'working' || !isOpen(state));
    const of = { role: 'agent', taskId: this.id, contextId: this.contextId, extensions: [] } as const;
    const message = asking ? { ...of, ...this.#question(asking) } : { ...of, parts: [textPart('[status text]')] };
    return { state, timestamp: String(at), codes: [], ...(asking || speaks ? { message } : {}) };
  }

  #question({
    what,
    number,
  }: Extract<Move, { kind: 'ask' }>): Pick<AgentMessage, 'messageId' | 'parts' | 'extensions' | 'metadata'> {
    const messageId = `${this.id}-ask-${number}` as MessageId;
    if (what === 'text') return { messageId, parts: [textPart(`Which ${number} of ${this.id}?`)], extensions: [] };
    const payload = { type: 'tool_approval_request', tools: [{ id: `tool-${number}`, name: 'erase', args: {} }] };
    return { messageId, parts: [], extensions: [HITL_URI], metadata: { [HITL_URI]: payload } };
  }

  #tellStatus(state: TaskState, final: boolean): void {
    this.#changes++;
    const status = this.#status(state, this.#changes);
    this.#tell({ kind: 'status', taskId: this.id, contextId: this.contextId, status, final });
  }

  #tell(event: AgentEvent): void {
    for (const pipe of [...this.#watchers]) pipe.event(event);
  }

  #closeAll(): void {
    const watchers = [...this.#watchers];
    this.#watchers.clear();
    for (const pipe of watchers) pipe.close();
  }
}

const HITL_URI = 'https://kagent.dev/extensions/hitl/v1';
const isOpen = (state: TaskState): boolean => isRunning(state) || isPaused(state);

export const textPart = (text: string): Part => ({ kind: 'text', text, thought: false });
const artifact = (artifactId: string, parts: readonly Part[]): Artifact => ({ artifactId, parts });
const textIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

function toolPart(type: 'function_call' | 'function_response', id: string, more: object): Part {
  return { kind: 'data', data: { id, name: 'look', ...more }, metadata: { adk_type: type } };
}

/** What an artifact was a while ago. */
function older(parts: readonly Part[]): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind !== 'text') return parts.slice(0, -1);
  return [...parts.slice(0, -1), textPart(last.text.slice(0, last.text.length / 2))];
}
