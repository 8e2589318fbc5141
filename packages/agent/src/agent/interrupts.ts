/** Whoever called the agent. */
export interface Caller {
  /** Whose tasks these are: a caller sees the tasks of its id, and no others (case C110). */
  readonly id: string;
}

export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Unique within the task; made up unless given. */
  readonly id?: string;
}

export interface Question {
  readonly question: string;
  /** None: free text. */
  readonly choices?: readonly string[];
  /** Whether several choices may be taken. */
  readonly multiple?: boolean;
}

export interface Decision {
  readonly approved: boolean;
  /** Why not, where the person or the caller said so. */
  readonly reason?: string;
}
