import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryStore } from '../adapters/store/memory/memory-store.ts';
import { append, chunk, snapshot, taskId, text } from '../core/reply/fixtures/agent-says.ts';
import { Stage } from './fixtures/stage.ts';

const first = snapshot('completed', { artifacts: [['a', [text('First.')]]] });

test('C070, S3: the context of the first turn is that of the second', async () => {
  const on = new Stage(memoryStore(), {});
  const thread = await on.open();
  const { message, say, end } = await on.sent(1);
  assert.equal(message.contextId, undefined);
  say({ kind: 'task', task: first });
  end({ kind: 'closed' });
  await on.settled();
  await on.courier.say(thread, { text: 'And now?', mention: true, actor: { id: 'u9' } });
  const { message: second } = await on.sent(2);
  assert.deepEqual([second.contextId, second.taskId], [first.contextId, undefined]);
  await on.courier.drain();
});

for (const [how, whole] of [
  ['begins with the task', true],
  ['brings only what is new', false],
] as const) {
  test(`C124: what an agent said between a lost stream and a subscription that ${how} is in the answer`, async () => {
    const on = new Stage(memoryStore(), {});
    const thread = await on.open();
    const { say, end } = await on.sent(1);
    say(chunk([text('One')]));
    end({ kind: 'cut', why: 'lost' });
    const missed = snapshot('working', {
      artifacts: ['a One', 'b Two', 'c Thr'].map((said) => [said.charAt(0), [text(said.slice(2))]]),
    });
    on.agent.task = { kind: 'task', task: missed };
    await on.passes(1_000);
    const subscription = await on.until(() => on.agent.subscribed[0]);
    if (whole) subscription.say({ kind: 'task', task: missed });
    subscription.say(chunk([text('ee')], true, 'c'));
    subscription.say(append(text('!')));
    on.agent.task = {
      kind: 'task',
      task: snapshot('completed', {
        artifacts: [
          ['a', [text('One!')]],
          ['b', [text('Two')]],
          ['c', [text('Three')]],
        ],
      }),
    };
    subscription.say({ kind: 'status', taskId, status: { state: 'completed', codes: [] }, final: true });
    subscription.end({ kind: 'closed' });
    await on.settled();
    const answers = (await on.entries(thread)).flatMap((entry) => (entry.kind === 'answer' ? [entry.text] : []));
    assert.deepEqual(answers.join(''), 'One!\n\nTwo\n\nThree');
    await on.courier.drain();
  });
}
