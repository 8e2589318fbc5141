import { randomUUID } from 'node:crypto';
import type { Operation } from '../../src/space/gateway/operations.ts';
import type { Answered, SpaceCaller } from './space-caller.ts';

/** What a call is about. */
export interface Subject {
  readonly taskId: string;
  readonly contextId: string;
}

interface Named {
  readonly rpc: Readonly<Record<'1.0' | '0.3', string>>;
  readonly params: (about: Subject, version: '1.0' | '0.3') => object;
  readonly rest: readonly [method: string, path: string];
}

const text = (version: '1.0' | '0.3') => (version === '1.0' ? { text: 'hi' } : { kind: 'text', text: 'hi' });

const messageFor = ({ taskId, contextId }: Subject, version: '1.0' | '0.3') => ({
  message: {
    ...(version === '1.0' ? { role: 'ROLE_USER' } : { kind: 'message', role: 'user' }),
    ...{ messageId: randomUUID(), parts: [text(version)], taskId, contextId },
  },
});

const byId = ({ taskId }: Subject) => ({ id: taskId });
const pushOf = ({ taskId }: Subject, version: '1.0' | '0.3') =>
  version === '1.0' ? { taskId, id: 'p' } : { id: taskId, pushNotificationConfigId: 'p' };
const pushMade = ({ taskId }: Subject) => ({
  ...{ taskId, id: 'p', url: 'https://hook.example' },
  pushNotificationConfig: { url: 'https://hook.example' },
});
const PUSH = '/tasks/TASK/pushNotificationConfigs';

/** Every operation of A2A as each wire says it. One that is added has to be here. */
export const OPERATIONS: Readonly<Record<Operation, Named>> = {
  SendMessage: {
    rpc: { '1.0': 'SendMessage', '0.3': 'message/send' },
    params: messageFor,
    rest: ['POST', '/message:send'],
  },
  SendStreamingMessage: {
    rpc: { '1.0': 'SendStreamingMessage', '0.3': 'message/stream' },
    params: messageFor,
    rest: ['POST', '/message:stream'],
  },
  GetTask: { rpc: { '1.0': 'GetTask', '0.3': 'tasks/get' }, params: byId, rest: ['GET', '/tasks/TASK'] },
  ListTasks: { rpc: { '1.0': 'ListTasks', '0.3': 'tasks/list' }, params: () => ({}), rest: ['GET', '/tasks'] },
  CancelTask: {
    rpc: { '1.0': 'CancelTask', '0.3': 'tasks/cancel' },
    params: byId,
    rest: ['POST', '/tasks/TASK:cancel'],
  },
  SubscribeToTask: {
    rpc: { '1.0': 'SubscribeToTask', '0.3': 'tasks/resubscribe' },
    params: byId,
    rest: ['POST', '/tasks/TASK:subscribe'],
  },
  CreateTaskPushNotificationConfig: {
    rpc: { '1.0': 'CreateTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/set' },
    params: pushMade,
    rest: ['POST', PUSH],
  },
  GetTaskPushNotificationConfig: {
    rpc: { '1.0': 'GetTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/get' },
    params: pushOf,
    rest: ['GET', `${PUSH}/p`],
  },
  ListTaskPushNotificationConfigs: {
    rpc: { '1.0': 'ListTaskPushNotificationConfigs', '0.3': 'tasks/pushNotificationConfig/list' },
    params: pushOf,
    rest: ['GET', PUSH],
  },
  DeleteTaskPushNotificationConfig: {
    rpc: { '1.0': 'DeleteTaskPushNotificationConfig', '0.3': 'tasks/pushNotificationConfig/delete' },
    params: pushOf,
    rest: ['DELETE', `${PUSH}/p`],
  },
  GetExtendedAgentCard: {
    rpc: { '1.0': 'GetExtendedAgentCard', '0.3': 'agent/getAuthenticatedExtendedCard' },
    params: () => ({}),
    rest: ['GET', '/extendedAgentCard'],
  },
};

export const WIRES = ['JSON-RPC 1.0', 'JSON-RPC 0.3', 'HTTP+JSON 1.0', 'HTTP+JSON 0.3'] as const;
export type WireName = (typeof WIRES)[number];

export const versionOf = (wire: WireName) => (wire.endsWith('1.0') ? '1.0' : '0.3');

/** One call of an agent of a Space, over one of the wires. */
export function callOver(
  wire: WireName,
  caller: SpaceCaller,
  place: { readonly space: string; readonly agent: string },
  { operation, about }: { readonly operation: Operation; readonly about: Subject },
): Promise<Answered> {
  const version = versionOf(wire);
  const { rpc, params, rest } = OPERATIONS[operation];
  const base = `/spaces/${place.space}/agents/${place.agent}`;
  const headers = version === '1.0' ? { 'a2a-version': '1.0' } : {};
  const given = params(about, version);
  if (wire.startsWith('JSON-RPC')) {
    return caller.ask('POST', base, { headers, body: { jsonrpc: '2.0', id: 1, method: rpc[version], params: given } });
  }
  const [method, path] = rest;
  const body = method === 'POST' ? { body: given } : {};
  return caller.ask(method, `${base}/a2a/v1${path.replace('TASK', about.taskId)}`, { headers, ...body });
}
