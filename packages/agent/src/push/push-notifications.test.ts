import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { handTime, receiver } from '../../test/push-receiver.ts';
import { gate, message, serve, textOf } from '../../test/served-agent.ts';
import {
  AGENT_LIMITS,
  type AnswerTurn,
  PUSH_LIMITS,
  PushFailed,
  type PushOptions,
  type ServeOptions,
} from '../index.ts';

async function world(t: TestContext, turn: AnswerTurn, options: ServeOptions & { readonly push?: PushOptions } = {}) {
  const time = handTime();
  const failures: unknown[] = [];
  const { push, ...rest } = options;
  const agent = await serve(t, turn, {
    now: time.now,
    onError: (error) => failures.push(error),
    push: { fetch, wait: time.wait, random: time.random, ...push },
    ...rest,
  });
  const send = (hook: object, fields: object = {}) =>
    agent.call('SendMessage', {
      ...message('m1', { ...fields }),
      configuration: { returnImmediately: true, taskPushNotificationConfig: hook },
    });
  return { agent, time, failures, send };
}

const says: AnswerTurn = async function* () {
  yield 'hello';
};

test('C122 a task tells its webhook that it works, and goes there whole when it has ended', async (t) => {
  const hook = await receiver(t);
  const { agent, send } = await world(t, says);
  const authentication = { scheme: 'Bearer', credentials: 'secret' };
  const { result } = await send({ url: hook.url, token: 'token', authentication });
  const first = await hook.next();
  assert.equal(first.headers['content-type'], 'application/a2a+json');
  assert.equal(first.headers.authorization, 'Bearer secret');
  assert.equal(first.headers['x-a2a-notification-token'], 'token');
  assert.equal(first.headers['webhook-signature'], undefined);
  assert.equal(first.body.statusUpdate?.taskId, result?.task?.id);
  assert.equal(first.state, 'WORKING');
  assert.equal(hook.unread.length, 0);
  first.answer(200);
  const last = await hook.next();
  assert.deepEqual(Object.keys(last.body), ['task']);
  assert.equal(last.state, 'COMPLETED');
  assert.equal(textOf(last.body.task), 'hello');
  assert.equal(last.body.task?.history, undefined);
  assert.notEqual(last.id, first.id);
  last.answer(200);
  assert.equal((await agent.call('GetTask', { id: result?.task?.id })).result?.status?.state, 'TASK_STATE_COMPLETED');
});

test('C121 a notification has no member `final`', async (t) => {
  const hook = await receiver(t);
  const { send } = await world(t, says);
  await send({ url: hook.url });
  for (let times = 0; times < 2; times += 1) {
    const arrival = await hook.next();
    assert.doesNotMatch(arrival.text, /"final"|"kind"/);
    arrival.answer(200);
  }
});

test('each pause is told of, and that the task goes on; progress is not', async (t) => {
  const hook = await receiver(t);
  const { agent, send } = await world(t, async function* ({ ask, progress }) {
    progress('thinking');
    const name = await ask('Who?');
    progress('thinking again');
    yield await ask(`${name} who?`);
  });
  const { result } = await send({ url: hook.url });
  const states = [await hook.taken()];
  const asked = await hook.next();
  assert.deepEqual(asked.body.task?.status.message?.['parts'], [{ text: 'Who?' }]);
  asked.answer(200);
  for (const text of ['Kourier', 'Agent']) {
    const parts = [{ text }];
    await agent.call('SendMessage', message(text, { taskId: result?.task?.id, parts }));
    states.push(await hook.taken(), await hook.taken());
  }
  assert.deepEqual(states, ['WORKING', 'WORKING', 'INPUT_REQUIRED', 'WORKING', 'COMPLETED']);
});

test('a status that its task has left behind goes alone, and so does a task that is too large', async (t) => {
  const hook = await receiver(t);
  const { agent, time, send } = await world(t, async function* ({ ask }) {
    yield await ask('Who?');
    yield 'x'.repeat(AGENT_LIMITS.notificationCharacters);
  });
  const { result } = await send({ url: hook.url });
  await hook.taken();
  (await hook.next()).answer(503);
  await agent.call('SendMessage', message('m2', { taskId: result?.task?.id }));
  await time.pause();
  const asked = await hook.next();
  assert.deepEqual([asked.state, Object.keys(asked.body)], ['INPUT_REQUIRED', ['statusUpdate']]);
  asked.answer(200);
  assert.equal(await hook.taken(), 'WORKING');
  const ended = await hook.next();
  assert.deepEqual([ended.state, Object.keys(ended.body)], ['COMPLETED', ['statusUpdate']]);
  ended.answer(200);
});

test('what fails is sent again under its id, later each time, before anything that comes after it', async (t) => {
  const hook = await receiver(t);
  const { time, send } = await world(t, says);
  await send({ url: hook.url });
  const ids = new Set<string>();
  for (const pauseMs of [500, 1_000, 2_000]) {
    const arrival = await hook.next();
    ids.add(arrival.id);
    assert.equal(arrival.state, 'WORKING');
    if (pauseMs === 500) arrival.breakOff();
    else arrival.answer(pauseMs === 1_000 ? 500 : 408);
    assert.equal(await time.pause(), pauseMs);
  }
  const again = await hook.next();
  assert.deepEqual([...ids], [again.id]);
  again.answer(200);
  assert.equal(await hook.taken(), 'COMPLETED');
});

