import { AgentFailure } from '../agent/agent-failure.ts';
import type { Caller, Decision, Question, ToolCall } from '../agent/interrupts.ts';
import { isReasoning, type MessagePart, type Piece, toChange } from '../agent/pieces.ts';
import type { Turn } from '../agent/turn.ts';
import type { LiveTask } from '../task/live-task.ts';
import type { JournalEntry, Json } from '../task/task-record.ts';
import type { AskForm } from './ask-message.ts';

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
  readonly #ahead: Exclude<JournalEntry, { kind: 'once' }>[];
  #done: Map<string, Json> | undefined;
  #asked = 0;
  #calls = 0;
  /** One question at a time: each waits for the one before. */
  #lastAsk: Promise<unknown> | undefined;

  constructor(task: LiveTask, message: TurnMessage, host: RunHost) {
    this.#task = task;
    this.#message = message;
    this.#host = host;
    this.caller = { id: task.owner };
    this.#ahead = task.journal.filter((entry) => entry.kind !== 'once');
    for (const entry of task.journal) if (entry.kind === 'once') this.#results().set(entry.key, entry.value);
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

  write = (piece: Piece): void => {
    if (this.#repeating || !this.#task.writable) return;
    if (!this.#host.includeReasoning() && isReasoning(piece)) return;
    this.#task.write(toChange(piece, this.#task.kept));
  };

  // A turn takes these off its argument; each is made when it is asked for, since a turn that waits keeps what it has.

  get ask(): Turn['ask'] {
    return async (question: string): Promise<string> => {
      if (typeof question !== 'string' || question.trim() === '') throw new TypeError('a question needs words');
      return (await this.#ask({ kind: 'text', text: question })) as string;
    };
  }

  get askForAuth(): Turn['askForAuth'] {
    return async (instruction: string): Promise<string> => {
      return (await this.#ask({ kind: 'auth', text: instruction })) as string;
    };
  }

  get askForm(): Turn['askForm'] {
    return async (questions: readonly Question[], hint?: string): Promise<readonly (readonly string[])[]> => {
      const form: AskForm = { kind: 'questions', questions, ...(hint === undefined ? {} : { hint }) };
      return (await this.#ask(form)) as readonly (readonly string[])[];
    };
  }

  get approve(): Turn['approve'] {
    return async (call: ToolCall | readonly ToolCall[], hint?: string): Promise<boolean> => {
      const decisions = await this.decide(Array.isArray(call) ? call : [call as ToolCall], hint);
      return decisions.every(({ approved }) => approved);
    };
  }

  get decide(): Turn['decide'] {
    return async (calls: readonly ToolCall[], hint?: string): Promise<readonly Decision[]> => {
      const tools = calls.map(({ id, name, args }) => ({ id: id ?? this.#nextId('approval'), name, args }));
      const form: AskForm = { kind: 'approval', tools, ...(hint === undefined ? {} : { hint }) };
      return (await this.#ask(form)) as unknown as readonly Decision[];
    };
  }

  get once(): Turn['once'] {
    return async <T>(key: string, work: () => T | Promise<T>): Promise<T> => {
      if (this.#done?.has(key)) return this.#done.get(key) as T;
      const value = toJson(await work());
      this.signal.throwIfAborted();
      this.#results().set(key, value);
      this.#task.note({ kind: 'once', key, value });
      await this.#host.keep(this.#task);
      return value as T;
    };
  }

  get tool(): Turn['tool'] {
    return async <T extends Readonly<Record<string, unknown>>>(
      call: ToolCall,
      work: () => T | Promise<T>,
    ): Promise<T> => {
      const id = call.id ?? this.#nextId('call');
      const key = `tool:${id}`;
      if (this.#done?.has(key)) return this.#done.get(key) as T;
      this.write({ call: { id, name: call.name, args: call.args } });
      try {
        const response = await this.once(key, work);
        this.write({ result: { id, name: call.name, response } });
        return response;
      } catch (error) {
        // What a tool threw is for the agent's author; the person sees that the step failed.
        this.write({ result: { id, name: call.name, response: { error: 'The tool failed.' } } });
        throw error;
      }
    };
  }

  get progress(): Turn['progress'] {
    return (text: string): void => {
      if (!this.#repeating && this.#task.writable) this.#host.progress(this.#task, text);
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

  #results(): Map<string, Json> {
    this.#done ??= new Map();
    return this.#done;
  }

  #ask(form: AskForm): Promise<Json> {
    const answer = (this.#lastAsk ?? Promise.resolve()).then(() => this.#askNow(toJson(form) as unknown as AskForm));
    this.#lastAsk = answer.catch(() => undefined);
    return answer;
  }

  async #askNow(form: AskForm): Promise<Json> {
    this.signal.throwIfAborted();
    this.#asked += 1;
    const name = `${this.#task.id}-ask-${this.#asked}`;
    const asked = this.#ahead.shift();
    if (asked === undefined) return this.#host.ask(this.#task, name, form);
    const answered = this.#ahead.shift();
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

/** Taken as JSON at once: it comes back so from a store, and the turn may change its own objects later. */
function toJson(value: unknown): Json {
  const json = JSON.stringify(value);
  return json === undefined ? null : (JSON.parse(json) as Json);
}
