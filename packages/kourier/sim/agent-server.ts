import type { AgentMessage, TaskState } from '../src/core/reply/agent-event.ts';
import type { ContextId, MessageId, TaskId } from '../src/core/thread/ids.ts';
import type { Failure, Lookup, Outgoing, TaskRead } from '../src/ports/agent.ts';
import { drawPlan, type Plan } from './agent-plan.ts';
import { AgentTask, type Pipe, textPart } from './agent-task.ts';
import { AGENTS_OF_SPACE } from './bindings.ts';
import type { Mark } from './marks.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';
import type { AgentTraits } from './swarm.ts';

/** A message that the agent took and acted on. */
export interface Run {
  readonly agent: string;
  readonly message: Outgoing;
  readonly contextId: ContextId;
  /** Absent: it was answered without a task. */
  readonly task?: AgentTask;
  /** The text of a bare message. */
  readonly said?: string;
}

/** A small and honest agent: contexts, tasks, and what its traits say that it does wrong. Nothing here crashes. */
export class AgentServer {
  readonly name: string;
  readonly runs: Run[] = [];
  readonly #setting: Setting;
  readonly #index: number;
  readonly #chances: Prng;
  readonly #tasks = new Map<TaskId, AgentTask>();
  readonly #contexts = new Set<ContextId>();
  readonly #known = new Map<MessageId, { readonly run: Run; readonly plan: Plan }>();
  readonly #ran: (run: Run) => void;
  readonly #answered: (message: Outgoing, task: TaskId) => void;

  constructor(
    setting: Setting,
    name: string,
    index: number,
    told: { ran: (run: Run) => void; answered: (message: Outgoing, task: TaskId) => void },
  ) {
    this.#setting = setting;
    this.name = name;
    this.#index = index;
    this.#chances = setting.chances(`agent ${name}`);
    this.#ran = told.ran;
    this.#answered = told.answered;
  }

  /** Every task that still occupies its context. */
  openTasks(): readonly AgentTask[] {
    return [...this.#tasks.values()].filter(({ open }) => open);
  }

  task(id: TaskId): AgentTask | undefined {
    return this.#tasks.get(id);
  }

  send(message: Outgoing, pipe: Pipe): void {
    const refused = this.#refusal(message.taskId !== undefined);
    if (refused) return pipe.fail(refused);
    if (message.taskId !== undefined) return this.#answer(message.taskId, message, pipe);
    const known = this.#known.get(message.messageId);
    if (known) this.#mark('agent-resent');
    const failsAfter = this.#happens('failing5xx', 'agent-failed-after-effect');
    const target = failsAfter ? NOWHERE : pipe;
    if (known && this.#traits().dedupes) this.#replay(known.run, known.plan, target);
    else this.#run(message, target);
    if (failsAfter) pipe.fail({ kind: 'unknown', why: '500 after the effect' });
  }

  subscribe(id: TaskId, pipe: Pipe): void {
    const { subscribe } = this.#traits();
    if (subscribe === 'unsupported') return pipe.fail({ kind: 'unsupported', why: '-32601' });
    const task = this.#remembered(id);
    const ended = task && !task.running && subscribe === 'not-when-ended';
    if (ended) this.#mark('agent-not-found-when-ended');
    if (!task || ended) return pipe.fail({ kind: 'not-found', why: '-32001' });
    this.#mark('agent-subscribed');
    task.watch(pipe);
  }

  getTask(id: TaskId): TaskRead {
    const trouble = this.#trouble();
    if (trouble) return trouble;
    const task = this.#remembered(id);
    return task ? { kind: 'task', task: task.snapshot() } : { kind: 'not-found', why: '-32001' };
  }

  cancelTask(id: TaskId): TaskRead {
    const { cancel } = this.#traits();
    if (cancel === 'unsupported') return { kind: 'unsupported', why: '-32601' };
    const task = this.#tasks.get(id);
    if (!task) return { kind: 'not-found', why: '-32001' };
    task.cancelAsked = true;
    if (!task.open || cancel === 'refused') {
      this.#mark('agent-cancel-refused');
      return { kind: 'not-cancelable', why: '-32002' };
    }
    if (cancel === 'failing') return { kind: 'unknown', why: '500' };
    this.#mark('agent-canceled');
    if (cancel === 'slow') this.#setting.scheduler.after(this.#chances.between(0, 3_000), () => task.end('canceled'));
    else task.end('canceled');
    return { kind: 'task', task: task.snapshot() };
  }

  findTurn(contextId: ContextId, messageId: MessageId): Lookup {
    const { list } = this.#traits();
    if (list === 'unsupported') return { kind: 'unsupported', why: '-32601' };
    const trouble = this.#trouble();
    if (trouble) return trouble;
    if (list === 'absent' || list === 'without-history') return { kind: 'absent' };
    for (const task of this.#tasks.values()) {
      if (task.contextId !== contextId || !task.holds(messageId)) continue;
      this.#mark('agent-found');
      return { kind: 'found', taskId: task.id };
    }
    return { kind: 'absent' };
  }

  #traits(): AgentTraits {
    const traits = this.#setting.swarm.agents[this.#index];
    if (!traits) throw new Error(`no traits for agent ${this.name}`);
    return traits;
  }

  #mark(mark: Mark): void {
    this.#setting.mark(mark);
  }

