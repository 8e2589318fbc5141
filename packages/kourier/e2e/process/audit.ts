import assert from 'node:assert/strict';
import { type EchoAgent, echo } from './echo-agent.ts';
import type { Timeline } from './thread-client.ts';
import type { Writer } from './writer.ts';

/** One message, one answer, the agent's, in the order in which they were accepted; and nothing else. */
export function audit({ accepted, name }: Writer, timeline: Timeline, agent: EchoAgent): void {
  const { entries, status } = timeline;
  assert.equal(status, 'idle');
  assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
  assert.deepEqual(
    entries
      .filter(({ kind }) => kind !== 'answer')
      .map((entry) => entry.kind === 'message' && [entry.turnId, entry.text]),
    accepted.map(({ turnId, words }) => [turnId, words]),
  );
  assert.deepEqual(
    entries.flatMap((entry) => (entry.kind === 'answer' ? [[entry.turnId, entry.text, entry.streaming]] : [])),
    accepted.map(({ turnId, words }) => [turnId, echo(words), false]),
  );
  const ran = agent.runs.filter(({ words }) => words.startsWith(`${name} `));
  assert.deepEqual(
    ran.map(({ words }) => words),
    accepted.map(({ words }) => words),
  );
  assert.equal(new Set(ran.map(({ contextId }) => contextId)).size, 1);
}
