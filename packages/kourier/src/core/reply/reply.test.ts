import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import type { ContextId, TaskId } from '../thread/ids.ts';
import type { AgentEvent, AgentMessage, Part, Status, TaskState } from './agent-event.ts';
import { Reply } from './reply.ts';

const taskId = 'task-1' as TaskId;
const contextId = 'ctx-1' as ContextId;
const text = (words: string): Part => ({ kind: 'text', text: words, thought: false });
const say = (words: string, more: Partial<AgentMessage> = {}): AgentMessage => ({
  role: 'agent',
  parts: [text(words)],
  extensions: [],
  ...more,
});
const inState = (state: TaskState, message?: AgentMessage): Status => ({
  state,
  codes: [],
  ...(message && { message }),
});
const status = (state: TaskState, message?: AgentMessage): AgentEvent => ({
  kind: 'status',
  taskId,
  contextId,
  status: inState(state, message),
  final: false,
});
const chunk = (words: string | readonly Part[], append = false, artifactId = 'answer'): AgentEvent => ({
  kind: 'artifact',
  taskId,
  contextId,
  append,
  artifact: { artifactId, parts: typeof words === 'string' ? [text(words)] : words },
});
const task = (state: TaskState, texts: readonly (readonly [string, string])[] = []): AgentEvent => ({
  kind: 'task',
  task: {
    id: taskId,
    contextId,
    status: inState(state),
    artifacts: texts.map(([artifactId, words]) => ({ artifactId, parts: [text(words)] })),
    history: [],
  },
});

function replyTo(...events: readonly AgentEvent[]): Reply {
  const reply = new Reply();
  for (const event of events) reply.apply(event);
  return reply;
}

