import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnswerEntry, Entry, MessageEntry, NoticeEntry, RequestEntry, Timeline } from '../api/wire.ts';
import { announcements } from './announce.ts';
import { applyChanges, ChangeGatherer } from './timeline.ts';
import { groupTurns, progressOf } from './turns.ts';

const message = (turnId: string, text = turnId): MessageEntry => ({
  id: `m-${turnId}`,
  kind: 'message',
  turnId,
  actor: { id: 'u1' },
  text,
  at: '2026-01-02T03:04:05Z',
});
const answer = (turnId: string, text: string, streaming = false): AnswerEntry => ({
  id: `a-${turnId}`,
  kind: 'answer',
  turnId,
  text,
  streaming,
});
const notice = (turnId: string, code: string): NoticeEntry => ({
  id: `n-${turnId}`,
  kind: 'notice',
  turnId,
  code,
  text: 'It failed.',
});
const asks = (turnId: string, more: Partial<RequestEntry> = {}): RequestEntry => ({
  ...{ id: `r-${turnId}`, kind: 'request', turnId, type: 'text', state: 'open', heading: 'The agent needs your input' },
  ...{
    questions: [{ question: 'Which one?', choices: [], multiple: false }],
    tools: [],
    until: '2026-01-02T03:04:05Z',
  },
  ...more,
});
const timeline = (entries: readonly Entry[], status: Timeline['status'] = 'idle'): Timeline => ({
  id: 't',
  binding: 'b',
  status,
  entries,
});

test('an entry that changes stays where it began, a new one stands at the end', () => {
  const gathered = new ChangeGatherer();
  for (const entry of [answer('1', 'Hel', true), message('2'), answer('1', 'Hello')]) gathered.addEntry(entry);
  gathered.addStatus('running');
  const after = applyChanges(timeline([message('1'), answer('1', 'H', true)]), gathered.take());
  assert.deepEqual(after, timeline([message('1'), answer('1', 'Hello'), message('2')], 'running'));
});

test('new entries keep the order in which they came, however often they change', () => {
  const gathered = new ChangeGatherer();
  for (const entry of [message('1'), answer('1', 'a', true), message('2'), answer('1', 'ab')]) gathered.addEntry(entry);
  assert.deepEqual(
    applyChanges(timeline([]), gathered.take()).entries.map(({ id }) => id),
    ['m-1', 'a-1', 'm-2'],
  );
});

test('nothing new leaves the very same timeline', () => {
  const before = timeline([message('1')]);
  assert.equal(applyChanges(before, new ChangeGatherer().take()), before);
});

test('a message that was written in mid-answer stands after that answer, and is queued', () => {
  const turns = groupTurns([message('1'), answer('1', 'Hel', true), message('2'), notice('1', 'busy')]);
  assert.deepEqual(
    turns.map(({ key, rest }) => [key, rest.map(({ id }) => id)]),
    [
      ['1', ['a-1', 'n-1']],
      ['2', []],
    ],
  );
  assert.deepEqual(
    turns.map((turn) => progressOf(turn, turns, 'running')),
    ['working', 'queued'],
  );
});

test('a turn that did not change is the same object', () => {
  const first = [message('1'), answer('1', 'Hello'), message('2')];
  const before = groupTurns(first);
  const after = groupTurns([...first, answer('2', 'x', true)], before);
  assert.equal(after[0], before[0]);
  assert.notEqual(after[1], before[1]);
});

test('the next message is under way when the turn before it is settled', () => {
  const turns = groupTurns([message('1'), answer('1', 'Hello'), message('2'), message('3')]);
  assert.deepEqual(
    turns.map((turn) => progressOf(turn, turns, 'running')),
    ['none', 'working', 'queued'],
  );
  assert.deepEqual(
    turns.map((turn) => progressOf(turn, turns, 'idle')),
    ['none', 'none', 'none'],
  );
});

