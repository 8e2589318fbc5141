import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import { REDACTED } from '../shown/redact.ts';
import type { TaskId } from '../thread/ids.ts';
import type { Pause } from './pause.ts';
import { readStructured } from './read-structured.ts';

type Json = Readonly<Record<string, unknown>>;

const taskId = 'task-1' as TaskId;
const tool = (id: unknown = 't1', more: Json = {}) => ({ id, name: 'delete_pod', args: { pod: 'web-0' }, ...more });
const approval = (tools: unknown = [tool()], more: Json = {}) => ({ type: 'tool_approval_request', tools, ...more });
const ask = (questions: unknown = [{ question: 'Which?' }], more: Json = {}) => ({
  type: 'ask_user_request',
  id: 'q1',
  questions,
  ...more,
});
const nested = (tools: unknown, more: Json = {}) => ({
  nested: { subagent_name: 'k8s', task_id: 'child', context_id: 'c', tools, ...more },
});
const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));

function pauseOf(payload: unknown): Pause | undefined {
  const read = readStructured(payload, taskId);
  return read.kind === 'pause' ? read.pause : undefined;
}

describe('Q5: a tool approval', () => {
  it('shows each tool with its name and arguments, as sent', () => {
    const args = { deep: [{ text: 'a\n\tb', n: 1.5, none: null, yes: true }] };
    const pause = pauseOf(approval([tool('t1', { args, call_id: 'c1' }), tool('t2', { args: null })]));
    assert.equal(pause?.type, 'tool-approval');
    assert.deepEqual(pause?.tools, [
      { id: 't1', callId: 'c1', name: 'delete_pod', args },
      { id: 't2', name: 'delete_pod', args: null },
    ]);
    assert.deepEqual(pause?.questions, []);
    assert.deepEqual(pauseOf(approval([{ id: 't1', name: 'f' }]))?.tools, [{ id: 't1', name: 'f' }]);
  });

  it('Q14: with its secrets redacted', () => {
    const pause = pauseOf(approval([tool('t1', { args: { password: 'hunter2', pod: 'web-0' } })]));
    assert.deepEqual(pause?.tools[0]?.args, { password: REDACTED, pod: 'web-0' });
    assert.ok(!JSON.stringify(pause).includes('hunter2'));
  });

  it('has 1 to 20 tools', () => {
    assert.equal(pauseOf(approval(times(20, (index) => tool(`t${index}`))))?.tools.length, 20);
    assert.equal(pauseOf(approval(times(21, (index) => tool(`t${index}`)))), undefined);
    assert.equal(pauseOf(approval([])), undefined);
  });

  for (const [why, payload] of [
    ['whose tools are no list', approval({ 0: tool() })],
    ['without tools', { type: 'tool_approval_request' }],
    ['with a tool that is none', approval([tool(), 'rm'])],
    ['with a tool without an id', approval([{ name: 'rm', args: {} }])],
    ['with a tool with a blank id', approval([tool(' ')])],
    ['with a tool whose id is a number', approval([tool(1)])],
    ['with two tools of one id', approval([tool('t1'), tool('t1')])],
    ['with a tool without a name', approval([tool('t1', { name: undefined })])],
    ['Q7 with a name that cleaning would change', approval([tool('t1', { name: 'rm ' })])],
    ['Q7 with a name that is too long', approval([tool('t1', { name: 'x'.repeat(301) })])],
    ['Q7 with an escape in an argument', approval([tool('t1', { args: { a: ['x\u001b[2K'] } })])],
    ['C103 with a right-to-left override in an argument', approval([tool('t1', { args: { a: 'x\u202e' } })])],
    ['C103 with 5,000 blanks in an argument', approval([tool('t1', { args: `ls${' '.repeat(5_000)};rm` })])],
    ['Q7 with a hidden key', approval([tool('t1', { args: { 'a\u200b': 1 } })])],
    ['Q7 with an integer of 2^53', approval([tool('t1', { args: { n: 2 ** 53 } })])],
    ['Q7 with one such tool among others', approval([tool('t1'), tool('t2', { args: '\u0000' })])],
    ['Q7 that does not fit', approval(times(2, (index) => tool(`t${index}`, { args: 'x'.repeat(15_000) })))],
    ['of another type', { ...approval(), type: 'tool_approval' }],
    ['that is a list', [approval()]],
    ['that is null', null],
  ] as const) {
    it(`cannot be shown ${why}`, () => assert.equal(pauseOf(payload), undefined));
  }
});

