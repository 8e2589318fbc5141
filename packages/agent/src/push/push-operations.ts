import type { Caller } from '../agent/interrupts.ts';
import { pushNotSupported, webhookNotFound } from '../rpc-error.ts';
import type { TaskDesk } from '../run/task-desk.ts';
import { requireId } from '../serve/params.ts';
import type { RpcRequest } from '../serve/request.ts';
import type { PushDesk } from './push-desk.ts';
import { printWebhook } from './webhook.ts';

export type PushOperation =
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig';

/**
 * The four operations of A2A 1.0 on the webhooks of a task (sections 3.1.7 to 3.1.10). To whom the task is not, it does
 * not exist (case C110).
 */
export async function pushOperation(
  { method, params, version }: { readonly method: PushOperation } & Omit<RpcRequest, 'method'>,
  { id: owner }: Caller,
  { desk, push }: { readonly desk: TaskDesk; readonly push: PushDesk | undefined },
): Promise<object> {
  if (push === undefined) throw pushNotSupported();
  const { id: taskId } = await desk.read(requireId(params, 'taskId'), owner);
  switch (method) {
    case 'CreateTaskPushNotificationConfig':
      return printWebhook(await push.add(taskId, await push.admit(params, version)));
    case 'GetTaskPushNotificationConfig': {
      const id = requireId(params, 'id');
      const webhook = (await push.list(taskId)).find((each) => each.id === id);
      if (webhook === undefined) throw webhookNotFound();
      return printWebhook(webhook);
    }
    case 'ListTaskPushNotificationConfigs':
      // There are so few that they are one page.
      return { configs: (await push.list(taskId)).map(printWebhook), nextPageToken: '' };
    case 'DeleteTaskPushNotificationConfig':
      await push.delete(taskId, requireId(params, 'id'));
      return {};
  }
}
