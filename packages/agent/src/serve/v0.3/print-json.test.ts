import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireState, WireTask } from '../../task/wire.ts';
import { eventsOf, printEvent } from './print-json.ts';

const taskIn = (state: WireState): WireTask => ({
  id: 't',
  contextId: 'c',
  status: { state, timestamp: '' },
  artifacts: [
    { artifactId: 'a', parts: [{ text: 'one' }] },
    { artifactId: 'b', parts: [{ text: 'two' }] },
  ],
});

test('a reader of 0.3 that was behind is told every artifact whole, and the task only once', () => {
  const told = (state: WireState) =>
    eventsOf({ task: taskIn(state) }, 'behind').map((event) => printEvent(event) as Record<string, never>);
  const whole = told('TASK_STATE_WORKING');
  assert.deepEqual(
    whole.map(({ kind, append, final }) => [kind, append, final]),
    [
      ['artifact-update', false, undefined],
      ['artifact-update', false, undefined],
      ['status-update', undefined, false],
    ],
  );
  assert.deepEqual(whole[1]?.['artifact'], { artifactId: 'b', parts: [{ kind: 'text', text: 'two' }] });
  assert.equal(told('TASK_STATE_COMPLETED').at(-1)?.['final'], true);
});

test('every state and role has its name in 0.3', () => {
  const names = (
    ['SUBMITTED', 'WORKING', 'INPUT_REQUIRED', 'AUTH_REQUIRED', 'COMPLETED', 'FAILED', 'CANCELED'] as const
  ).map((name) => {
    const { status } = printEvent({ task: taskIn(`TASK_STATE_${name}`) }) as { status: { state: string } };
    return status.state;
  });
  assert.deepEqual(names, [
    'submitted',
    'working',
    'input-required',
    'auth-required',
    'completed',
    'failed',
    'canceled',
  ]);
});
