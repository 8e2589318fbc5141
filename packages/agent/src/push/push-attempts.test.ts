import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiver } from '../../test/push-receiver.ts';
import { says, world } from '../../test/push-world.ts';
import { PUSH_LIMITS, PushFailed } from '../index.ts';

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