describe('a reply', () => {
  it('R12: append adds, anything else replaces, and an update without text leaves it', () => {
    const reply = replyTo(
      chunk('Dra'),
      chunk('ft', true),
      chunk('Final'),
      chunk('!', true),
      chunk([{ kind: 'other' }]),
    );
    assert.equal(reply.text(), 'Final!');
  });

  it('R12: an empty text part takes the text back, and an empty artifact is left out', () => {
    assert.equal(
      replyTo(chunk('Never mind', false, 'draft'), chunk('Hello'), chunk('', false, 'draft')).text(),
      'Hello',
    );
  });

  it('R12: artifacts stand in the order in which they first appeared', () => {
    assert.equal(
      replyTo(chunk('b', false, 'two'), chunk('a', false, 'one'), chunk('!', true, 'two')).text(),
      'b!\n\na',
    );
  });

  it('R13: a snapshot that is a prefix of what was received is older, any other text is news', () => {
    const received = [chunk('Hello world')];
    assert.equal(replyTo(...received, task('working', [['answer', 'Hello']])).text(), 'Hello world');
    assert.equal(replyTo(...received, task('working', [['answer', '']])).text(), 'Hello world');
    assert.equal(
      replyTo(...received, task('working', [['answer', 'Hello world, hello']])).text(),
      'Hello world, hello',
    );
    assert.equal(replyTo(...received, task('completed', [['answer', 'Bye']])).text(), 'Bye');
  });

  it('R14 and decision 11: files, data and thoughts are no text', () => {
    const parts: Part[] = [
      { kind: 'text', text: 'hm', thought: true },
      { kind: 'data', data: { a: 1 } },
      { kind: 'other' },
    ];
    assert.equal(replyTo(chunk('Hi'), chunk(parts)).text(), 'Hi');
  });

  it('R10: a bare message of the agent is the whole turn', () => {
    const reply = replyTo({
      kind: 'message',
      message: say('Hi', { contextId, parts: [text('H'), { kind: 'other' }, text('i')] }),
    });
    assert.equal(reply.text(), 'Hi');
    assert.equal(reply.contextId, contextId);
    assert.equal(reply.taskId, undefined);
  });

  it('R10: a message of the user, about a task, or after a task was named is ignored', () => {
    const user = replyTo({ kind: 'message', message: say('yours', { role: 'user' }) });
    assert.equal(user.heard, false);
    const about = replyTo({ kind: 'message', message: say('about', { taskId }) });
    assert.equal(about.heard, false);
    const after = replyTo(task('working'), { kind: 'message', message: say('late') });
    assert.equal(after.message, undefined);
    assert.equal(after.text(), '');
  });

  it('decision 9: of several bare messages the first is the turn', () => {
    assert.equal(
      replyTo({ kind: 'message', message: say('one') }, { kind: 'message', message: say('two') }).text(),
      'one',
    );
  });

  it('C052: only a terminal or paused state ends a turn', () => {
    const reply = replyTo(task('submitted'), status('working'), chunk('hi'));
    assert.equal(reply.settled, undefined);
    reply.apply(status('completed'));
    assert.deepEqual(reply.settled, { status: inState('completed'), full: false });
    assert.equal(reply.text(), 'hi');
  });

  it('C062: a terminal state is never taken back, and what comes after it changes nothing', () => {
    const reply = replyTo(chunk('done'), status('completed'));
    assert.equal(reply.apply(status('working')), 'late');
    assert.equal(reply.apply(chunk('more', true)), 'late');
    assert.equal(reply.apply(task('working', [['answer', 'do']])), 'life');
    assert.equal(reply.settled?.status.state, 'completed');
    assert.equal(reply.settled?.full, false);
    assert.equal(reply.text(), 'done');
  });

  it('Q1: an unknown state is terminal only where the agent marks it as final, and its task is then the full one', () => {
    const unknown = (final: boolean): AgentEvent => ({ kind: 'status', taskId, status: inState('unknown'), final });
    assert.equal(replyTo(unknown(false)).settled, undefined);
    assert.deepEqual(replyTo(unknown(true)).settled, { status: inState('unknown'), full: false });
    assert.equal(replyTo(unknown(true), task('unknown')).settled?.full, true);
  });

  it('C079, C085: what a snapshot leaves out is not taken back, neither text nor steps', () => {
    const call: Part = {
      ...{ kind: 'data', data: { id: 'c', name: 'look', args: {} } },
      metadata: { adk_type: 'function_call' },
    };
    const reply = replyTo(chunk('Hi'), chunk([call], true), task('working'), task('working', [['answer', 'Hi']]));
    assert.deepEqual([reply.text(), reply.steps.list.map(({ name }) => name)], ['Hi', ['look']]);
  });

  it('C068: an event about another task is not taken', () => {
    const other = { ...(chunk('foreign') as Extract<AgentEvent, { kind: 'artifact' }>), taskId: 'task-2' as TaskId };
    const reply = replyTo(task('working'), other);
    assert.equal(reply.text(), '');
  });

  it('C074: an append to an artifact that was never seen creates it', () => {
    assert.equal(replyTo(chunk('new', true, 'fresh')).text(), 'new');
  });

  it('C076 and C077: the final text is shown once', () => {
    const c076 = replyTo(
      chunk('He', false, 'p'),
      chunk('llo', true, 'p'),
      chunk('Hello', false, 'f'),
      chunk('', false, 'p'),
    );
    assert.equal(c076.text(), 'Hello');
    assert.equal(replyTo(chunk('a'), chunk('ab', true), chunk('AB done')).text(), 'AB done');
  });

  it('C080 and C082: status text is never the answer, and that there was some is known', () => {
    const reply = replyTo(
      status('working', say('ask', { role: 'user' })),
      status('working', say('the answer')),
      status('completed'),
    );
    assert.equal(reply.text(), '');
    assert.equal(reply.statusText, true);
    assert.equal(replyTo(status('working', say('ask', { role: 'user' }))).statusText, false);
  });

  it('C083: entries of one artifact in a snapshot are one text', () => {
    assert.equal(
      replyTo(
        task('completed', [
          ['a', 'He'],
          ['a', 'llo'],
        ]),
      ).text(),
      'Hello',
    );
  });

  it('C086: a message after a task is ignored, the task settles', () => {
    const reply = replyTo(
      task('working'),
      { kind: 'message', message: say('extra') },
      chunk('Hi'),
      status('completed'),
    );
    assert.equal(reply.text(), 'Hi');
  });

  it('C091: a status with an empty message is a sign of life and shows nothing', () => {
    const reply = new Reply();
    assert.equal(reply.apply(status('working', say('', { parts: [], metadata: { a: 1 } }))), 'life');
    assert.equal(reply.text(), '');
  });

  it('C125: the final task is the last word over chunks with a gap', () => {
    assert.equal(replyTo(chunk('He'), chunk('!', true), task('completed', [['answer', 'Hello!']])).text(), 'Hello!');
  });

  it('stops at the limits and keeps what came before', () => {
    const long = 'x'.repeat(LIMITS.answerCharacters);
    const reply = replyTo(chunk(long), chunk('y', true));
    assert.equal(reply.overLimit, true);
    assert.equal(reply.length, LIMITS.answerCharacters);
    const many = new Reply();
    for (let at = 0; at <= LIMITS.artifacts; at += 1) many.apply(chunk('x', false, `a${at}`));
    assert.equal(many.overLimit, true);
  });
});