test('a receiver that asks for time gets it', async (t) => {
  const hook = await receiver(t);
  const { time, send } = await world(t, says);
  await send({ url: hook.url });
  (await hook.next()).answer(429, { 'retry-after': '7' });
  assert.equal(await time.pause(), 7_000);
  const at = new Date(time.now() + 90_000).toUTCString();
  (await hook.next()).answer(503, { 'retry-after': at });
  assert.equal(await time.pause(), 90_000);
  (await hook.next()).answer(503, { 'retry-after': '999999' });
  assert.equal(await time.pause(), PUSH_LIMITS.retryAfterMs);
  (await hook.next()).answer(503, { 'retry-after': 'soon' });
  assert.equal(await time.pause(), 4_000);
  assert.equal(await hook.taken(), 'WORKING');
});

test('a receiver that hangs is left after a while, and called again', async (t) => {
  const hook = await receiver(t);
  const { time, send } = await world(t, says);
  await send({ url: hook.url });
  const hanging = await hook.next();
  time.expire();
  await hanging.left;
  await time.pause();
  const again = await hook.next();
  assert.equal(again.id, hanging.id);
  again.answer(200);
  assert.equal(await hook.taken(), 'COMPLETED');
});

test('C118 a redirect is not followed, and no secret goes with it', async (t) => {
  const [hook, inside] = [await receiver(t), await receiver(t)];
  const { failures, send } = await world(t, says);
  await send({ url: hook.url, token: 'token' });
  (await hook.next()).answer(307, { location: inside.url });
  assert.equal(await hook.taken(), 'COMPLETED');
  assert.equal(inside.unread.length, 0);
  assert.match(String(failures[0]), /did not take TASK_STATE_WORKING \(HTTP 307, attempts: 1\)/);
});

