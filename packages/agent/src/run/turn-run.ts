import { AgentFailure } from '../agent/agent-failure.ts';
import type { Caller, Decision, ToolCall } from '../agent/interrupts.ts';
import { isReasoning, type MessagePart, type Piece, toChange } from '../agent/pieces.ts';
import type { Turn } from '../agent/turn.ts';
import type { LiveTask } from '../task/live-task.ts';
import type { JournalEntry, Json } from '../task/task-record.ts';
import { type AskForm, judgeForm } from './ask-message.ts';
import { DoneOnce } from './done-once.ts';
import { toJson } from './to-json.ts';

/** What a run asks of whoever keeps the tasks. */
export interface RunHost {
  /** Pauses the task with a question, and resolves with the answer. */
  ask(task: LiveTask, name: string, form: AskForm): Promise<Json>;
  /** Stores what the task has noted. */
  keep(task: LiveTask): Promise<void>;
  /** Shows what is being done. */
  progress(task: LiveTask, text: string): void;
  memory(task: LiveTask): Promise<Json | undefined>;
  includeReasoning(): boolean;
}

/** The first message of a task, as its turn sees it. */
export interface TurnMessage {
  readonly messageId: string;
  readonly text: string;
  readonly parts: readonly MessagePart[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

const NONE: readonly never[] = [];

/**
 * One run of a turn on a task. A run that begins on a task with a journal is a repetition: until it has passed the last
 * question of the journal it writes nothing, since that is written, and its questions return what was answered.
 */
export class TurnRun implements Turn {
  readonly #task: LiveTask;
  readonly #host: RunHost;
  readonly #message: TurnMessage;
  readonly caller: Caller;
  /** Questions and answers of earlier runs that are still ahead of this one. */
  #ahead: readonly Exclude<JournalEntry, { kind: 'once' }>[] = NONE;
  /** Made when something is done once: a turn that waits keeps what it has. */
  #done: DoneOnce | undefined;
  #asked = 0;
  /** Questions that are not answered yet, of this run. */
  #open = 0;
  #calls = 0;
  /** One question at a time: each waits for the one before. */
  #lastAsk: Promise<unknown> | undefined;

  constructor(task: LiveTask, message: TurnMessage, host: RunHost) {
    this.#task = task;
    this.#message = message;
    this.#host = host;
    this.caller = { id: task.owner };
    if (task.journal.length === 0) return;
    this.#ahead = task.journal.filter((entry) => entry.kind !== 'once');
    this.#done = new DoneOnce(task.journal);
  }

  get text(): string {
    return this.#message.text;
  }

  get parts(): readonly MessagePart[] {
    return this.#message.parts;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.#message.metadata;
  }

  get messageId(): string {
    return this.#message.messageId;
  }

  get contextId(): string {
    return this.#task.contextId;
  }

  get taskId(): string {
    return this.#task.id;
  }

  get signal(): AbortSignal {
    return this.#task.signal;
  }

  get #repeating(): boolean {
    return this.#ahead.length > 0;
  }

  put(piece: Piece): void {
    if (this.#repeating || !this.#task.writable) return;
    if (!this.#host.includeReasoning() && isReasoning(piece)) return;
    this.#task.write(toChange(piece, this.#task.kept));
    // Nothing else stores what is written beside an open question before its answer comes.
    if (this.#task.paused) this.keep().catch(() => undefined);
  }

  /** Stores what the turn has written. */
  keep(): Promise<void> {
    return this.#host.keep(this.#task);
  }

  // A turn takes these off its argument; each is made when it is asked for, since a turn that waits keeps what it has.

  get write(): Turn['write'] {
    return (piece) => this.put(piece);
  }

  get ask(): Turn['ask'] {
    return (text) => this.#kept(async () => (await this.#ask({ kind: 'text', text })) as string);
  }

  get askForAuth(): Turn['askForAuth'] {
    return (text) => this.#kept(async () => (await this.#ask({ kind: 'auth', text })) as string);
  }

  get askForm(): Turn['askForm'] {
    return (questions, hint) => {
      const form: AskForm = { kind: 'questions', questions, ...(hint === undefined ? {} : { hint }) };
      return this.#kept(async () => (await this.#ask(form)) as readonly (readonly string[])[]);
    };
  }

  get approve(): Turn['approve'] {
    return (call, hint) =>
      this.#kept(async () => {
        const decisions = await this.#decide(Array.isArray(call) ? call : [call as ToolCall], hint);
        return decisions.every(({ approved }) => approved);
      });
  }

  get decide(): Turn['decide'] {
    return (calls, hint) => this.#kept(() => this.#decide(calls, hint));
  }

  async #decide(calls: readonly ToolCall[], hint: string | undefined): Promise<readonly Decision[]> {
    const tools = calls.map(({ id, name, args }) => ({ id: id ?? this.#nextId('approval'), name, args }));
    const form: AskForm = { kind: 'approval', tools, ...(hint === undefined ? {} : { hint }) };
    return (await this.#ask(form)) as unknown as readonly Decision[];
  }

  get once(): Turn['once'] {
    return <T>(key: string, work: () => T | Promise<T>): Promise<T> =>
      this.#kept(async () => (await this.#once(key, work)) as T);
  }

  get tool(): Turn['tool'] {
    return <T extends Readonly<Record<string, unknown>>>(call: ToolCall, work: () => T | Promise<T>): Promise<T> =>
      this.#kept(async () => (await this.#tool(call, work)) as unknown as T);
  }

  async #tool(call: ToolCall, work: () => unknown): Promise<Json> {
    const id = call.id ?? this.#nextId('call');
    const key = `tool:${id}`;
    if (this.#done?.has(key)) return this.#once(key, work);
    this.put({ call: { id, name: call.name, args: call.args } });
    try {
      const response = await this.#once(key, work);
      this.put({ result: { id, name: call.name, response: response as Readonly<Record<string, unknown>> } });
      return response;
    } catch (error) {
      // What a tool threw is for the agent's author; the person sees that the step failed.
      this.put({ result: { id, name: call.name, response: { error: 'The tool failed.' } } });
      throw error;
    }
  }

  #once(key: string, work: () => unknown): Promise<Json> {
    this.#done ??= new DoneOnce([]);
    return this.#done.do(key, work, async (entry) => {
      this.signal.throwIfAborted();
      this.#task.note(entry);
      await this.keep();
    });
  }

  /**
   * A promise that a turn may let go of. When its task is over nobody may be left who waits for it, and a rejection that
   * nobody handles would end the process, with all other tasks.
   */
  #kept<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    work().then(resolve, (error) => {
      if (this.#task.closing || this.#task.aborted) promise.catch(() => undefined);
      reject(error);
    });
    return promise;
  }

