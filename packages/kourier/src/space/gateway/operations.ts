import type { WireVersion } from '@agentkourier/a2a/wire-version';

/** The operations of A2A, by their names of 1.0. */
export type Operation =
  | 'SendMessage'
  | 'SendStreamingMessage'
  | 'GetTask'
  | 'ListTasks'
  | 'CancelTask'
  | 'SubscribeToTask'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard';

interface Meaning {
  readonly operation: Operation;
  readonly version: WireVersion;
}

/** The methods of JSON-RPC: none is in both versions, so that the name tells which is spoken. */
const METHODS: ReadonlyMap<string, Meaning> = new Map([
  ...named('1.0', {
    SendMessage: 'SendMessage',
    SendStreamingMessage: 'SendStreamingMessage',
    GetTask: 'GetTask',
    ListTasks: 'ListTasks',
    CancelTask: 'CancelTask',
    SubscribeToTask: 'SubscribeToTask',
    CreateTaskPushNotificationConfig: 'CreateTaskPushNotificationConfig',
    GetTaskPushNotificationConfig: 'GetTaskPushNotificationConfig',
    ListTaskPushNotificationConfigs: 'ListTaskPushNotificationConfigs',
    DeleteTaskPushNotificationConfig: 'DeleteTaskPushNotificationConfig',
    GetExtendedAgentCard: 'GetExtendedAgentCard',
  }),
  ...named('0.3', {
    'message/send': 'SendMessage',
    'message/stream': 'SendStreamingMessage',
    'tasks/get': 'GetTask',
    // Of the contract's dialect of 0.3; the specification has no list.
    'tasks/list': 'ListTasks',
    'tasks/cancel': 'CancelTask',
    'tasks/resubscribe': 'SubscribeToTask',
    'tasks/pushNotificationConfig/set': 'CreateTaskPushNotificationConfig',
    'tasks/pushNotificationConfig/get': 'GetTaskPushNotificationConfig',
    'tasks/pushNotificationConfig/list': 'ListTaskPushNotificationConfigs',
    'tasks/pushNotificationConfig/delete': 'DeleteTaskPushNotificationConfig',
    'agent/getAuthenticatedExtendedCard': 'GetExtendedAgentCard',
  }),
]);

function named(version: WireVersion, names: Readonly<Record<string, Operation>>): [string, Meaning][] {
  return Object.entries(names).map(([name, operation]) => [name, { operation, version }]);
}

export const meaningOf = (method: string): Meaning | undefined => METHODS.get(method);

/** What a path below an HTTP+JSON interface asks for; ids are decoded. */
export interface RestMeaning {
  readonly operation: Operation;
  readonly taskId?: string;
  readonly takesBody: boolean;
}

const ROUTES: readonly (readonly [methods: string, path: RegExp, operation: Operation])[] = [
  ['POST', /^\/message:send$/, 'SendMessage'],
  ['POST', /^\/message:stream$/, 'SendStreamingMessage'],
  ['GET', /^\/tasks$/, 'ListTasks'],
  ['POST', /^\/tasks\/([^/]+):cancel$/, 'CancelTask'],
  // POST in the specification's text, GET in its protocol buffers.
  ['GET POST', /^\/tasks\/([^/]+):subscribe$/, 'SubscribeToTask'],
  ['GET', /^\/tasks\/([^/]+)$/, 'GetTask'],
  ['POST', /^\/tasks\/([^/]+)\/pushNotificationConfigs$/, 'CreateTaskPushNotificationConfig'],
  ['GET', /^\/tasks\/([^/]+)\/pushNotificationConfigs$/, 'ListTaskPushNotificationConfigs'],
  ['GET', /^\/tasks\/([^/]+)\/pushNotificationConfigs\/[^/]+$/, 'GetTaskPushNotificationConfig'],
  ['DELETE', /^\/tasks\/([^/]+)\/pushNotificationConfigs\/[^/]+$/, 'DeleteTaskPushNotificationConfig'],
  ['GET', /^\/(?:extendedAgentCard|card)$/, 'GetExtendedAgentCard'],
];

/** `undefined` for what is no operation, and for a path that a URL parser would read as another one. */
export function restMeaningOf(method: string, path: string): RestMeaning | undefined {
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return undefined;
  for (const [methods, pattern, operation] of ROUTES) {
    const match = methods.split(' ').includes(method) ? pattern.exec(path) : null;
    if (match === null) continue;
    const taskId = match[1] === undefined ? undefined : decoded(match[1]);
    if (match[1] !== undefined && taskId === undefined) return undefined;
    return { operation, takesBody: method === 'POST', ...(taskId === undefined ? {} : { taskId }) };
  }
  return undefined;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Of the others nothing is read but that they were asked for: webhooks would leave the gateway out, and the card is its own. */
export const isCarried = (operation: Operation): boolean =>
  operation !== 'GetExtendedAgentCard' && !operation.includes('PushNotification');

export const isStreaming = (operation: Operation): boolean =>
  operation === 'SendStreamingMessage' || operation === 'SubscribeToTask';

export const isSend = (operation: Operation): boolean =>
  operation === 'SendMessage' || operation === 'SendStreamingMessage';