describe('Q5: questions', () => {
  it('have choices or take free text, one or many', () => {
    const pause = pauseOf(
      ask([
        { question: ' Which?\u200b ', choices: ['a', 'b'], multiple: false },
        { question: 'Which all?', choices: ['a', 'b'], multiple: true },
        { question: 'Name?', choices: null },
        { question: 'Why?', choices: [], multiple: 'yes' },
      ]),
    );
    assert.equal(pause?.type, 'questions');
    assert.equal(pause?.echo, 'q1');
    assert.deepEqual(pause?.questions, [
      { question: 'Which?', choices: ['a', 'b'], multiple: false },
      { question: 'Which all?', choices: ['a', 'b'], multiple: true },
      { question: 'Name?', choices: [], multiple: false },
      { question: 'Why?', choices: [], multiple: false },
    ]);
  });

  it('are 1 to 20, of at most 100 choices each', () => {
    const choices = (count: number) => times(count, (index) => `choice ${index}`);
    assert.equal(pauseOf(ask(times(20, () => ({ question: 'Which?' }))))?.questions.length, 20);
    assert.equal(pauseOf(ask(times(21, () => ({ question: 'Which?' })))), undefined);
    assert.equal(pauseOf(ask([])), undefined);
    assert.equal(pauseOf(ask([{ question: 'Which?', choices: choices(100) }]))?.questions[0]?.choices.length, 100);
    assert.equal(pauseOf(ask([{ question: 'Which?', choices: choices(101) }])), undefined);
  });

  for (const [why, payload] of [
    ['without an id', ask(undefined, { id: undefined })],
    ['with an empty id', ask(undefined, { id: '' })],
    ['with an id that is too long', ask(undefined, { id: 'x'.repeat(LIMITS.idCharacters + 1) })],
    ['without a list', ask('Which?')],
    ['with a question that is none', ask([{ question: 'Which?' }, 'And?'])],
    ['with a question without text', ask([{ choices: ['a'] }])],
    ['with a blank question', ask([{ question: ' ' }])],
    ['with choices that are no list', ask([{ question: 'Which?', choices: 'a' }])],
    ['with a choice that is no text', ask([{ question: 'Which?', choices: ['a', 1] }])],
    ['with a blank choice', ask([{ question: 'Which?', choices: ['a', ' '] }])],
    ['with one choice twice', ask([{ question: 'Which?', choices: ['a', 'a'] }])],
    ['Q7 with a choice that shows as another', ask([{ question: 'Which?', choices: ['a', 'a\u200b'] }])],
    ['Q7 that do not fit', ask(times(3, () => ({ question: 'x'.repeat(10_000) })))],
  ] as const) {
    it(`cannot be shown ${why}`, () => assert.equal(pauseOf(payload), undefined));
  }
});