  #happens(trait: 'busy' | 'refusing' | 'rejecting' | 'credentials' | 'failing5xx' | 'forgets', mark: Mark): boolean {
    if (!this.#chances.chance(this.#traits()[trait])) return false;
    this.#mark(mark);
    return true;
  }

  /** Before anything was done. */
  #refusal(isAnswer: boolean): Failure | undefined {
    if (this.#happens('busy', 'agent-busy')) {
      return this.#chances.chance(0.5)
        ? { kind: 'busy', why: '-32004' }
        : { kind: 'busy', retryAfterMs: 700, why: '-32004' };
    }
    if (this.#happens('refusing', 'agent-refused')) return { kind: 'not-sent', why: '404' };
    if (this.#happens('rejecting', 'agent-rejected')) {
      if (isAnswer) return { kind: 'unknown', code: -32603, why: '-32603' };
      return { kind: 'rejected', code: -32602, why: '-32602' };
    }
    return this.#shutOut('401');
  }

  #trouble(): Failure | undefined {
    if (this.#happens('failing5xx', 'agent-failed-after-effect')) return { kind: 'unknown', why: '503' };
    return this.#shutOut('403');
  }

  /** By the agent, or, where a Space has it, by that. */
  #shutOut(why: string): Failure | undefined {
    const isInSpace = AGENTS_OF_SPACE.some((name) => name === this.name);
    if (!this.#happens('credentials', isInSpace ? 'agent-blocked' : 'agent-credentials')) return undefined;
    if (!isInSpace) return { kind: 'credentials', why };
    return { kind: 'blocked', reason: 'disabled', agent: this.name, why: '409' };
  }

  #remembered(id: TaskId): AgentTask | undefined {
    if (this.#tasks.has(id) && this.#happens('forgets', 'agent-forgot-task')) {
      this.#tasks.get(id)?.end('failed');
      this.#tasks.delete(id);
    }
    return this.#tasks.get(id);
  }

  #answer(id: TaskId, message: Outgoing, pipe: Pipe): void {
    const failsAfter = this.#happens('failing5xx', 'agent-failed-after-effect');
    const task = this.#remembered(id);
    if (!task) return pipe.fail({ kind: 'not-found', why: '-32001' });
    const taken = task.answer(message, failsAfter ? NOWHERE : pipe);
    this.#mark(taken === 'taken' ? 'agent-answer-taken' : 'agent-answer-again');
    this.#setting.trace.note(this.name, `${id} is answered by ${message.messageId} "${message.text}": ${taken}`);
    if (taken === 'taken') this.#answered(message, id);
    if (failsAfter) pipe.fail({ kind: 'unknown', why: '500 after the effect' });
  }

  #run(message: Outgoing, pipe: Pipe): void {
    const nth = this.runs.length + 1;
    const plan = drawPlan(this.#chances, this.#traits(), `${this.name}${nth}`);
    const contextId = this.#contextFor(message, nth);
    const task = plan.kind === 'task' ? this.#newTask(message, contextId, nth, plan) : undefined;
    const said = plan.kind === 'message' ? { said: plan.text } : {};
    const run: Run = { agent: this.name, message, contextId, ...(task ? { task } : {}), ...said };
    if (this.#known.has(message.messageId)) this.#mark('agent-ran-twice');
    this.runs.push(run);
    this.#known.set(message.messageId, { run, plan });
    this.#ran(run);
    this.#setting.trace.note(this.name, `runs ${message.messageId} as ${plan.kind} ${task?.id ?? ''} in ${contextId}`);
    if (task) task.begin(pipe);
    else this.#reply(run, plan, pipe);
  }

  #newTask(message: Outgoing, contextId: ContextId, nth: number, plan: Extract<Plan, { kind: 'task' }>): AgentTask {
    const id = `${this.name}-task-${nth}` as TaskId;
    const task = new AgentTask(this.#setting, () => this.#traits(), this.#chances, { id, contextId, message, plan });
    this.#tasks.set(id, task);
    return task;
  }

  #contextFor({ contextId }: Outgoing, nth: number): ContextId {
    if (contextId !== undefined && this.#contexts.has(contextId)) {
      if (this.#chances.chance(this.#traits().keepsContext)) return contextId;
      this.#mark('agent-changed-context');
    }
    const fresh = `${this.name}-context-${nth}` as ContextId;
    this.#contexts.add(fresh);
    return fresh;
  }

  #replay(run: Run, plan: Plan, pipe: Pipe): void {
    if (run.task) return run.task.watch(pipe);
    this.#reply(run, plan, pipe);
  }

  #reply({ contextId }: Run, plan: Plan, pipe: Pipe): void {
    switch (plan.kind) {
      case 'message': {
        this.#mark('agent-message');
        const parts = plan.text === '' ? [] : [textPart(plan.text)];
        const message: AgentMessage = { role: 'agent', contextId, parts, extensions: [] };
        pipe.event({ kind: 'message', message: { ...message, role: 'user' } });
        pipe.event({ kind: 'message', message });
        return pipe.close();
      }
      case 'nameless': {
        this.#mark('agent-nameless');
        const working: TaskState = 'working';
        pipe.event({ kind: 'status', status: { state: working, codes: [] }, final: false });
        pipe.event({ kind: 'artifact', append: false, artifact: { artifactId: 'a', parts: [textPart(plan.text)] } });
        return pipe.close();
      }
      default:
        this.#mark('agent-nothing');
        return pipe.close();
    }
  }
}

const NOWHERE: Pipe = { event() {}, close() {}, fail() {} };
