import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { StreamResponse, Task, TaskPushNotificationConfig } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import type { ServedAgent } from '../src/index.ts';
import { type Arrival, receiver } from '../test/push-receiver.ts';
import { officialClient, PEERS, type Peer, saying } from './official-js-peer.ts';
import { serveEcho } from './served-agent.ts';

const SECRETS = { token: 'token', authentication: { scheme: 'Bearer', credentials: 'secret' } };

const config = (fields: object) => TaskPushNotificationConfig.fromJSON({ ...SECRETS, ...fields });
const json = (task: unknown) => Task.toJSON(task as Task) as { readonly id: string; readonly contextId: string };

/** What the official SDK makes of a notification, in the words of 1.0. The receiver takes it. */
async function read({ wire }: Pick<Peer, 'wire'>, arriving: Promise<Arrival>) {
  const arrival = await arriving;
  assert.equal(arrival.headers.authorization, 'Bearer secret');
  assert.equal(arrival.headers['x-a2a-notification-token'], 'token');
  const body: unknown = JSON.parse(arrival.text);
  const told = wire === '1.0' ? StreamResponse.fromJSON(body) : legacyPushNotificationToV1StreamResponse(body);
  arrival.answer(200);
  return StreamResponse.toJSON(told) as Readonly<Record<string, Told>>;
}

interface Told {
  readonly id?: string;
  readonly taskId?: string;
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly object[] } };
  readonly artifacts?: readonly { readonly parts: readonly object[] }[];
}

for (const { wire, binding } of PEERS) {
  describe(`the official JavaScript SDK has itself notified by an agent of ours, A2A ${wire}, ${binding}`, () => {
    let agent: ServedAgent;
    let client: Client;
    before(async () => {
      agent = await serveEcho();
      client = await officialClient(agent.url, { wire, binding });
    });
    after(() => agent.close());

    it('creates, reads, lists and deletes the webhooks of a task', async (t) => {
      const hook = await receiver(t);
      const { id: taskId } = json(await client.sendMessage(saying('ask me')));
      const created = await client.createTaskPushNotificationConfig(config({ taskId, id: 'c1', url: hook.url }));
      // A task that waits says so to a webhook that comes late.
      const [told] = Object.values(await read({ wire }, hook.next()));
      assert.equal(told?.status.state, 'TASK_STATE_INPUT_REQUIRED');
      const { token, authentication, ...shown } = created;
      assert.deepEqual(shown, { tenant: '', taskId, id: 'c1', url: hook.url });
      // Secrets stay with who set them.
      assert.deepEqual([token, authentication?.scheme, authentication?.credentials], ['', 'Bearer', '']);
      const named = { tenant: '', taskId, id: 'c1' };
      assert.deepEqual(await client.getTaskPushNotificationConfig(named), created);
      const all = { tenant: '', taskId, pageSize: 0, pageToken: '' };
      assert.deepEqual((await client.listTaskPushNotificationConfig(all)).configs, [created]);
      await client.deleteTaskPushNotificationConfig(named);
      assert.deepEqual((await client.listTaskPushNotificationConfig(all)).configs, []);
      await assert.rejects(client.getTaskPushNotificationConfig(named), {
        message: 'The task has no webhook of this id.',
      });
    });

    it('reads what its webhook gets, from the message that brought the webhook to the answer', async (t) => {
      const hook = await receiver(t);
      const taskPushNotificationConfig = { id: 'c1', url: hook.url, ...SECRETS };
      const asked = json(await client.sendMessage(saying('ask me', {}, { taskPushNotificationConfig })));
      const first = await read({ wire }, hook.next());
      // In 1.0 a status goes alone while the task works; in 0.3 all that goes is a task.
      assert.deepEqual(Object.keys(first), [wire === '1.0' ? 'statusUpdate' : 'task']);
      const [working] = Object.values(first);
      assert.equal(working?.status.state, 'TASK_STATE_WORKING');
      assert.equal(working?.taskId ?? working?.id, asked.id);
      const { task: waits } = await read({ wire }, hook.next());
      assert.equal(waits?.status.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.deepEqual(waits?.status.message?.parts, [{ text: 'Where?' }]);
      await client.sendMessage(saying('here', { taskId: asked.id, contextId: asked.contextId }));
      const [again] = Object.values(await read({ wire }, hook.next()));
      assert.equal(again?.status.state, 'TASK_STATE_WORKING');
      const { task: done } = await read({ wire }, hook.next());
      assert.equal(done?.status.state, 'TASK_STATE_COMPLETED');
      assert.deepEqual(done?.artifacts?.[0]?.parts, [{ text: 'You said: here' }]);
      assert.equal(hook.unread.length, 0);
    });
  });
}
