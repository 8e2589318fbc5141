/** What the HTTP interface says, in the console's own words: the console is a client like any other. */

export interface Actor {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

export interface MessageEntry {
  readonly id: string;
  readonly kind: 'message';
  /** Absent on a message that is kept as context and starts no turn. */
  readonly turnId?: string;
  /** Absent on a turn that a trigger started. */
  readonly actor?: Actor;
  readonly text: string;
  /** RFC 3339. */
  readonly at: string;
}

export interface AnswerEntry {
  readonly id: string;
  readonly kind: 'answer';
  readonly turnId: string;
  readonly text: string;
  readonly streaming: boolean;
}

export interface StepEntry {
  readonly id: string;
  readonly kind: 'step';
  readonly turnId: string;
  readonly callId?: string;
  readonly name: string;
  readonly args?: unknown;
  readonly state: 'running' | 'done' | 'failed';
  readonly result?: unknown;
}

export interface NoticeEntry {
  readonly id: string;
  readonly kind: 'notice';
  readonly turnId: string;
  readonly code: string;
  readonly category?: string;
  readonly text: string;
}

export interface Question {
  readonly question: string;
  /** Empty: free text. */
  readonly choices: readonly string[];
  readonly multiple: boolean;
}

export interface RequestedTool {
  readonly id: string;
  readonly name: string;
  readonly args?: unknown;
}

/** For each question, in their order: its choices, or one text. */
export type Answers = readonly (readonly string[])[];

export interface Approval {
  /** The tool's. */
  readonly id: string;
  readonly approved: boolean;
}

export interface RequestEntry {
  readonly id: string;
  readonly kind: 'request';
  readonly turnId: string;
  readonly type: 'text' | 'questions' | 'tool-approval';
  readonly state: 'open' | 'answered' | 'expired' | 'canceled' | 'failed';
  readonly heading: string;
  /** Of a `text` request: one, without choices. */
  readonly questions: readonly Question[];
  readonly tools: readonly RequestedTool[];
  /** Who may decide, by id; absent: anyone. */
  readonly approvers?: readonly string[];
  /** RFC 3339: when it expires. */
  readonly until: string;
  readonly answer?: { readonly actor: Actor; readonly answers: Answers; readonly approvals: readonly Approval[] };
}

/** What a person gives to a request: the one or the other. */
export type Given = { readonly answers: Answers } | { readonly approvals: readonly Approval[] };

/** A decision on record, as far as this page reads it. */
export interface AuditRecord {
  /** The id of the request's entry. */
  readonly request: string;
  /** RFC 3339. */
  readonly at: string;
}

export type Entry = MessageEntry | AnswerEntry | StepEntry | NoticeEntry | RequestEntry;

export type ThreadStatus = 'idle' | 'queued' | 'running' | 'waiting';

export interface Timeline {
  readonly id: string;
  readonly binding: string;
  readonly status: ThreadStatus;
  /** In the order in which they began. */
  readonly entries: readonly Entry[];
}

export interface Binding {
  readonly name: string;
  readonly backend?: string | null;
  readonly platform?: string;
  /** `null` while the agent's card has not been read. */
  readonly agent: {
    readonly name: string;
    readonly description?: string;
    readonly version?: string;
    readonly protocolVersion?: string;
  } | null;
}
