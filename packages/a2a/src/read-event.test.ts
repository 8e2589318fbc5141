import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from './model.ts';
import { readEvent } from './read-event.ts';
import { readTask } from './read-task.ts';
import { readTaskPage } from './read-task-page.ts';

function eventOf<Kind extends StreamEvent['kind']>(value: unknown, kind: Kind): Extract<StreamEvent, { kind: Kind }> {
  const event = readEvent(value);
  assert.equal(event?.kind, kind);
  return event as Extract<StreamEvent, { kind: Kind }>;
}

const status = (value: unknown): StatusUpdate => eventOf(value, 'status-update');
const artifact = (value: unknown): ArtifactUpdate => eventOf(value, 'artifact-update');

describe('both spellings of one event read alike', () => {
  test('artifact update', () => {
    const update = { taskId: 't', contextId: 'c', append: true, lastChunk: true, metadata: { m: 1 } };
    const modern = artifact({ artifactUpdate: { ...update, artifact: { artifactId: 'a', parts: [{ text: 'x' }] } } });
    const old = artifact({
      kind: 'artifact-update',
      ...update,
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] },
    });
    for (const { taskId, contextId, append, lastChunk, metadata, artifact: read } of [modern, old]) {
      assert.deepEqual({ taskId, contextId, append, lastChunk, metadata }, update);
      assert.equal(read.artifactId, 'a');
      assert.deepEqual(
        read.parts.map((part) => part.kind === 'text' && part.text),
        ['x'],
      );
    }
  });

  test('status update, with its message', () => {
    const modern = status({
      statusUpdate: {
        taskId: 't',
        contextId: 'c',
        status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { role: 'ROLE_AGENT', messageId: 'm', parts: [] } },
      },
    });
    const old = status({
      kind: 'status-update',
      taskId: 't',
      contextId: 'c',
      final: true,
      status: { state: 'input-required', message: { kind: 'message', role: 'agent', messageId: 'm', parts: [] } },
    });
    for (const { taskId, status: read } of [modern, old]) {
      assert.equal(taskId, 't');
      assert.equal(read.state, 'input-required');
      assert.equal(read.message?.role, 'agent');
      assert.equal(read.message?.messageId, 'm');
    }
    assert.deepEqual([modern.final, old.final], [false, true]);
  });

  test('task and message, wrapped, with kind, and bare', () => {
    const task = { id: 't', contextId: 'c', status: { state: 'working' } };
    for (const value of [{ task }, { kind: 'task', ...task }, task]) assert.equal(eventOf(value, 'task').task.id, 't');
    const message = { messageId: 'm', role: 'agent', parts: [{ text: 'x' }] };
    for (const value of [{ message }, { msg: message }, { kind: 'message', ...message }, message]) {
      assert.equal(eventOf(value, 'message').message.messageId, 'm');
    }
  });

  test('C136 1.0 enums and wrapping are read on any wire, by shape where there is no kind', () => {
    assert.equal(status({ taskId: 't', status: { state: 'TASK_STATE_COMPLETED' } }).status.state, 'completed');
    assert.equal(artifact({ taskId: 't', artifact: { artifactId: 'a', parts: [] } }).artifact.artifactId, 'a');
    assert.equal(status({ id: 't', final: true, status: { state: 'completed' } }).taskId, 't');
  });
});

describe('what is tolerated', () => {
  test('C137 states in every spelling; an unknown one is kept as text', () => {
    const states = [
      'TASK_STATE_COMPLETED',
      'cancelled',
      'TASK_STATE_CANCELLED',
      'input_required',
      'INPUT-REQUIRED',
      5,
      'TASK_STATE_FOO',
      null,
      {},
    ];
    const read = states.map((state) => status({ statusUpdate: { status: { state } } }).status);
    assert.deepEqual(
      read.map(({ state }) => state),
      [
        'completed',
        'canceled',
        'canceled',
        'input-required',
        'input-required',
        'canceled',
        'unknown',
        'unknown',
        'unknown',
      ],
    );
    assert.equal(read[6]?.stateText, 'TASK_STATE_FOO');
  });

  test('C031 ids as numbers; null and empty as absent', () => {
    const update = artifact({ artifactUpdate: { taskId: 7, contextId: '', artifact: { artifactId: 3, parts: null } } });
    assert.deepEqual([update.taskId, update.contextId, update.artifact.artifactId], ['7', undefined, '3']);
    assert.deepEqual(update.artifact.parts, []);
  });

  test('members in snake case', () => {
    assert.equal(
      artifact({ artifact_update: { task_id: 't', artifact: { artifact_id: 'a' } } }).artifact.artifactId,
      'a',
    );
    assert.equal(status({ status_update: { task_id: 't', context_id: 'c', status: {} } }).contextId, 'c');
  });

  test('parts of 0.2, of 1.0 and without kind; null in an array is left out', () => {
    const parts = [
      null,
      1,
      { type: 'text', text: 'a' },
      { data: [1] },
      { data: null },
      { url: 'u' },
      { kind: 'file', file: { bytes: 'AA', mimeType: 'm', name: 'n' } },
      { kind: 'text' },
      {},
    ];
    const read = artifact({ artifactUpdate: { artifact: { parts } } }).artifact.parts;
    assert.deepEqual(
      read.map(({ kind }) => kind),
      ['text', 'data', 'data', 'file', 'file', 'unknown', 'unknown'],
    );
    const file = read[4];
    assert.deepEqual(file?.kind === 'file' && [file.raw, file.mediaType, file.filename], ['AA', 'm', 'n']);
  });

  test('unknown members are kept, as they came', () => {
    const wire = { taskId: 't', novel: { a: 1 }, artifact: { artifactId: 'a', parts: [{ text: 'x', novel: 2 }] } };
    const update = artifact({ artifactUpdate: wire });
    assert.equal(update.source, wire);
    assert.equal(update.artifact.parts[0]?.source['novel'], 2);
  });

  test('what is no event is none', () => {
    for (const value of [null, [], 'x', {}, { kind: 'novel' }, { task: null }, { artifactUpdate: [] }, { id: 't' }]) {
      assert.equal(readEvent(value), undefined);
    }
  });

  test('any JSON is read without an exception, at any depth', () => {
    const names = [
      'artifactUpdate',
      'statusUpdate',
      'task',
      'message',
      'kind',
      'status',
      'artifact',
      'parts',
      'history',
      'artifacts',
      'tasks',
      'state',
      'metadata',
    ];
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, 'task', 'message', 'status-update', 'completed', 7, true),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => void [readEvent(value), readTask(value), readTaskPage(value)]),
      { numRuns: 2_000 },
    );
  });

  test('depth 10,000 is passed on, not walked', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    const part = artifact({ artifactUpdate: { artifact: { parts: [{ data: deep }] } } }).artifact.parts[0];
    assert.equal(part?.kind === 'data' && part.data, deep);
  });
});
