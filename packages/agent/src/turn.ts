/** One message of a person, to be answered. */
export interface Turn {
  /** The message's text parts, joined. */
  readonly text: string;
  readonly messageId: string;
  /** The conversation: the same for every turn of a thread. Keep what was said before under it. */
  readonly contextId: string;
  readonly taskId: string;
  /** Aborts when the task is canceled or the server closes; what is yielded afterwards is dropped. */
  readonly signal: AbortSignal;
}

/** Text that is added to an artifact; `artifactId` is `answer` unless given. A plain string is the same as `{ text }`. */
export interface TextPiece {
  readonly text: string;
  readonly artifactId?: string;
}

/** A tool call, shown as a step: a data part of the answer marked `adk_type: function_call` (contract rule T1). */
export interface CallPiece {
  readonly call: { readonly id: string; readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

/** What a call returned. A non-empty `error` or `isError: true` in `response` makes it a failed step (rule T7). */
export interface ResultPiece {
  readonly result: { readonly id: string; readonly name: string; readonly response: Readonly<Record<string, unknown>> };
}

export type Piece = string | TextPiece | CallPiece | ResultPiece;

/**
 * Answers one turn. Ending completes the task; throwing fails it, with a constant text unless it is an `AgentFailure`.
 * One turn of a context runs at a time, and turns of different contexts run side by side.
 */
export type AnswerTurn = (turn: Turn) => AsyncIterable<Piece>;

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
}

export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  /** Of the agent, not of the protocol; `0.0.0` unless given. */
  readonly version?: string;
  /** One skill named after the agent unless given. */
  readonly skills?: readonly Skill[];
  readonly turn: AnswerTurn;
}