describe('Q6: a nested pause', () => {
  const child = [tool('n1'), tool('n2', { name: 'delete_pvc' })];

  it('C095: of an approval decides the nested tools, and shows them alone', () => {
    const pause = pauseOf(approval([tool('outer', { name: 'k8s' })], nested(child)));
    assert.deepEqual(
      pause?.tools.map(({ id, name }) => [id, name]),
      [
        ['n1', 'delete_pod'],
        ['n2', 'delete_pvc'],
      ],
    );
  });

  it('of a question echoes the id of its only nested tool', () => {
    const pause = pauseOf(ask(undefined, nested([{ id: 'n1', name: 'ask_user', args: { questions: ['\u200b'] } }])));
    assert.equal(pause?.echo, 'n1');
    assert.equal(pauseOf(ask(undefined, { nested: null }))?.echo, 'q1');
  });

  it('of an approval asks nothing of the outer tool but an id, because it is not shown', () => {
    const outer = [{ id: 'outer', args: { request: 'x\u200b'.repeat(20_000) } }];
    assert.equal(pauseOf(approval(outer, nested(child)))?.tools.length, 2);
  });

  for (const [why, payload] of [
    ['of an approval with two outer tools', approval([tool('o1'), tool('o2')], nested(child))],
    ['of an approval without an outer tool', approval([], nested(child))],
    ['of an approval whose outer tool has no id', approval([{ name: 'k8s' }], nested(child))],
    ['of an approval without nested tools', approval([tool('outer')], nested([]))],
    ['of an approval with 21 nested tools', approval([tool('o')], nested(times(21, (index) => tool(`n${index}`))))],
    [
      'of an approval with a nested tool that cannot be shown',
      approval([tool('o')], nested([tool('n', { args: '\u0000' })])),
    ],
    ['that is no object', approval(undefined, { nested: [tool('n1')] })],
    ['without the name of the sub-agent', approval(undefined, nested(child, { subagent_name: '' }))],
    ['without a task', approval(undefined, nested(child, { task_id: undefined }))],
    ['of a question with another tool', ask(undefined, nested([tool('n1')]))],
    [
      'of a question with two tools',
      ask(undefined, nested(times(2, (index) => tool(`n${index}`, { name: 'ask_user' })))),
    ],
    ['of a question without a tool', ask(undefined, nested([]))],
    ['of a question whose tool has no id', ask(undefined, nested([{ name: 'ask_user' }]))],
  ] as const) {
    it(`cannot be shown ${why}`, () => assert.equal(pauseOf(payload), undefined));
  }
});

describe('what tells one pause from another', () => {
  const name = (payload: unknown) => pauseOf(payload)?.name;
  it('is its task, its id and the ids of its tools', () => {
    assert.equal(name(approval([tool('t1')])), name(approval([tool('t1', { args: {} })])));
    const names = [
      name(approval([tool('t1')])),
      name(approval([tool('t2')])),
      name(approval([tool('t1'), tool('t2')])),
      name(approval([tool('t1')], nested([tool('t3')]))),
      name(ask()),
      name(ask(undefined, { id: 'q2' })),
    ];
    assert.equal(new Set(names).size, names.length);
    const other = readStructured(approval(), 'task-2' as TaskId);
    assert.notEqual(other.kind === 'pause' && other.pause.name, name(approval()));
  });
  it('and what it says is what it shows', () => {
    const says = (payload: unknown) => pauseOf(payload)?.says;
    assert.equal(says(approval()), says(approval()));
    assert.notEqual(says(approval()), says(approval([tool('t1', { args: { pod: 'web-1' } })])));
    assert.notEqual(says(approval()), says(approval([tool('t1', { name: 'other' })])));
    assert.notEqual(says(ask()), says(ask([{ question: 'Other?' }])));
    assert.notEqual(says(ask([{ question: 'Which?', choices: ['a'] }])), says(ask()));
  });
});

describe('Q13: the heading', () => {
  const heading = (hint: unknown, payload: Json = approval()) => pauseOf({ ...payload, hint })?.heading;
  it('is the hint, in one line, cut where it is long', () => {
    assert.equal(heading(' Delete\r\n\tthe\u202e pod? '), 'Delete the pod?');
    assert.equal(heading('x'.repeat(500))?.length, LIMITS.headingCharacters);
    assert.match(heading('x'.repeat(500)) ?? '', /…$/);
    assert.equal(heading('x'.repeat(LIMITS.headingCharacters))?.length, LIMITS.headingCharacters);
    assert.equal(heading('Please approve or reject the tool call rm'), 'Please approve or reject the tool call rm');
    assert.equal(heading('Pods?', ask()), 'Pods?');
  });
  it("is the courier's own without one", () => {
    const adk =
      'Please approve or reject the tool call rm() by responding with a FunctionResponse with an expected ToolConfirmation payload. (rm)';
    for (const hint of [undefined, null, '', ' \u200b\n', 7, ['x'], adk]) {
      assert.equal(heading(hint), 'The agent needs your approval');
      assert.equal(heading(hint, ask()), 'The agent needs your input');
    }
  });
});
