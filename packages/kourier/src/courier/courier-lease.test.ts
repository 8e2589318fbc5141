import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoryStore } from '../adapters/store/memory/memory-store.ts';
import { snapshot, text } from '../core/reply/fixtures/agent-says.ts';
import { Stage } from './fixtures/stage.ts';

const EXTEND_EVERY_MS = 10_000;
const done = snapshot('completed', { artifacts: [['a', [text('Done.')]]] });

it('C152: a turn that outlasts a lease keeps it, and a later message does not run beside it', async () => {
  const on = new Stage(memoryStore(), {});
  await on.courier.start();
  const thread = await on.open('first');
  const first = await on.sent(1);
  for (let passed = 0; passed < 60_000; passed += EXTEND_EVERY_MS) await on.passes(EXTEND_EVERY_MS);
  const lease = { owner: 'another', untilMs: on.clock.now() + 30_000 };
  assert.equal((await on.store.claim(thread, lease, on.clock.now())).kind, 'held');
  assert.equal((await on.courier.say(thread, { text: 'second', mention: true })).kind, 'accepted');
  assert.equal(on.agent.sent.length, 1);
  first.say({ kind: 'task', task: done });
  first.end({ kind: 'closed' });
  assert.match((await on.sent(2)).message.text, /second/);
  assert.equal((await on.entries(thread)).filter(({ kind }) => kind === 'answer').length, 1);
  await on.courier.drain();
});
