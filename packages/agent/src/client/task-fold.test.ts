import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvent } from '@agentkourier/a2a/read-event';
import { chunk, state, task } from '../../test/raw-agent.ts';
import { CLIENT_LIMITS } from '../index.ts';
import { TaskFold } from './task-fold.ts';

function folded(...results: readonly unknown[]): TaskFold {
  const fold = new TaskFold();
  for (const result of results) fold.take(readEvent(result) ?? assert.fail('no event'));
  return fold;
}

test('C077 a replacement after appends is the truth; C074 an append to an unknown artifact begins it', () => {
  assert.equal(folded(chunk('a', false), chunk('b'), chunk('AB done', false)).text(), 'AB done');
  assert.equal(folded(chunk('a', true)).text(), 'a');
});

test('C076 partials that are emptied, and the whole in another artifact: it is said once', () => {
  const fold = folded(
    chunk('He', false, 'p'),
    chunk('llo', true, 'p'),
    chunk('Hello', false, 'f'),
    chunk('', false, 'p'),
  );
  assert.equal(fold.text(), 'Hello');
});

test('C083 pieces of one id in a snapshot are one artifact', () => {
  const artifacts = [
    { artifactId: 'a', name: 'Answer', parts: [{ text: 'He' }] },
    { artifactId: 'a', parts: [{ text: 'llo' }] },
    { artifactId: 'b', parts: [{ text: 'there' }] },
  ];
  const fold = folded({ task: { id: 't', status: { state: 'TASK_STATE_WORKING' }, artifacts } });
  assert.equal(fold.text(), 'Hello\n\nthere');
  assert.deepEqual(
    fold.task()?.artifacts.map(({ artifactId, name, parts }) => [artifactId, name, parts.length]),
    [
      ['a', 'Answer', 1],
      ['b', undefined, 1],
    ],
  );
});

test('C085 what a snapshot leaves out it does not take away; what it has replaces', () => {
  const history = [{ messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] }];
  const fold = folded(
    task('WORKING', 'one', { history, metadata: { k: 1 } }),
    chunk('x', false, 'b'),
    task('WORKING', undefined, { history: [] }),
  );
  assert.equal(fold.text(), 'one\n\nx');
  assert.equal(fold.task()?.history.length, 1);
  assert.deepEqual(fold.task()?.metadata, { k: 1 });
  fold.take(readEvent(task('COMPLETED', 'two')) ?? assert.fail());
  assert.equal(fold.text(), 'two');
});

test('C080 C082 status text is no answer, and neither are thoughts', () => {
  const message = { message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'status' }] } };
  const thought = {
    artifactUpdate: {
      taskId: 't',
      artifact: { artifactId: 'h', parts: [{ text: 'hm', metadata: { adk_thought: true } }] },
    },
  };
  const fold = folded(state('WORKING', message), thought, chunk('yes', false), state('COMPLETED', message));
  const outcome = fold.outcome();
  assert.equal(outcome?.text, 'yes');
  assert.ok(outcome.kind === 'finished' && outcome.from === 'task');
  assert.equal(outcome.task.artifacts.length, 2);
  assert.equal(outcome.task.status.message?.messageId, 'm');
});

test("C068 what is another task's or another context's is left out", () => {
  const fold = folded(task('WORKING', 'a'));
  const foreign = [
    { artifactUpdate: { taskId: 't', contextId: 'c2', artifact: { artifactId: 'a', parts: [{ text: 'no' }] } } },
    { statusUpdate: { taskId: 't2', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } },
    { task: { id: 't2', status: { state: 'TASK_STATE_FAILED' } } },
  ];
  for (const result of foreign) assert.equal(fold.take(readEvent(result) ?? assert.fail()), false);
  assert.equal(fold.text(), 'a');
  assert.equal(fold.settled, false);
});

test('C079 metadata of later chunks is kept beside that of the first', () => {
  const marked = (metadata: object, append: boolean) => ({
    artifactUpdate: { taskId: 't', append, artifact: { artifactId: 'a', metadata, parts: [{ text: 'x', metadata }] } },
  });
  const [artifact] = folded(marked({ a: 1 }, false), marked({ b: 2 }, true)).task()?.artifacts ?? [];
  assert.deepEqual(artifact?.metadata, { a: 1, b: 2 });
  assert.deepEqual(
    artifact.parts.map(({ metadata }) => metadata),
    [{ a: 1 }, { b: 2 }],
  );
});

test('what an agent may have kept for it is bounded', () => {
  const fold = folded(task('WORKING'));
  const size = CLIENT_LIMITS.keptCharacters / 8;
  const large = readEvent(chunk('x'.repeat(size))) ?? assert.fail();
  for (let times = 0; times < 8; times += 1) fold.take(large);
  assert.throws(() => fold.take(large), { name: 'TransportError', delivery: 'delivered' });
  assert.ok(fold.overLimit);
});

const artifact = (append: boolean, more: object, artifactId = 'a') =>
  readEvent({ artifactUpdate: { taskId: 't', append, artifact: { artifactId, parts: [], ...more } } }) ?? assert.fail();

const working = (metadata: object) =>
  readEvent({ statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_WORKING' }, metadata } }) ?? assert.fail();

test('so is what is no text: data, what is said beside it, members that nobody knows, and parts that hold nothing', () => {
  const large = 'x'.repeat(1_024 * 1_024);
  let said = 0;
  for (const [kind, next] of [
    ['data', () => artifact(true, { parts: [{ data: { large } }] })],
    ['of a part', () => artifact(true, { parts: [{ text: '', metadata: { large } }] })],
    ['unknown', () => artifact(true, { parts: [{ text: '', metadata: {}, other: [large] }] })],
    ['of an artifact', () => artifact(true, { metadata: { [`k${said}`]: large } })],
    ['empty', () => artifact(false, { parts: Array(100_000).fill({ text: '' }) }, `a${said}`)],
    ['of a task', () => working({ [`k${said}`]: large })],
  ] as const) {
    const fold = folded(task('WORKING'));
    assert.throws(
      () => {
        for (said = 0; said < 100; said += 1) fold.take(next());
      },
      { name: 'TransportError', delivery: 'delivered' },
      kind,
    );
  }
});

test('what is replaced counts no more, however often it is said', () => {
  const fold = folded(task('WORKING'));
  const large = 'x'.repeat(1_024 * 1_024);
  for (let times = 0; times < 100; times += 1) {
    fold.take(artifact(false, { metadata: { large }, parts: [{ data: { large } }] }));
    fold.take(artifact(true, { metadata: { large } }));
    fold.take(working({ large }));
  }
  assert.deepEqual(fold.task()?.metadata, { large });
  assert.equal(fold.task()?.artifacts[0]?.parts.length, 1);
});
