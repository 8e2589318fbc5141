import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTask } from './read-task.ts';
import { readTaskPage } from './read-task-page.ts';

test('a task, bare or wrapped, of either version', () => {
  const old = {
    kind: 'task',
    id: 't',
    contextId: 'c',
    status: { state: 'completed', timestamp: '2026-01-01T00:00:00Z' },
  };
  const modern = {
    task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:00:00Z' } },
  };
  for (const value of [old, modern]) {
    const task = readTask(value);
    assert.deepEqual([task?.id, task?.contextId, task?.status.state], ['t', 'c', 'completed']);
    assert.equal(task?.status.timestamp, '2026-01-01T00:00:00Z');
    assert.deepEqual([task?.artifacts, task?.history], [[], []]);
  }
});

test('null stands for absent, everywhere', () => {
  const task = readTask({
    id: 1,
    status: { state: 'working', message: null },
    artifacts: [null, { artifactId: 'a' }],
    history: null,
  });
  assert.equal(task?.id, '1');
  assert.equal(task?.artifacts.length, 1);
  assert.equal(task?.status.message, undefined);
});

test('a state where a status belongs', () => {
  assert.equal(readTask({ id: 't', status: 'failed' })?.status.state, 'failed');
});

test('what is no task is none', () => {
  for (const value of [
    null,
    {},
    [],
    { kind: 'message', parts: [] },
    { role: 'agent', parts: [], status: {} },
    { tasks: [] },
  ]) {
    assert.equal(readTask(value), undefined);
  }
});

test('C128 an absent, null or empty token ends the list', () => {
  for (const nextPageToken of [undefined, null, '']) {
    assert.equal(readTaskPage({ tasks: [], nextPageToken })?.nextPageToken, undefined);
  }
  assert.equal(readTaskPage({ tasks: [{ id: 't' }, null], nextPageToken: 'p' })?.nextPageToken, 'p');
  assert.deepEqual(readTaskPage({})?.tasks, []);
  for (const value of [null, [], { tasks: 'x' }]) assert.equal(readTaskPage(value), undefined);
});
