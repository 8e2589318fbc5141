import type { JsonObject } from '../json-value.ts';
import {
  commonMembers,
  type Encoder,
  type OutgoingMessage,
  type OutgoingPart,
  type OutgoingPushConfig,
  present,
  type SendSettings,
} from '../outgoing.ts';
import { fromRest } from './from-rest.ts';
import { rest } from './rest.ts';

/** A2A 0.3: every object has its `kind` (case C071), methods are paths, and there is no list of tasks. */
export const ENCODER_0_3: Encoder = {
  version: '0.3',
  extensionHeaders: ['a2a-extensions', 'x-a2a-extensions'],
  send: (message, settings = {}) => ({ method: 'message/stream', params: sendParams(message, settings) }),
  sendOnce: (message, settings = {}) => ({
    method: 'message/send',
    // Servers differ in what they do when it is not said.
    params: sendParams(message, settings, settings.returnImmediately !== true),
  }),
  subscribe: (id) => ({ method: 'tasks/resubscribe', params: { id } }),
  getTask: (id, historyLength) => ({ method: 'tasks/get', params: present({ id, historyLength }) }),
  cancelTask: (id, metadata) => ({ method: 'tasks/cancel', params: present({ id, metadata }) }),
  listTasks: () => undefined,
  createPushConfig: (taskId, config) => ({
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId, pushNotificationConfig: pushConfig(config) },
  }),
  getPushConfig: (id, pushNotificationConfigId) => ({
    method: 'tasks/pushNotificationConfig/get',
    params: { id, pushNotificationConfigId },
  }),
  listPushConfigs: (id) => ({ method: 'tasks/pushNotificationConfig/list', params: { id } }),
  deletePushConfig: (id, pushNotificationConfigId) => ({
    method: 'tasks/pushNotificationConfig/delete',
    params: { id, pushNotificationConfigId },
  }),
  extendedCard: () => ({ method: 'agent/getAuthenticatedExtendedCard', params: {} }),
  rest,
  fromRest,
};

function sendParams(message: OutgoingMessage, settings: SendSettings, blocking?: boolean): JsonObject {
  const { acceptedOutputModes, historyLength, pushNotificationConfig, metadata } = settings;
  const configuration = present({
    acceptedOutputModes,
    historyLength,
    blocking,
    pushNotificationConfig: pushNotificationConfig && pushConfig(pushNotificationConfig),
  });
  return present({
    message: { kind: 'message', ...commonMembers(message), role: 'user', parts: message.parts.map(wirePart) },
    configuration: Object.keys(configuration).length > 0 ? configuration : undefined,
    metadata,
  });
}

function wirePart(part: OutgoingPart): JsonObject {
  const { metadata } = part;
  if ('text' in part) return present({ kind: 'text', text: part.text, metadata });
  if ('data' in part) return present({ kind: 'data', data: part.data, metadata });
  const { mediaType: mimeType, filename: name } = part;
  const content = 'url' in part ? { uri: part.url } : { bytes: part.raw };
  return present({ kind: 'file', file: present({ ...content, mimeType, name }), metadata });
}

function pushConfig({ authentication, ...config }: OutgoingPushConfig): JsonObject {
  if (authentication === undefined) return { ...config };
  const { scheme, credentials } = authentication;
  return { ...config, authentication: present({ schemes: [scheme], credentials }) };
}
