import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentMessage, Part, Status, TaskState } from '../reply/agent-event.ts';
import { message, text } from '../reply/fixtures/agent-says.ts';
import type { TaskId } from '../thread/ids.ts';
import type { Dialect, Pause } from './pause.ts';
import { HITL_URI, readPause } from './read-pause.ts';

const taskId = 'task-1' as TaskId;

interface Asked extends Partial<Omit<AgentMessage, 'parts'>> {
  readonly parts?: readonly Part[];
  readonly id?: string;
  readonly timestamp?: string;
}
const asked = ({ parts = [text('Which region?')], id, timestamp, ...more }: Asked = {}): Status => ({
  state: 'input-required',
  codes: [],
  message: { ...message(parts, id), ...more },
  ...(timestamp === undefined ? {} : { timestamp }),
});
function pauseOf(status: Status, dialect: Dialect = 'a2a', task: TaskId | undefined = taskId): Pause | undefined {
  const read = readPause(status, task, dialect);
  return read.kind === 'pause' ? read.pause : undefined;
}

describe('Q3: a text question', () => {
  it('is the text of the status message, joined and trimmed', () => {
    const pause = pauseOf(asked({ id: 'm1', parts: [text(' Which '), text('region?\n')] }));
    assert.equal(pause?.type, 'text');
    assert.equal(pause?.heading, 'The agent needs your input');
    assert.deepEqual(pause?.questions, [{ question: 'Which region?', choices: [], multiple: false }]);
    assert.deepEqual(pause?.tools, []);
    assert.equal(pause?.echo, undefined);
  });

  it('decision 11: says nothing of a thought', () => {
    const pause = pauseOf(asked({ id: 'm1', parts: [text('They mean the cloud.', true), text('Which region?')] }));
    assert.equal(pause?.questions[0]?.question, 'Which region?');
    assert.equal(pauseOf(asked({ id: 'm1', parts: [text('hm', true)] })), undefined);
  });

  it('is named by its task and messageId, or the time of its status', () => {
    const names = [
      pauseOf(asked({ id: 'm1' })),
      pauseOf(asked({ id: 'm1', timestamp: 'then' })),
      pauseOf(asked({ id: 'm2' })),
      pauseOf(asked({ timestamp: 'm1' })),
      pauseOf(asked({ timestamp: 'then' })),
      pauseOf(asked({ id: 'm1' }), 'a2a', 'task-2' as TaskId),
    ].map((pause) => pause?.name);
    assert.equal(names[0], names[1]);
    assert.ok(names.every((name) => name !== undefined));
    assert.equal(new Set(names.slice(1)).size, 4);
    assert.equal(pauseOf(asked({ id: 'm1' }))?.says, pauseOf(asked({ id: 'm2' }))?.says);
    assert.notEqual(pauseOf(asked({ id: 'm1', parts: [text('Other?')] }))?.says, pauseOf(asked({ id: 'm1' }))?.says);
  });

  for (const [why, status] of [
    ['without a name', asked()],
    ['without a message', { state: 'input-required', codes: [] }],
    ['that is blank', asked({ id: 'm1', parts: [text(' \n'), text('')] })],
    ['without parts', asked({ id: 'm1', parts: [] })],
    ['with a part of data', asked({ id: 'm1', parts: [text('Go on?'), { kind: 'data', data: {} }] })],
    ['with a file', asked({ id: 'm1', parts: [text('Go on?'), { kind: 'other' }] })],
    ['Q2 of auth-required', { ...asked({ id: 'm1' }), state: 'auth-required' }],
  ] satisfies readonly (readonly [string, Status])[]) {
    it(`is none ${why}`, () => assert.equal(pauseOf(status), undefined));
  }

  it('is none of no task', () => assert.equal(readPause(asked({ id: 'm1' }), undefined, 'a2a').kind, 'unusable'));

  it('does not exist in any other state', () => {
    for (const state of ['working', 'submitted', 'completed', 'failed', 'unknown'] satisfies TaskState[]) {
      assert.equal(pauseOf({ ...asked({ id: 'm1' }), state }), undefined);
    }
  });

  it('does not exist on kagent-v1', () => assert.equal(pauseOf(asked({ id: 'm1' }), 'kagent-v1'), undefined));
});

describe('Q4: a structured pause', () => {
  const payload = { type: 'tool_approval_request', tools: [{ id: 't1', name: 'rm', args: {} }] };
  const metadata = { [HITL_URI]: payload };
  const named = { metadata, extensions: [HITL_URI] };

  it('is read on kagent-v1 always, on a2a when the message names the extension', () => {
    assert.equal(pauseOf(asked({ ...named }), 'kagent-v1')?.type, 'tool-approval');
    assert.equal(pauseOf(asked({ metadata }), 'kagent-v1')?.type, 'tool-approval');
    assert.equal(pauseOf(asked({ ...named }), 'a2a')?.type, 'tool-approval');
    assert.equal(pauseOf(asked({ ...named, parts: [{ kind: 'data', data: {} }] }), 'a2a')?.type, 'tool-approval');
  });

  it('that a2a does not name is a text question, when it is text alone', () => {
    assert.equal(pauseOf(asked({ metadata, id: 'm1' }), 'a2a')?.type, 'text');
    assert.equal(pauseOf(asked({ metadata, id: 'm1', parts: [{ kind: 'data', data: {} }] }), 'a2a'), undefined);
    assert.equal(pauseOf(asked({ extensions: [HITL_URI], id: 'm1' }), 'a2a')?.type, 'text');
  });

  it('C094: without its payload cannot be shown on kagent-v1', () => {
    assert.equal(pauseOf(asked({ extensions: [HITL_URI], id: 'm1' }), 'kagent-v1'), undefined);
    assert.equal(pauseOf(asked({ metadata: { [HITL_URI]: null } }), 'kagent-v1'), undefined);
  });

  it('that is broken is no text question instead', () => {
    const broken = { metadata: { [HITL_URI]: { type: 'other' } }, extensions: [HITL_URI], id: 'm1' };
    assert.equal(pauseOf(asked(broken), 'a2a'), undefined);
  });
});