test('an aside is no turn: nothing waits for it', () => {
  const { turnId: _, ...aside } = message('9');
  const turns = groupTurns([message('1'), answer('1', 'Hel', true), { ...aside, kind: 'message' }]);
  assert.deepEqual(
    turns.map((turn) => progressOf(turn, turns, 'running')),
    ['working', 'none'],
  );
});

test('decision 14: a typed answer stands in the turn that asked, the next message waits behind it', () => {
  const answered = asks('1', {
    state: 'answered',
    answer: { actor: { id: 'u1' }, answers: [['2']], approvals: [] },
  });
  const waiting = groupTurns([message('1'), asks('1'), message('2'), message('3')]);
  const after = groupTurns([message('1'), answered, message('9', 'no'), message('2'), answer('1', 'So', true)]);
  const ids = (turns: typeof after) => turns.map(({ key, rest }) => [key, rest.map(({ id }) => id)]);
  assert.deepEqual(ids(waiting), [
    ['1', ['r-1', 'm-2']],
    ['3', []],
  ]);
  assert.deepEqual(ids(after), [
    ['1', ['r-1', 'm-2', 'a-1']],
    ['9', []],
  ]);
  assert.deepEqual(
    after.map((turn) => progressOf(turn, after, 'running')),
    ['working', 'queued'],
  );
});

test('decision 14: no message of a turn of its own, and none beside a structured request, is taken for an answer', () => {
  const busy = [message('1'), asks('1'), message('2'), notice('2', 'busy'), message('3')];
  assert.deepEqual(
    groupTurns(busy).map(({ key }) => key),
    ['1', '2'],
  );
  const structured = [message('1'), asks('1', { type: 'questions' }), message('2')];
  assert.deepEqual(
    groupTurns(structured).map(({ key }) => key),
    ['1', '2'],
  );
  const pointedOut = groupTurns([...structured, notice('1', 'answer-the-prompt')]);
  assert.deepEqual(
    pointedOut.map((turn) => progressOf(turn, pointedOut, 'waiting')),
    ['none', 'queued'],
  );
});

test('a screen reader hears of a request when it comes and when it is decided', () => {
  const before = timeline([message('1')]);
  const open = timeline([message('1'), asks('1')], 'waiting');
  const tools = [{ id: 'x', name: 'delete_pod' }];
  const approval = timeline([message('1'), asks('1', { type: 'tool-approval', heading: 'May I?', tools })], 'waiting');
  assert.deepEqual(announcements(before, open), ['The agent asks: Which one?']);
  assert.deepEqual(announcements(before, approval), ['The agent asks: May I?, 1 tool.']);
  assert.deepEqual(announcements(open, timeline([message('1'), asks('1', { until: '' })], 'waiting')), []);
  assert.deepEqual(announcements(open, timeline([message('1'), asks('1', { state: 'expired' })])), [
    'Expired. Nobody answered in time.',
  ]);
});

test('a screen reader hears an answer once, when it is whole', () => {
  const start = timeline([message('1')], 'running');
  const growing = timeline([message('1'), answer('1', 'Hel', true)], 'running');
  const whole = timeline([message('1'), answer('1', 'Hello')], 'running');
  const over = timeline([message('1'), answer('1', 'Hello')]);
  assert.deepEqual(announcements(undefined, whole), []);
  assert.deepEqual(announcements(timeline([message('1')]), start), ['The agent is working.']);
  assert.deepEqual(announcements(start, growing), []);
  assert.deepEqual(announcements(growing, whole), ['Answer: Hello']);
  assert.deepEqual(announcements(whole, over), []);
});

test('a screen reader hears of a notice and of a failed step', () => {
  const before = timeline([message('1')]);
  const step: Entry = { id: 's', kind: 'step', turnId: '1', name: 'look_up', state: 'running' };
  const running = timeline([message('1'), step]);
  assert.deepEqual(announcements(before, running), []);
  assert.deepEqual(
    announcements(running, timeline([message('1'), { ...step, state: 'failed' }, notice('1', 'task-failed')])),
    ['Step failed: look_up', 'Notice: It failed.'],
  );
});
