import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushStoreContract } from '../../contract/push-store.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AGENT_LIMITS, AgentServer, MemoryTaskStore } from '../index.ts';

pushStoreContract({ name: 'memory', make: async () => new MemoryTaskStore() });

test('a task that the store forgets takes its webhooks along', async (t) => {
  const store = new MemoryTaskStore();
  const agent = { name: 'Test', description: 'An agent of a test.', turn: async () => undefined };
  const server = new AgentServer(agent, { url: 'http://agent.example', store, onError: () => undefined });
  await server.open();
  t.after(() => server.close());
  const caller = callerOf(server);
  const first = await caller.task('m', '1');
  assert.equal(store.saveWebhook({ taskId: first.id, id: 'a', url: 'https://hooks.example/' }), 'saved');
  for (let count = 0; count < AGENT_LIMITS.finishedTasks; count += 1) await caller.task(`m${count}`, '1');
  assert.equal(store.read(first.id), undefined);
  assert.deepEqual(store.webhooks(first.id), []);
});
