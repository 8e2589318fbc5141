import type { JsonObject } from './json-value.ts';

/**
 * What an agent says, in one form for both versions: A2A 1.0's names, states and roles in their short spelling. Ids are
 * `undefined` when absent, `null` or empty. `source` is the object as it came, not a copy: unknown members stand there.
 */
export type StreamEvent = TaskEvent | StatusUpdate | ArtifactUpdate | MessageEvent;

export type TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected'
  /** Anything else; the word itself stands in `stateText`. */
  | 'unknown';

export type Role = 'user' | 'agent' | 'unknown';

export interface TaskEvent {
  readonly kind: 'task';
  readonly task: Task;
}

export interface MessageEvent {
  readonly kind: 'message';
  readonly message: Message;
}

export interface StatusUpdate {
  readonly kind: 'status-update';
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly status: TaskStatus;
  /** A2A 0.3's mark of the last update of a stream. */
  readonly final: boolean;
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface ArtifactUpdate {
  readonly kind: 'artifact-update';
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface Task {
  readonly id: string | undefined;
  readonly contextId: string | undefined;
  readonly status: TaskStatus;
  readonly artifacts: readonly Artifact[];
  readonly history: readonly Message[];
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface TaskStatus {
  readonly state: TaskState;
  /** As the agent wrote it; empty when there is none. */
  readonly stateText: string;
  readonly message: Message | undefined;
  readonly timestamp: string | undefined;
}

export interface Artifact {
  /** Empty when the agent gave none. */
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface Message {
  readonly messageId: string | undefined;
  readonly role: Role;
  /** As the agent wrote it; empty when there is none. */
  readonly roleText: string;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly parts: readonly Part[];
  readonly extensions: readonly string[];
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export type Part = TextPart | DataPart | FilePart | UnknownPart;

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface DataPart {
  readonly kind: 'data';
  readonly data: unknown;
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface FilePart {
  readonly kind: 'file';
  readonly url: string | undefined;
  /** Base64, as it came. */
  readonly raw: string | undefined;
  readonly mediaType: string | undefined;
  readonly filename: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}

export interface UnknownPart {
  readonly kind: 'unknown';
  readonly metadata: JsonObject | undefined;
  readonly source: JsonObject;
}
