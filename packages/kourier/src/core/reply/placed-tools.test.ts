import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskId } from '../thread/ids.ts';
import type { AgentEvent, Part } from './agent-event.ts';
import { Reply } from './reply.ts';

const words = (text: string): Part => ({ kind: 'text', text, thought: false });
const made = (id: string): Part => ({
  kind: 'data',
  data: { id, name: 'look' },
  metadata: { adk_type: 'function_call' },
});

/** The pieces into which the steps cut the answer, each but the last with the call that stands behind it. */
function cutBy(...artifacts: readonly (readonly Part[])[]): readonly (string | undefined)[] {
  const reply = new Reply();
  const held = artifacts.map((parts, index) => ({ artifactId: `a${index}`, parts }));
  const status = { state: 'completed', codes: [] } as const;
  const event: AgentEvent = { kind: 'task', task: { id: 't' as TaskId, status, artifacts: held, history: [] } };
  reply.apply(event);
  const text = reply.text();
  const { marks } = reply.steps;
  const pieces = marks.flatMap(({ cut, step }, at) => [text.slice(marks[at - 1]?.cut ?? 0, cut), step?.callId]);
  return [...pieces, text.slice(marks.at(-1)?.cut ?? 0)];
}

test('a call in a snapshot stands where it was made: before, between and behind the texts', () => {
  assert.deepEqual(cutBy([made('1')], [words('A')]), ['', '1', 'A']);
  assert.deepEqual(cutBy([words('A')], [made('1')], [words('B')]), ['A', '1', '\n\nB']);
  assert.deepEqual(cutBy([words('A'), made('1')], [made('2')], [words('B'), made('3'), words('C')]), [
    ...['A', '1', '', '2', '\n\nB', '3', 'C'],
  ]);
  assert.deepEqual(cutBy([words('A')], [words('')], [made('1'), words('B')], [made('2')]), [
    'A',
    '1',
    '\n\nB',
    '2',
    '',
  ]);
});
