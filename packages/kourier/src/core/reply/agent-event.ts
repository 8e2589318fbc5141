import type { ContextId, MessageId, TaskId } from '../thread/ids.ts';

/**
 * What an agent says, in the core's own words. The adapters make these from either version of the wire; nothing here
 * is a wire type. Ids are absent when the agent left them out or sent an empty one.
 */
export type AgentEvent = TaskEvent | StatusEvent | ArtifactEvent | MessageEvent;

/** The agent's word for where a task stands. `unknown` is any state that we have no word for. */
export type TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  | 'unknown';

export interface TaskEvent {
  readonly kind: 'task';
  readonly task: TaskSnapshot;
}

export interface StatusEvent {
  readonly kind: 'status';
  readonly taskId?: TaskId;
  readonly contextId?: ContextId;
  readonly status: Status;
  /** A2A 0.3 marks the last update of a stream so; it is what makes an unknown state a terminal one (rule Q1). */
  readonly final: boolean;
}

export interface ArtifactEvent {
  readonly kind: 'artifact';
  readonly taskId?: TaskId;
  readonly contextId?: ContextId;
  /** `true` adds to the artifact, anything else replaces it (rule R12). */
  readonly append: boolean;
  readonly artifact: Artifact;
}

/** A bare message: the whole turn when nothing named a task (rule R10). */
export interface MessageEvent {
  readonly kind: 'message';
  readonly message: AgentMessage;
}

export interface Status {
  readonly state: TaskState;
  readonly message?: AgentMessage;
  /** As the agent wrote it. */
  readonly timestamp?: string;
  /** Metadata of the update, the status message and the task, where a failure's code may stand (rule E8). */
  readonly codes: readonly string[];
}

export interface Artifact {
  readonly artifactId: string;
  readonly parts: readonly Part[];
}

export interface AgentMessage {
  readonly messageId?: MessageId;
  readonly role: 'agent' | 'user';
  readonly taskId?: TaskId;
  readonly contextId?: ContextId;
  readonly parts: readonly Part[];
  readonly extensions: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** `other` is a part that is never shown: a file, or something we do not know. */
export type Part =
  | { readonly kind: 'text'; readonly text: string; readonly thought: boolean }
  | { readonly kind: 'data'; readonly data: unknown; readonly metadata?: Readonly<Record<string, unknown>> }
  | { readonly kind: 'other' };

/** A whole task, from GetTask, CancelTask, a subscription's first frame, or a `task` frame of a stream. */
export interface TaskSnapshot {
  readonly id?: TaskId;
  readonly contextId?: ContextId;
  readonly status: Status;
  readonly artifacts: readonly Artifact[];
  readonly history: readonly AgentMessage[];
}
