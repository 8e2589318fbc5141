import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import type { CallOutcome } from './calls/call-outcome.ts';
import type { SlackCalls } from './calls/slack-calls.ts';
import { ThreadStatusLine } from './thread-status.ts';

const PLACE = 'T0ACME/C0OPS/1700000000.000100';

function said(outcome: CallOutcome): { calls: SlackCalls; all: string[] } {
  const all: string[] = [];
  const calls: SlackCalls = {
    call(method, { status }) {
      all.push(`${method} ${status}`);
      return Promise.resolve(method.startsWith('agents.') ? outcome : { kind: 'ok', body: {} });
    },
  };
  return { calls, all };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

test('the line of a thread says each change once, and is said again while the agent works', async () => {
  const clock = new TestClock();
  const { calls, all } = said({ kind: 'ok', body: {} });
  const line = new ThreadStatusLine(calls, clock);
  line.show(PLACE, 'idle');
  line.show(PLACE, 'running');
  line.show(PLACE, 'running');
  clock.advance(100_000);
  line.show(PLACE, 'waiting');
  line.show(PLACE, 'idle');
  clock.advance(1_000_000);
  await settled();
  const words = ['processing', 'processing', 'suspended', 'active'];
  assert.deepEqual(
    all,
    words.map((word) => `agents.sessions.setStatus ${word}`),
  );
  assert.deepEqual(clock.deadlines, []);
});

test('an app that is no agent has the line that every app has', async () => {
  const { calls, all } = said({ kind: 'no', error: 'not_an_agent' });
  const line = new ThreadStatusLine(calls, new TestClock());
  line.show(PLACE, 'running');
  await settled();
  line.show(PLACE, 'idle');
  await settled();
  assert.deepEqual(all, [
    'agents.sessions.setStatus processing',
    'assistant.threads.setStatus is working…',
    'assistant.threads.setStatus ',
  ]);
});
