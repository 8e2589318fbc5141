import { commonMembers, type Encoder } from '../outgoing.ts';

/** A2A 0.3: every object has its `kind` (case C071), methods are paths, and there is no list of tasks. */
export const ENCODER_0_3: Encoder = {
  version: '0.3',
  send: (message) => ({
    method: 'message/stream',
    params: {
      message: {
        kind: 'message',
        ...commonMembers(message),
        role: 'user',
        parts: [{ kind: 'text', text: message.text }],
      },
    },
  }),
  subscribe: (id) => ({ method: 'tasks/resubscribe', params: { id } }),
  getTask: (id) => ({ method: 'tasks/get', params: { id } }),
  cancelTask: (id) => ({ method: 'tasks/cancel', params: { id } }),
  listTasks: () => undefined,
};
