import type { Caller, Decision, Question, ToolCall } from './interrupts.ts';
import type { MessagePart, Piece } from './pieces.ts';

/** One message of a person, to be answered. */
export interface Turn {
  /** The message's text parts, joined. */
  readonly text: string;
  /** All of its parts, in their order (rule P1). Other than text only where the skill's `inputModes` take it. */
  readonly parts: readonly MessagePart[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly messageId: string;
  /** The conversation: the same for every turn of a thread. */
  readonly contextId: string;
  readonly taskId: string;
  /** Who called, as the server's `authenticate` said; the id is empty where it asks nobody. */
  readonly caller: Caller;
  /** Aborts when the task is canceled or the server closes; what is written afterwards is dropped. */
  readonly signal: AbortSignal;

  /** What `yield` does, for a turn that is a plain function. Throws past a limit (AgentFailure `output-too-large`). */
  write(piece: Piece): void;

  /**
   * Asks the person and waits for the answer, for days if need be. The task pauses in `input-required`; when the agent
   * was restarted meanwhile, the turn runs again from its beginning, without writing what it has written, and each
   * question that was answered returns its answer at once. So what comes before a question must do the same each
   * time, or stand in `once`. Await it before anything else is asked or ended: a turn that ends takes its open question
   * back. Rejects with a TypeError for a question without words.
   */
  ask(question: string): Promise<string>;
  /** Several questions at once, or ones with choices; one list of answers for each, in their order. */
  askForm(questions: readonly Question[], hint?: string): Promise<readonly (readonly string[])[]>;
  /** Whether a person lets the agent call a tool, or all of several. */
  approve(call: ToolCall | readonly ToolCall[], hint?: string): Promise<boolean>;
  /** As `approve`, with a decision for each call, in their order. */
  decide(calls: readonly ToolCall[], hint?: string): Promise<readonly Decision[]>;
  /** Pauses in `auth-required` until the caller has done what the text says; returns what it wrote then. */
  askForAuth(instruction: string): Promise<string>;

  /**
   * Runs `work` once for this task and key, whatever is repeated around it, and returns its result as JSON. What it threw
   * is thrown again when the turn is repeated, as an Error of that name and message; to call it again in the same run
   * tries again. Rejects with an AgentFailure `journal-too-large` past a limit.
   */
  once<T>(key: string, work: () => T | Promise<T>): Promise<T>;
  /** A tool call, shown as a step: its call, then its result. Runs `work` once, as `once` does. */
  tool<T extends Readonly<Record<string, unknown>>>(call: ToolCall, work: () => T | Promise<T>): Promise<T>;
  /** Says what is being done, in the task's status; never part of the answer, and not beside an open question. */
  progress(text: string): void;

  /** What the agent remembers of this conversation, as JSON; `undefined` at first. Kept with the task's outcome. */
  recall<T>(): Promise<T | undefined>;
  /** Throws past a limit (AgentFailure `memory-too-large`). */
  remember(value: unknown): void;
}

/**
 * Answers one turn: an async generator that yields pieces, or a function whose result, if any, is one. Returning
 * completes the task; throwing fails it, with a constant text unless it is an `AgentFailure`. One turn of a context runs
 * at a time, and turns of different contexts run side by side.
 */
export type AnswerTurn = (turn: Turn) => AsyncIterable<Piece> | Promise<Piece | undefined> | Piece | undefined;

/** What a skill is called and what it takes, as the card shows it. */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
  /** Media types; the agent's unless given. */
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

export interface AgentSkill extends Skill {
  /** The agent's `turn` unless given. */
  readonly turn?: AnswerTurn;
}

export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** Of the agent, not of the protocol; `0.0.0` unless given. */
  readonly version?: string;
  /** One skill named after the agent unless given. */
  readonly skills?: readonly AgentSkill[];
  /** Answers what names no skill (`message.metadata.skillId`, rule P6). Required unless a skill has a turn. */
  readonly turn?: AnswerTurn;
  /** Media types that messages may carry; `text/plain` unless given. */
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
  /** Lists kagent's human-in-the-loop extension in the card: the agent asks for approvals, or with choices. */
  readonly humanInTheLoop?: boolean;
}
