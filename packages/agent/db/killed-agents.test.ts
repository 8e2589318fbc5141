import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startAgent } from '../test/agent-process.ts';
import { killedAgentCases } from '../test/killed-agent.ts';
import { message, textOf } from '../test/served-agent.ts';
import { newDatabase } from './postgres-server.ts';

async function placeFor(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const url = await newDatabase();
  const log = join(folder, 'log');
  return { log, start: () => startAgent(t, 'postgres', url, log) };
}

killedAgentCases('postgres', placeFor);

const said = (messageId: string, text: string, fields: Record<string, unknown> = {}) =>
  message(messageId, { parts: [{ text }], ...fields });

test('two processes at once: what one asked the other is answered, and what one was killed over the other ends', async (t) => {
  const place = await placeFor(t);
  const [one, two] = await Promise.all([place.start(), place.start()]);
  const asked = (await one.call('SendMessage', said('m1', 'hi'))).result?.task;
  const id = asked?.id ?? '';
  const second = (await two.call('SendMessage', said('m2', 'Ada', { taskId: id }))).result?.task;
  assert.deepEqual(second?.status.message?.['parts'], [{ text: 'How old?' }]);
  const stream = await one.send('m3', { parts: [{ text: 'work' }] });
  const working = (await stream.next()).task?.id ?? '';
  const followed = await two.stream('SubscribeToTask', { id: working });
  assert.notEqual((await followed.next()).task?.status.state, 'TASK_STATE_FAILED');
  await one.kill();
  const last = (await followed.rest()).at(-1)?.task;
  assert.equal(last?.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(last?.status.message?.['metadata'], { code: 'agent-restarted' });
  const done = (await two.call('SendMessage', said('m4', '36', { taskId: id }))).result?.task;
  assert.equal(textOf(done), 'hi: Ada there 36');
  assert.equal(readFileSync(place.log, 'utf8'), 'once\ntool\n');
});

test('a process that stood still finds its task ended by another one, and aborts its turn', async (t) => {
  const place = await placeFor(t);
  const [one, two] = await Promise.all([place.start(), place.start()]);
  const stream = await one.send('m1', { parts: [{ text: 'work' }] });
  const id = (await stream.next()).task?.id ?? '';
  const followed = await two.stream('SubscribeToTask', { id });
  one.process.kill('SIGSTOP');
  assert.equal((await followed.rest()).at(-1)?.task?.status.state, 'TASK_STATE_FAILED');
  one.process.kill('SIGCONT');
  // Its own stream breaks off rather than telling something else.
  await assert.rejects(stream.rest());
  assert.equal((await one.call('GetTask', { id })).result?.status?.state, 'TASK_STATE_FAILED');
  assert.equal(readFileSync(place.log, 'utf8'), 'aborted\n');
});
