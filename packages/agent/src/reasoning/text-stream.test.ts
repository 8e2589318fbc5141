import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StreamEvent } from '@agentkourier/a2a/model';
import { artifact, more, status, streamOf, text, thought } from '../../test/agent-says.ts';
import { textStream, UnfinishedTurn } from './text-stream.ts';

const DONE = status('TASK_STATE_COMPLETED');

async function stringsOf(events: readonly StreamEvent[]): Promise<{ strings: string[]; thrown: unknown }> {
  const strings: string[] = [];
  try {
    for await (const string of textStream(streamOf(events))) strings.push(string);
    return { strings, thrown: undefined };
  } catch (thrown) {
    return { strings, thrown };
  }
}

test('the text as it comes, without thoughts; a replacement cannot be told, and a text taken back stays', async () => {
  const sent = [
    more('a', thought('Hm.')),
    more('a', text('Draft')),
    artifact('a', text('')),
    artifact('a', text('Better')),
  ];
  assert.deepEqual(await stringsOf([...sent, DONE]), { strings: ['Draft', 'Better'], thrown: undefined });
});

for (const [state, outcome, next] of [
  ['TASK_STATE_INPUT_REQUIRED', 'paused', /end\.taskId/],
  ['TASK_STATE_FAILED', 'failed', /end\.status/],
  ['TASK_STATE_WORKING', 'interrupted', /subscribe/],
] as const) {
  test(`a turn that is ${outcome} throws after its text, with its end and what to do next`, async () => {
    const { strings, thrown } = await stringsOf([more('a', text('So far.')), status(state, 'Secret words.')]);
    assert.deepEqual(strings, ['So far.']);
    assert.ok(thrown instanceof UnfinishedTurn);
    assert.equal(thrown.end.outcome, outcome);
    assert.match(thrown.message, next);
    assert.doesNotMatch(thrown.message, /Secret/);
  });
}
