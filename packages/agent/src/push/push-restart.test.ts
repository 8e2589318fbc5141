import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { handTime, receiver } from '../../test/push-receiver.ts';
import { message, serve, textOf } from '../../test/served-agent.ts';
import { type AnswerTurn, MemoryTaskStore, SqliteTaskStore } from '../index.ts';

const asks: AnswerTurn = async function* ({ ask }) {
  yield await ask('Who?');
};

const never = { random: () => 0, wait: () => new Promise(() => undefined) };

function storeIn(t: TestContext, kind: 'memory' | 'sqlite') {
  if (kind === 'memory') return new MemoryTaskStore();
  const folder = mkdtempSync(join(tmpdir(), 'push-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return new SqliteTaskStore({ path: join(folder, 'tasks.db') });
}

for (const kind of ['memory', 'sqlite'] as const) {
  test(`A7 ${kind}: the next process sends what the last one owed, under the id that it had, and nothing earlier`, async (t) => {
    const hook = await receiver(t);
    const store = storeIn(t, kind);
    const first = await serve(t, asks, { store, push: { fetch, ...never } });
    const configuration = { taskPushNotificationConfig: { url: hook.url } };
    const { result } = await first.call('SendMessage', { ...message('m1'), configuration });
    assert.equal(await hook.taken(), 'WORKING');
    const cutOff = await hook.next();
    await first.close();
    await cutOff.left;

    const next = await serve(t, asks, { store, push: { fetch, ...never } });
    const owed = await hook.next();
    assert.deepEqual([owed.id, owed.state, owed.text], [cutOff.id, 'INPUT_REQUIRED', cutOff.text]);
    owed.answer(200);
    await next.call('SendMessage', message('m2', { taskId: result?.task?.id }));
    assert.equal(await hook.taken(), 'WORKING');
    const ended = await hook.next();
    assert.deepEqual([ended.state, textOf(ended.body.task)], ['COMPLETED', 'hello']);
    await next.close();
    await ended.left;

    const last = await serve(t, asks, { store, push: { fetch, ...never } });
    assert.equal(await hook.taken(), 'COMPLETED');
    assert.equal(hook.unread.length, 0);
    await last.close();
  });
}

test('A7 the next process tells that a task has failed which the last one left in the middle of its work', async (t) => {
  const hook = await receiver(t);
  const folder = mkdtempSync(join(tmpdir(), 'push-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'tasks.db');
  const first = await serve(t, () => new Promise(() => undefined), {
    store: new SqliteTaskStore({ path }),
    push: { fetch, ...never },
  });
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: hook.url } };
  await first.call('SendMessage', { ...message('m1'), configuration });
  assert.equal(await hook.taken(), 'WORKING');
  await first.close();
  const next = await serve(t, asks, { store: new SqliteTaskStore({ path }), push: { fetch, ...never } });
  assert.equal(await hook.taken(), 'FAILED');
  await next.close();
});

test('a store that fails for a while holds notifications up and loses none', async (t) => {
  const hook = await receiver(t);
  const time = handTime();
  const store = new MemoryTaskStore();
  const failures: string[] = [];
  let down = 0;
  const read = store.webhooks.bind(store);
  store.webhooks = (taskId) => {
    down -= 1;
    if (down >= 0) throw new Error('the disk is full');
    return read(taskId);
  };
  const agent = await serve(t, async () => 'done', {
    store,
    push: { fetch, wait: time.wait, random: time.random },
    onError: (error) => failures.push(String(error)),
  });
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: hook.url } };
  down = 2;
  await agent.call('SendMessage', { ...message('m1'), configuration });
  assert.deepEqual([await time.pause(), await time.pause()], [500, 1_000]);
  const working = await hook.next();
  down = 2;
  working.answer(500);
  assert.deepEqual([await time.pause(), await time.pause(), await time.pause()], [500, 1_000, 2_000]);
  assert.deepEqual([await hook.taken(), await hook.taken()], ['WORKING', 'COMPLETED']);
  assert.deepEqual(failures, ['Error: the disk is full']);
});

test('a message whose webhook could not be stored begins its task all the same, and adds the webhook when it is repeated', async (t) => {
  const hook = await receiver(t);
  const store = new MemoryTaskStore();
  const save = store.saveWebhook.bind(store);
  store.saveWebhook = () => {
    throw new Error('the disk is full');
  };
  const agent = await serve(t, async () => 'done', { store, push: { fetch, ...never } });
  const params = { ...message('m1'), configuration: { taskPushNotificationConfig: { url: hook.url } } };
  assert.equal((await agent.call('SendMessage', params)).error?.code, -32603);
  store.saveWebhook = save;
  assert.equal((await agent.call('SendMessage', params)).result?.task?.status.state, 'TASK_STATE_COMPLETED');
  assert.equal(await hook.taken(), 'COMPLETED');
});
