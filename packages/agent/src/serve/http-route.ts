import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { RpcRequest } from './request.ts';

/** An operation of A2A 1.0 with what the path says of it. */
export interface Route extends RpcRequest {
  readonly takesBody: boolean;
}

/** The operation behind a method and a path. */
export function routeOf(method: string, path: string): Route | undefined {
  const post = (name: string, params: JsonObject = {}): Route => ({ method: name, params, takesBody: true });
  const plain = (name: string, params: JsonObject = {}): Route => ({ method: name, params, takesBody: false });
  const [first = '', id = '', more, configId, rest] = path.slice(1).split('/').map(decode);
  if (rest !== undefined || !path.startsWith('/')) return undefined;
  if (more === undefined) {
    if (id === '') return topRoute(method, first, post, plain);
    if (first !== 'tasks') return undefined;
    const [taskId = '', verb] = splitVerb(id);
    if (verb === undefined) return method === 'GET' ? plain('GetTask', { id: taskId }) : undefined;
    if (verb === 'cancel' && method === 'POST') return plain('CancelTask', { id: taskId });
    // POST in the specification's text, GET in its proto.
    const subscribes = verb === 'subscribe' && (method === 'GET' || method === 'POST');
    return subscribes ? plain('SubscribeToTask', { id: taskId }) : undefined;
  }
  if (first !== 'tasks' || more !== 'pushNotificationConfigs') return undefined;
  if (configId === undefined) {
    if (method === 'POST') return post('CreateTaskPushNotificationConfig', { taskId: id });
    return method === 'GET' ? plain('ListTaskPushNotificationConfigs', { taskId: id }) : undefined;
  }
  if (method === 'GET') return plain('GetTaskPushNotificationConfig', { taskId: id, id: configId });
  return method === 'DELETE' ? plain('DeleteTaskPushNotificationConfig', { taskId: id, id: configId }) : undefined;
}

type Make = (name: string, params?: JsonObject) => Route;

function topRoute(method: string, path: string, post: Make, plain: Make): Route | undefined {
  switch (`${method} ${path}`) {
    case 'POST message:send':
      return post('SendMessage');
    case 'POST message:stream':
      return post('SendStreamingMessage');
    case 'GET tasks':
      return plain('ListTasks');
    case 'GET extendedAgentCard':
      return plain('GetExtendedAgentCard');
    default:
      return undefined;
  }
}

function splitVerb(id: string): [string, string?] {
  const colon = id.lastIndexOf(':');
  if (colon === -1) return [id];
  const verb = id.slice(colon + 1);
  return verb === 'cancel' || verb === 'subscribe' ? [id.slice(0, colon), verb] : [id];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
