import { commonMembers, type Encoder, type OutgoingMessage, present, type SendSettings } from '../outgoing.ts';
import { rest } from './rest.ts';

/** A2A 1.0: ProtoJSON, no `kind`, enums in capitals. */
export const ENCODER_1_0: Encoder = {
  version: '1.0',
  extensionHeaders: ['a2a-extensions'],
  send: (message, settings = {}) => ({ method: 'SendStreamingMessage', params: sendParams(message, settings) }),
  sendOnce: (message, settings = {}) => ({ method: 'SendMessage', params: sendParams(message, settings) }),
  subscribe: (id) => ({ method: 'SubscribeToTask', params: { id } }),
  getTask: (id, historyLength) => ({ method: 'GetTask', params: present({ id, historyLength }) }),
  cancelTask: (id, metadata) => ({ method: 'CancelTask', params: present({ id, metadata }) }),
  listTasks: (query) => ({ method: 'ListTasks', params: present({ ...query }) }),
  createPushConfig: (taskId, config) => ({
    method: 'CreateTaskPushNotificationConfig',
    params: present({ taskId, ...config }),
  }),
  getPushConfig: (taskId, id) => ({ method: 'GetTaskPushNotificationConfig', params: { taskId, id } }),
  listPushConfigs: (taskId, page) => ({
    method: 'ListTaskPushNotificationConfigs',
    params: present({ taskId, ...page }),
  }),
  deletePushConfig: (taskId, id) => ({ method: 'DeleteTaskPushNotificationConfig', params: { taskId, id } }),
  extendedCard: () => ({ method: 'GetExtendedAgentCard', params: {} }),
  rest,
  fromRest: (value) => value,
};

function sendParams(message: OutgoingMessage, settings: SendSettings) {
  const { acceptedOutputModes, historyLength, returnImmediately, pushNotificationConfig, metadata } = settings;
  const configuration = present({
    acceptedOutputModes,
    historyLength,
    returnImmediately,
    taskPushNotificationConfig: pushNotificationConfig,
  });
  return present({
    // The members of a part are its spelling already.
    message: { ...commonMembers(message), role: 'ROLE_USER', parts: message.parts },
    configuration: Object.keys(configuration).length > 0 ? configuration : undefined,
    metadata,
  });
}
