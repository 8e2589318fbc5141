import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../limits.ts';
import type { ContextId, MessageId, TaskId } from '../thread/ids.ts';
import type { AgentEvent, Part } from './agent-event.ts';
import { Reply } from './reply.ts';

const ids = { taskId: 'task-1' as TaskId, contextId: 'ctx-1' as ContextId };
const tool = (kind: 'call' | 'response', id: string, content: unknown = {}): Part => ({
  kind: 'data',
  data: { id, name: 'look', [kind === 'call' ? 'args' : 'response']: content },
  metadata: { adk_type: `function_${kind}` },
});
const chunk = (part: Part, append = true): AgentEvent => ({
  kind: 'artifact',
  ...ids,
  append,
  artifact: { artifactId: 'answer', parts: [part] },
});
const status = (part: Part, messageId: string): AgentEvent => ({
  kind: 'status',
  ...ids,
  status: {
    state: 'working',
    codes: [],
    message: { role: 'agent', messageId: messageId as MessageId, parts: [part], extensions: [] },
  },
  final: false,
});

/** How many of these events a reply takes before it is over a limit; `most` when it takes them all. */
function takenBy(reply: Reply, most: number, event: (number: number) => AgentEvent): number {
  for (let number = 0; number < most; number += 1) {
    reply.apply(event(number));
    if (reply.overLimit) return number;
  }
  return most;
}

test('tool parts without end are too many, wherever they stand and whatever they are', () => {
  const most = LIMITS.toolParts + 1;
  for (const event of [
    (number: number) => chunk(tool('call', `c${number}`)),
    (number: number) => chunk(tool('call', `c${number}`), false),
    // Results whose call never comes.
    (number: number) => chunk(tool('response', `c${number}`)),
    (number: number) => status(tool('call', 'c'), `m${number}`),
  ]) {
    const reply = new Reply();
    assert.equal(takenBy(reply, most, event), LIMITS.toolParts);
    assert.ok(reply.steps.list.length <= LIMITS.toolParts);
  }
});

test('tool parts may say only so much together; steps that came before stay', () => {
  const reply = new Reply();
  const size = 1_024 * 1_024;
  const taken = takenBy(reply, 100, (number) => chunk(tool('call', `c${number}`, { text: 'x'.repeat(size) })));
  assert.equal(taken, Math.floor(LIMITS.toolCharacters / size) - 1);
  assert.equal(reply.steps.list.length, taken);
});

test('the same tool parts again, in snapshots without end, are no more of them', () => {
  const reply = new Reply();
  const part = tool('call', 'c', { text: 'x'.repeat(LIMITS.toolCharacters / 2) });
  const taken = takenBy(reply, 10, () => ({
    kind: 'task',
    task: {
      id: ids.taskId,
      status: { state: 'working', codes: [] },
      artifacts: [{ artifactId: 'answer', parts: [part] }],
      history: [],
    },
  }));
  assert.deepEqual([taken, reply.steps.list.length], [10, 1]);
});

test('an id of a call that is too long is none', () => {
  const reply = new Reply();
  reply.apply(chunk(tool('call', 'i'.repeat(LIMITS.idCharacters))));
  reply.apply(chunk(tool('call', 'i'.repeat(LIMITS.idCharacters + 1))));
  assert.deepEqual(
    reply.steps.list.map(({ callId }) => callId?.length),
    [LIMITS.idCharacters, undefined],
  );
});

test('a bare message has no more text than any answer', () => {
  const reply = new Reply();
  const parts: Part[] = [{ kind: 'text', text: 'x'.repeat(LIMITS.answerCharacters + 1), thought: false }];
  reply.apply({ kind: 'message', message: { role: 'agent', parts, extensions: [] } });
  assert.deepEqual([reply.overLimit, reply.text()], [true, '']);
});

test('the first context that an agent names for a task is its own, whatever it names later', () => {
  const reply = new Reply();
  for (const name of ['ctx-1', 'ctx-2', 'ctx-1', 'ctx-3']) {
    const status = { state: 'working', codes: [] } as const;
    reply.apply({ kind: 'status', taskId: ids.taskId, contextId: name as ContextId, status, final: false });
    assert.equal(reply.contextId, 'ctx-1');
  }
});
