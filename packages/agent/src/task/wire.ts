/** The part of the A2A 1.0 JSON that a served agent speaks. Tasks are kept in it; version 0.3 is made from it. */
export type WireState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | PausedState
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED';

/** A task that waits for its caller (rule P2). */
export type PausedState = 'TASK_STATE_INPUT_REQUIRED' | 'TASK_STATE_AUTH_REQUIRED';

export type WireMetadata = Readonly<Record<string, unknown>>;

export type WirePart = { readonly metadata?: WireMetadata; readonly mediaType?: string; readonly filename?: string } & (
  | { readonly text: string }
  | { readonly data: unknown }
  | { readonly url: string }
  /** Base64. */
  | { readonly raw: string }
);

export interface WireArtifact {
  readonly artifactId: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly WirePart[];
  readonly metadata?: WireMetadata;
}

/** A message as it came, with the ids that it was given. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly messageId: string };

export interface WireStatus {
  readonly state: WireState;
  /** RFC 3339, in milliseconds. */
  readonly timestamp: string;
  readonly message?: WireMessage;
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
}

/** One event of a stream: exactly one member, as in the specification's StreamResponse. */
export type StreamResult =
  | { readonly task: WireTask }
  | { readonly statusUpdate: { readonly taskId: string; readonly contextId: string; readonly status: WireStatus } }
  | {
      readonly artifactUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly artifact: WireArtifact;
        readonly append: boolean;
        readonly lastChunk?: boolean;
      };
    };

export const isPaused = (state: WireState): state is PausedState =>
  state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';

export const isRunning = (state: WireState): boolean =>
  state === 'TASK_STATE_SUBMITTED' || state === 'TASK_STATE_WORKING';

/** Terminal: the task does not change again (rule P2). */
export const isEnded = (state: WireState): boolean => !isRunning(state) && !isPaused(state);