  get progress(): Turn['progress'] {
    return (text: string): void => {
      // Beside an open question the task waits, whatever else is done.
      if (this.#open > 0 || this.#repeating || !this.#task.writable) return;
      this.#host.progress(this.#task, text);
    };
  }

  get recall(): Turn['recall'] {
    return async <T>(): Promise<T | undefined> => {
      return (await this.#host.memory(this.#task)) as T | undefined;
    };
  }

  get remember(): Turn['remember'] {
    return (value: unknown): void => {
      if (this.#task.writable) this.#task.remember(toJson(value));
    };
  }

  async #ask(form: AskForm): Promise<Json> {
    judgeForm(form);
    this.#open += 1;
    const answer = (this.#lastAsk ?? Promise.resolve()).then(() => this.#askNow(toJson(form) as unknown as AskForm));
    this.#lastAsk = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      this.#open -= 1;
    }
  }

  async #askNow(form: AskForm): Promise<Json> {
    this.signal.throwIfAborted();
    this.#asked += 1;
    const name = `${this.#task.id}-ask-${this.#asked}`;
    const [asked, answered, ...ahead] = this.#ahead;
    if (asked === undefined) return this.#host.ask(this.#task, name, form);
    this.#ahead = ahead;
    const same = asked.kind === 'ask' && JSON.stringify(asked.form) === JSON.stringify(form);
    if (same && answered?.kind === 'answer') return answered.value;
    throw new AgentFailure(
      { code: 'turn-not-repeatable' },
      {
        cause: new Error(
          `question ${this.#asked} is not the one that was asked before the restart: put what differs into once()`,
        ),
      },
    );
  }

  #nextId(what: string): string {
    this.#calls += 1;
    return `${this.#task.id}-${what}-${this.#calls}`;
  }
}
