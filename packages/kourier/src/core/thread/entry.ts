import type { EntryId, TurnId } from './ids.ts';

/** A person, as the chat platform knows them (rule S5). */
export interface Actor {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

/** What a person or a trigger wrote. Without `turnId` it is an aside: kept as context of the next turn. */
export interface MessageEntry {
  readonly kind: 'message';
  readonly id: EntryId;
  readonly turnId?: TurnId;
  /** Absent on a turn that a trigger started. */
  readonly actor?: Actor;
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

/** A piece of the agent's answer. The turn's answer is its answer entries' texts, concatenated. */
export interface AnswerEntry {
  readonly kind: 'answer';
  readonly id: EntryId;
  readonly turnId: TurnId;
  readonly text: string;
  readonly streaming: boolean;
}

/** A tool call and its result. */
export interface StepEntry {
  readonly kind: 'step';
  readonly id: EntryId;
  readonly turnId: TurnId;
  readonly callId?: string;
  readonly name: string;
  readonly args?: unknown;
  readonly state: 'running' | 'done' | 'failed';
  readonly result?: unknown;
}

export type RequestType = 'text' | 'questions' | 'tool-approval';

export interface Question {
  readonly question: string;
  /** Empty: free text. */
  readonly choices: readonly string[];
  readonly multiple: boolean;
}

/** A tool that waits for a decision, exactly as the agent sent it but for redacted secrets (rule Q7, Q14). */
export interface RequestedTool {
  readonly id: string;
  /** The tool call that waits, when the agent named it: its step waits for this decision. */
  readonly callId?: string;
  readonly name: string;
  readonly args?: unknown;
}

/** One answer for each question, in their order: the choices, or one free text. */
export type Answers = readonly (readonly string[])[];

export interface Approval {
  /** The tool's id. */
  readonly id: string;
  readonly approved: boolean;
}

/** A question or a tool approval that waits for a person. */
export interface RequestEntry {
  readonly kind: 'request';
  readonly id: EntryId;
  readonly turnId: TurnId;
  readonly type: RequestType;
  readonly state: 'open' | 'answered' | 'expired' | 'canceled' | 'failed';
  readonly heading: string;
  /** Of a `text` request: one, with the question's text and no choices. */
  readonly questions: readonly Question[];
  readonly tools: readonly RequestedTool[];
  /** Who may decide, by id; absent: anyone in the thread. */
  readonly approvers?: readonly string[];
  /** RFC 3339: when it expires. */
  readonly until: string;
  readonly answer?: { readonly actor: Actor; readonly answers: Answers; readonly approvals: readonly Approval[] };
}

export type NoticeCode =
  | 'no-output'
  | 'task-failed'
  | 'task-rejected'
  | 'task-canceled'
  | 'context-lost'
  | 'session-gone'
  | 'unreachable'
  | 'card-refused'
  | 'no-agent'
  | 'credentials-rejected'
  | 'identity-refused'
  | 'busy'
  | 'request-failed'
  | 'pause-unusable'
  | 'limit-exceeded'
  | 'question-not-allowed'
  | 'request-expired'
  | 'answer-rejected'
  | 'answer-the-prompt'
  | 'cancel-failed';

export type FailureCategory = 'context-limit' | 'rate-limit' | 'authentication' | 'timeout' | 'permission';

/** A line that the courier itself posts. */
export interface NoticeEntry {
  readonly kind: 'notice';
  readonly id: EntryId;
  readonly turnId: TurnId;
  readonly code: NoticeCode;
  readonly category?: FailureCategory;
  readonly text: string;
}

/** One line of a thread's timeline. Entries stand in the order in which they began. */
export type Entry = MessageEntry | AnswerEntry | StepEntry | NoticeEntry | RequestEntry;

/**
 * `waiting` while a request is open, `running` while a task or a send is under way, `queued` while turns wait
 * behind a back-off, else `idle`.
 */
export type ThreadStatus = 'idle' | 'queued' | 'running' | 'waiting';
