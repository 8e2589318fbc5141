import { type JsonObject, textOf } from '../json-value.ts';
import { asQuery, type OutgoingCall, type RestCall } from '../outgoing.ts';

/**
 * A call of A2A 1.0 in the HTTP+JSON binding (specification, 11.3). Ids are one path segment each; a tenant is the first.
 * `:subscribe` is a POST: the specification's text says so, its protocol buffers say GET, and servers take either or both.
 */
export function rest({ method, params }: OutgoingCall): RestCall {
  const { tenant, ...rest } = params;
  const call = routed(method, rest);
  const prefix = textOf(tenant) ? `/${encodeURIComponent(String(tenant))}` : '';
  return { ...call, path: prefix + call.path };
}

function routed(method: string, params: JsonObject): RestCall {
  const { id, taskId, ...others } = params;
  const task = `/tasks/${segment(id)}`;
  const configs = `/tasks/${segment(taskId)}/pushNotificationConfigs`;
  switch (method) {
    case 'SendMessage':
      return post('/message:send', params);
    case 'SendStreamingMessage':
      return post('/message:stream', params);
    case 'GetTask':
      return get(task, others);
    case 'ListTasks':
      return get('/tasks', params);
    case 'CancelTask':
      return post(`${task}:cancel`, others);
    case 'SubscribeToTask':
      return { ...post(`${task}:subscribe`), otherMethod: 'GET' };
    case 'CreateTaskPushNotificationConfig':
      return post(configs, params);
    case 'GetTaskPushNotificationConfig':
      return get(`${configs}/${segment(id)}`);
    case 'ListTaskPushNotificationConfigs':
      return get(configs, others);
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: `${configs}/${segment(id)}`, query: {}, body: undefined };
    default:
      return get('/extendedAgentCard');
  }
}

const segment = (id: unknown): string => encodeURIComponent(String(id));

const get = (path: string, query: JsonObject = {}): RestCall => ({
  method: 'GET',
  path,
  query: asQuery(query),
  body: undefined,
});

const post = (path: string, body?: JsonObject): RestCall => ({ method: 'POST', path, query: {}, body });
