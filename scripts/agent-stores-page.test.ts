// What the page of the agent's stores says of limits is what the code does.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { AGENT_LIMITS, CHANGE_MS, LEASE_MS, LOOK_EVERY_MS } from '../packages/agent/src/limits.ts';

test('the page of the stores names the limits with their values', () => {
  const page = readFileSync('docs/agent-stores.md', 'utf8');
  const number = (value: number): string => value.toLocaleString('en-US');
  const wanted = [
    `\`finishedTasks\` | ${number(AGENT_LIMITS.storedFinishedTasks)} |`,
    `\`pausedTasks\` | ${number(AGENT_LIMITS.storedPausedTasks)} |`,
    `\`contexts\` | ${number(AGENT_LIMITS.storedContexts)} |`,
    `after ${number(AGENT_LIMITS.walkChanges)} changes`,
    `\`lookEveryMs\` (${LOOK_EVERY_MS} ms)`,
    `\`leaseMs\` (${LEASE_MS / 1_000} s)`,
    `up for ${CHANGE_MS / 1_000} seconds`,
  ];
  assert.deepEqual(
    wanted.filter((text) => !page.includes(text)),
    [],
  );
});
