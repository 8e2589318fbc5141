import type { JsonObject } from './json-value.ts';

/** A user's message before either version's spelling: text parts only, which is all that a courier sends (rule S1). */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly text: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}

/** A JSON-RPC method with its params, as one version spells them. */
export interface OutgoingCall {
  readonly method: string;
  readonly params: JsonObject;
}

export interface ListQuery {
  readonly contextId: string;
  readonly historyLength: number;
  readonly includeArtifacts: boolean;
  readonly pageToken?: string;
}

/** The calls of one version of the wire. */
export interface Encoder {
  /** The value of the A2A-Version header, Major.Minor (case C139). */
  readonly version: '1.0' | '0.3';
  /** SendStreamingMessage. */
  send(message: OutgoingMessage): OutgoingCall;
  subscribe(taskId: string): OutgoingCall;
  getTask(taskId: string): OutgoingCall;
  cancelTask(taskId: string): OutgoingCall;
  /** `undefined`: this version has no such method. */
  listTasks(query: ListQuery): OutgoingCall | undefined;
}

/** The members of a message that both versions spell alike; what is not set is left out. */
export function commonMembers({ messageId, contextId, taskId, extensions, metadata }: OutgoingMessage): JsonObject {
  return {
    messageId,
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(extensions === undefined || extensions.length === 0 ? {} : { extensions }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