test('what is refused for good is not sent again, and is reported without a secret; what comes after it is sent', async (t) => {
  const hook = await receiver(t);
  const { failures, send } = await world(t, says);
  const authentication = { scheme: 'Basic', credentials: 'c2VjcmV0' };
  await send({ url: `${hook.url}/path-secret?query-secret`, token: 'token-secret', authentication });
  (await hook.next()).answer(401);
  assert.equal(await hook.taken(), 'COMPLETED');
  assert.equal(failures.length, 1);
  assert.ok(failures[0] instanceof PushFailed);
  assert.match(failures[0].message, /^The webhook at 127\.0\.0\.1:\d+ did not take TASK_STATE_WORKING \(HTTP 401, att/);
  assert.doesNotMatch(JSON.stringify(failures[0]) + String(failures[0].stack), /secret|c2Vj/);
});

test('a receiver that is gone for a day is given up', async (t) => {
  const hook = await receiver(t);
  const { time, failures, send } = await world(t, says);
  await send({ url: hook.url });
  let waitedMs = 0;
  for (let attempts = 1; failures.length === 0; attempts += 1) {
    (await hook.next()).answer(503, { 'retry-after': String(PUSH_LIMITS.retryAfterMs / 1_000) });
    if (attempts > PUSH_LIMITS.giveUpAfterMs / PUSH_LIMITS.retryAfterMs) break;
    waitedMs += await time.pause();
  }
  assert.equal(waitedMs, PUSH_LIMITS.giveUpAfterMs);
  assert.equal(await hook.taken(), 'COMPLETED');
  assert.match(String(failures[0]), /HTTP 503, attempts: 25/);
});

test('a receiver that answers 410 hears nothing more', async (t) => {
  const hook = await receiver(t);
  const { agent, send } = await world(t, async ({ ask }) => ask('Who?'));
  const { result } = await send({ url: hook.url });
  (await hook.next()).answer(410);
  const other = await receiver(t);
  await agent.call('CreateTaskPushNotificationConfig', { taskId: result?.task?.id, id: 'other', url: other.url });
  assert.equal(await other.taken(), 'INPUT_REQUIRED');
  await agent.call('CancelTask', { id: result?.task?.id });
  assert.equal(await other.taken(), 'CANCELED');
  assert.equal(hook.unread.length, 0);
  const { result: listed } = await agent.call('ListTaskPushNotificationConfigs', { taskId: result?.task?.id });
  assert.equal((listed as unknown as { configs: unknown[] }).configs.length, 1);
});

test('a webhook that fails holds up no other one', async (t) => {
  const [bad, good] = [await receiver(t), await receiver(t)];
  const open = gate();
  const { agent, send } = await world(t, async () => {
    await open.promise;
    return 'done';
  });
  const { result } = await send({ url: bad.url });
  await agent.call('CreateTaskPushNotificationConfig', { taskId: result?.task?.id, url: good.url });
  const hanging = await bad.next();
  open.resolve();
  assert.equal(await good.taken(), 'COMPLETED');
  assert.equal(hanging.state, 'WORKING');
});

test('two webhooks of a task that lead to one receiver are each told, under ids of their own', async (t) => {
  const hook = await receiver(t);
  const { agent } = await world(t, says);
  const { result } = await agent.call('SendMessage', message('m1'));
  const create = (id: string) =>
    agent.call('CreateTaskPushNotificationConfig', { taskId: result?.task?.id, url: hook.url, id });
  await Promise.all(['a', 'b'].map(create));
  const both = [await hook.next(), await hook.next()];
  assert.equal(new Set(both.map(({ id }) => id)).size, 2);
  assert.equal(new Set(both.map(({ text }) => text)).size, 1);
  for (const { answer } of both) answer(200);
});

test('a webhook that is out of reach for long is told of fewer steps, the last among them', async (t) => {
  const hook = await receiver(t);
  const { agent, time, send } = await world(t, async ({ ask }) => {
    for (let count = 0; count < AGENT_LIMITS.webhookBacklog; count += 1) await ask('More?');
    return 'done';
  });
  const { result } = await send({ url: hook.url });
  const first = await hook.next();
  for (let count = 0; count < AGENT_LIMITS.webhookBacklog; count += 1) {
    await agent.call('SendMessage', message(`more ${count}`, { taskId: result?.task?.id }));
  }
  first.answer(500);
  await time.pause();
  const heard = [await hook.taken()];
  while (heard.at(-1) !== 'COMPLETED') heard.push(await hook.taken());
  assert.equal(heard[0], 'WORKING');
  assert.ok(heard.length <= AGENT_LIMITS.webhookBacklog, `${heard.length} were sent`);
});

test('a webhook that is deleted is told nothing more; what is under way is broken off', async (t) => {
  const hook = await receiver(t);
  const open = gate();
  const { agent, send } = await world(t, async () => {
    await open.promise;
  });
  const { result } = await send({ url: hook.url, id: 'mine' });
  const hanging = await hook.next();
  await agent.call('DeleteTaskPushNotificationConfig', { taskId: result?.task?.id, id: 'mine' });
  await hanging.left;
  const other = await receiver(t);
  await agent.call('CreateTaskPushNotificationConfig', { taskId: result?.task?.id, url: other.url });
  open.resolve();
  assert.equal(await other.taken(), 'COMPLETED');
  assert.equal(hook.unread.length, 0);
});

test('each notification is signed as in Standard Webhooks, at the time of its attempt', async (t) => {
  const hook = await receiver(t);
  const secret = Buffer.alloc(32, 7);
  const push = { signingKeys: [`whsec_${secret.toString('base64')}`] };
  const { time, send } = await world(t, says, { push });
  await send({ url: hook.url });
  for (let times = 0; times < 2; times += 1) {
    const { headers, text, answer } = await hook.next();
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    assert.equal(Number(timestamp), Math.floor(time.now() / 1_000));
    const expected = createHmac('sha256', secret).update(`${id}.${timestamp}.${text}`).digest('base64');
    assert.equal(signature, `v1,${expected}`);
    answer(times === 0 ? 500 : 200);
    if (times === 0) await time.pause();
  }
});

test('C131 the same message again adds no second webhook, and tells nothing twice', async (t) => {
  const hook = await receiver(t);
  const { agent, send } = await world(t, says);
  const { result } = await send({ url: hook.url });
  assert.deepEqual([await hook.taken(), await hook.taken()], ['WORKING', 'COMPLETED']);
  await send({ url: hook.url });
  const { result: listed } = await agent.call('ListTaskPushNotificationConfigs', { taskId: result?.task?.id });
  assert.equal((listed as unknown as { configs: unknown[] }).configs.length, 1);
  const other = await receiver(t);
  await agent.call('CreateTaskPushNotificationConfig', { taskId: result?.task?.id, url: other.url });
  assert.equal(await other.taken(), 'COMPLETED');
  assert.equal(hook.unread.length, 0);
});

test('a webhook that was made in 0.3 is told in 0.3: a task each time', async (t) => {
  const hook = await receiver(t);
  const { agent } = await world(t, says, { protocols: ['1.0', '0.3'] });
  const part = { kind: 'text', text: 'hello' };
  const params = {
    message: { kind: 'message', messageId: 'm1', role: 'user', parts: [part] },
    configuration: { blocking: false, pushNotificationConfig: { url: hook.url, token: 'token' } },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params });
  const { result } = await agent.post(body, { 'content-type': 'application/json' });
  const told: unknown[] = [];
  for (let times = 0; times < 2; times += 1) {
    const { headers, text, answer } = await hook.next();
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-a2a-notification-token'], 'token');
    const { kind, id, status, artifacts } = JSON.parse(text);
    told.push([kind, id, status.state, artifacts?.[0]?.parts]);
    answer(200);
  }
  assert.deepEqual(told, [
    ['task', result?.id, 'working', undefined],
    ['task', result?.id, 'completed', [part]],
  ]);
});
