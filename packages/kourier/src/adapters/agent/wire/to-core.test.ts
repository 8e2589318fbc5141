import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvent } from '@agentkourier/a2a/read-event';
import type { AgentEvent } from '../../../core/reply/agent-event.ts';
import { toAgentEvent } from './to-core.ts';

function eventOf(value: unknown): AgentEvent {
  const event = readEvent(value);
  assert.ok(event);
  return toAgentEvent(event);
}

test('decision 11: a text part that is marked as a thought', () => {
  const marks = [{ adk_thought: true }, { kagent_thought: true }, { thought: true }, { thought: 'true' }, {}];
  const parts = marks.map((metadata) => ({ text: 'x', metadata }));
  const event = eventOf({ artifactUpdate: { artifact: { artifactId: 'a', parts } } });
  assert.ok(event.kind === 'artifact');
  assert.deepEqual(
    event.artifact.parts.map((part) => part.kind === 'text' && part.thought),
    [true, true, true, false, false],
  );
});

test('rule E8: codes of the status message, the update and the task', () => {
  const message = { role: 'ROLE_AGENT', parts: [], metadata: { code: 429, error_code: 'rate', other: 'x' } };
  const update = eventOf({
    statusUpdate: { status: { state: 'TASK_STATE_FAILED', message }, metadata: { kagent_error_code: 'k', code: {} } },
  });
  assert.deepEqual(update.kind === 'status' && update.status.codes, ['429', 'rate', 'k']);
  const task = eventOf({ task: { id: 't', status: { state: 'TASK_STATE_FAILED' }, metadata: { code: 'c' } } });
  assert.deepEqual(task.kind === 'task' && task.task.status.codes, ['c']);
});

test('an id over the limit is no id', () => {
  const long = 'x'.repeat(1_025);
  const event = eventOf({
    artifactUpdate: { taskId: long, contextId: 'c', artifact: { artifactId: long, parts: [] } },
  });
  assert.deepEqual(event, { kind: 'artifact', contextId: 'c', append: false, artifact: { artifactId: '', parts: [] } });
});

test('C080 a message without a role is the agent who was asked, one with an unknown role is nobody', () => {
  const roles = ['ROLE_AGENT', 'agent', 'user', undefined, 'ROLE_UNSPECIFIED', 'system'].map((role) => {
    const event = eventOf({ message: { role, parts: [] } });
    return event.kind === 'message' && event.message.role;
  });
  assert.deepEqual(roles, ['agent', 'agent', 'user', 'agent', 'user', 'user']);
});

test('text that ADK marks as partial is no text: the whole of it comes in another artifact', () => {
  const parts = [
    { text: 'Hel', metadata: { adk_partial: true } },
    { text: 'Hello', metadata: { adk_partial: false } },
  ];
  const event = eventOf({ artifactUpdate: { artifact: { artifactId: 'a', parts } } });
  assert.ok(event.kind === 'artifact');
  assert.deepEqual(event.artifact.parts, [{ kind: 'other' }, { kind: 'text', text: 'Hello', thought: false }]);
});
