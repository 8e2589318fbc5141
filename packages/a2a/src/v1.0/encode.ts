import { commonMembers, type Encoder } from '../outgoing.ts';

/** A2A 1.0: ProtoJSON, no `kind`, enums in capitals. */
export const ENCODER_1_0: Encoder = {
  version: '1.0',
  send: (message) => ({
    method: 'SendStreamingMessage',
    params: { message: { ...commonMembers(message), role: 'ROLE_USER', parts: [{ text: message.text }] } },
  }),
  subscribe: (id) => ({ method: 'SubscribeToTask', params: { id } }),
  getTask: (id) => ({ method: 'GetTask', params: { id } }),
  cancelTask: (id) => ({ method: 'CancelTask', params: { id } }),
  listTasks: ({ contextId, historyLength, includeArtifacts, pageToken }) => ({
    method: 'ListTasks',
    params: { contextId, historyLength, includeArtifacts, ...(pageToken === undefined ? {} : { pageToken }) },
  }),
};
