import { arrayOf, isObject, type JsonObject } from '../json-value.ts';
import { asQuery, type OutgoingCall, present, type RestCall } from '../outgoing.ts';

/**
 * A call of A2A 0.3 in the HTTP+JSON binding (specification 0.3, 3.5.3): paths below `/v1`, and bodies in the protocol
 * buffers' names, which are not those of the JSON-RPC binding.
 */
export function rest({ method, params }: OutgoingCall): RestCall {
  const { id, taskId, ...others } = params;
  const task = `/v1/tasks/${segment(id)}`;
  const config = `${task}/pushNotificationConfigs/${segment(params['pushNotificationConfigId'])}`;
  switch (method) {
    case 'message/send':
      return post('/v1/message:send', sendBody(params));
    case 'message/stream':
      return post('/v1/message:stream', sendBody(params));
    case 'tasks/get':
      return get(task, others);
    case 'tasks/cancel':
      return post(`${task}:cancel`, { name: `tasks/${id}` });
    case 'tasks/resubscribe':
      // A POST in the specification's text, a GET in its protocol buffers, and in what is in use.
      return { ...get(`${task}:subscribe`), otherMethod: 'POST' };
    case 'tasks/pushNotificationConfig/set':
      return post(`/v1/tasks/${segment(taskId)}/pushNotificationConfigs`, {
        name: `tasks/${taskId}/pushNotificationConfigs/${configId(params)}`,
        pushNotificationConfig: params['pushNotificationConfig'],
      });
    case 'tasks/pushNotificationConfig/get':
      return get(config);
    case 'tasks/pushNotificationConfig/list':
      return get(`${task}/pushNotificationConfigs`);
    case 'tasks/pushNotificationConfig/delete':
      return { method: 'DELETE', path: config, query: {}, body: undefined };
    default:
      return get('/v1/card');
  }
}

function sendBody({ message, configuration, metadata }: JsonObject): JsonObject {
  return present({
    message: isObject(message) ? protoMessage(message) : undefined,
    configuration: isObject(configuration) ? protoConfiguration(configuration) : undefined,
    metadata,
  });
}

function protoMessage({ kind: _, parts, ...message }: JsonObject): JsonObject {
  return { ...message, role: 'ROLE_USER', content: arrayOf(parts).filter(isObject).map(protoPart) };
}

function protoPart({ kind, metadata, ...part }: JsonObject): JsonObject {
  if (kind === 'data') return present({ data: { data: part['data'] }, metadata });
  const { file } = part;
  if (!isObject(file)) return present({ ...part, metadata });
  const { uri, bytes, mimeType, name } = file;
  return present({ file: present({ fileWithUri: uri, fileWithBytes: bytes, mimeType, name }), metadata });
}

function protoConfiguration({ pushNotificationConfig, ...configuration }: JsonObject): JsonObject {
  return present({ ...configuration, pushNotification: pushNotificationConfig });
}

function configId({ pushNotificationConfig }: JsonObject): string {
  const id = isObject(pushNotificationConfig) ? pushNotificationConfig['id'] : undefined;
  return typeof id === 'string' ? id : '';
}

const segment = (id: unknown): string => encodeURIComponent(String(id));

const get = (path: string, query: JsonObject = {}): RestCall => ({
  method: 'GET',
  path,
  query: asQuery(query),
  body: undefined,
});

const post = (path: string, body: JsonObject): RestCall => ({ method: 'POST', path, query: {}, body });
