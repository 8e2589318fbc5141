/** The part of the A2A 1.0 JSON that a served agent speaks. Nothing here leaves this package. */
export type WireState =
  | 'TASK_STATE_SUBMITTED'
  | 'TASK_STATE_WORKING'
  | 'TASK_STATE_COMPLETED'
  | 'TASK_STATE_FAILED'
  | 'TASK_STATE_CANCELED';

export type WirePart =
  | { text: string }
  | { readonly data: unknown; readonly metadata: { readonly adk_type: 'function_call' | 'function_response' } };

export interface WireArtifact {
  readonly artifactId: string;
  readonly parts: WirePart[];
}

/** A user's message as it came, with the ids that it was given. */
export type WireMessage = Readonly<Record<string, unknown>> & { readonly messageId: string };

export interface WireStatus {
  readonly state: WireState;
  readonly timestamp: string;
  readonly message?: Readonly<Record<string, unknown>>;
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
}
