import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnSlowStore } from '../../test/slow-store.ts';
import type { AnswerTurn } from '../index.ts';

type Ask = (turn: Parameters<AnswerTurn>[0]) => unknown;

for (const [what, ask] of Object.entries<Ask>({
  'no questions': ({ askForm }) => askForm([]),
  'a question without words': ({ askForm }) => askForm([{ question: ' ' }]),
  'a choice without words': ({ askForm }) => askForm([{ question: 'Which?', choices: ['a', ''] }]),
  'no tools': ({ approve }) => approve([]),
  'no decisions': ({ decide }) => decide([]),
  'one id for two tools': ({ decide }) =>
    decide([
      { id: 'a', name: 'a', args: {} },
      { id: 'a', name: 'b', args: {} },
    ]),
  'a tool without a name': ({ approve }) => approve({ name: '', args: {} }),
  'an instruction without words': ({ askForAuth }) => askForAuth(''),
})) {
  test(`asking for ${what}, which nobody could answer, throws`, async (t) => {
    const agent = await startOnSlowStore(t, async (turn) => {
      await ask(turn);
      return 'x';
    });
    const task = await agent.task('m1', 'go');
    assert.equal(task.status.state, 'TASK_STATE_FAILED');
    assert.ok(agent.errors[0] instanceof TypeError);
  });
}
