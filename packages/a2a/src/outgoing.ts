import type { JsonObject } from './json-value.ts';

/** One part of an outgoing message before either version's spelling. `raw` is base64. */
export type OutgoingPart =
  | { readonly text: string; readonly metadata?: JsonObject }
  | { readonly data: unknown; readonly metadata?: JsonObject }
  | (OutgoingFile & ({ readonly url: string } | { readonly raw: string }));

interface OutgoingFile {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

/** A user's message before either version's spelling. */
export interface OutgoingMessage {
  readonly messageId: string;
  readonly parts: readonly OutgoingPart[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly referenceTaskIds?: readonly string[];
  readonly extensions?: readonly string[];
  readonly metadata?: JsonObject;
}

/** How a message is to be answered; what is not set is left to the agent. */
export interface SendSettings {
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  /** Answer with the task as it is now. Otherwise the answer waits for the task to end or to pause. */
  readonly returnImmediately?: boolean;
  readonly pushNotificationConfig?: OutgoingPushConfig;
  /** Of the request, not of the message. */
  readonly metadata?: JsonObject;
}

export interface OutgoingPushConfig {
  readonly url: string;
  readonly id?: string;
  readonly token?: string;
  /** How the agent authenticates when it calls `url`: an HTTP scheme (`Bearer`) and what comes after it. */
  readonly authentication?: { readonly scheme: string; readonly credentials?: string };
}

/** A JSON-RPC method with its params, as one version spells them. */
export interface OutgoingCall {
  readonly method: string;
  readonly params: JsonObject;
}

/** The same call in the HTTP+JSON binding. `path` stands below the interface's URL and begins with a slash. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** What some servers take in its place. */
  readonly otherMethod?: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject | undefined;
}

export interface ListQuery {
  readonly contextId?: string;
  /** As the wire spells it. */
  readonly status?: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly historyLength?: number;
  /** ISO 8601: tasks whose status is as new or newer. */
  readonly statusTimestampAfter?: string;
  readonly includeArtifacts?: boolean;
}

export interface PageQuery {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

/** The calls of one version of the wire. */
export interface Encoder {
  /** The value of the A2A-Version header, Major.Minor (case C139). */
  readonly version: '1.0' | '0.3';
  /** 0.3 servers read the X- name, newer ones of that version the other: both are sent (decision 10, case C116). */
  readonly extensionHeaders: readonly string[];
  /** SendStreamingMessage. */
  send(message: OutgoingMessage, settings?: SendSettings): OutgoingCall;
  /** SendMessage. */
  sendOnce(message: OutgoingMessage, settings?: SendSettings): OutgoingCall;
  subscribe(taskId: string): OutgoingCall;
  getTask(taskId: string, historyLength?: number): OutgoingCall;
  cancelTask(taskId: string, metadata?: JsonObject): OutgoingCall;
  /** `undefined`: this version has no such method. */
  listTasks(query: ListQuery): OutgoingCall | undefined;
  createPushConfig(taskId: string, config: OutgoingPushConfig): OutgoingCall;
  getPushConfig(taskId: string, configId: string): OutgoingCall;
  listPushConfigs(taskId: string, page: PageQuery): OutgoingCall;
  deletePushConfig(taskId: string, configId: string): OutgoingCall;
  extendedCard(): OutgoingCall;
  /** The same call in the HTTP+JSON binding. */
  rest(call: OutgoingCall): RestCall;
  /** A result of the HTTP+JSON binding as the JSON-RPC one spells it. */
  fromRest(value: unknown): unknown;
}

/** The members of a message that both versions spell alike; what is not set is left out. */
export function commonMembers(message: OutgoingMessage): JsonObject {
  const { messageId, contextId, taskId, referenceTaskIds, extensions, metadata } = message;
  return {
    messageId,
    ...(contextId === undefined ? {} : { contextId }),
    ...(taskId === undefined ? {} : { taskId }),
    ...(referenceTaskIds === undefined || referenceTaskIds.length === 0 ? {} : { referenceTaskIds }),
    ...(extensions === undefined || extensions.length === 0 ? {} : { extensions }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The members that are set. */
export function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The scalar members as a query string has them. */
export function asQuery(params: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(present(params)).map(([name, value]) => [name, String(value)]));
}
