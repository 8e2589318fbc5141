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

export type NoticeCode =
  | 'no-output'
  | 'task-failed'
  | 'task-rejected'
  | 'task-canceled'
  | 'context-lost'
  | 'session-gone'
  | 'unreachable'
  | 'card-refused'
  | 'credentials-rejected'
  | 'identity-refused'
  | 'busy'
  | 'request-failed'
  | 'pause-unusable'
  | 'limit-exceeded'
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
export type Entry = MessageEntry | AnswerEntry | StepEntry | NoticeEntry;

/**
 * `waiting` while a request is open, `running` while a task or a send is under way, `queued` while turns wait
 * behind a back-off, else `idle`.
 */
export type ThreadStatus = 'idle' | 'queued' | 'running' | 'waiting';
