import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuMs } from '../../../../../../agent/test/cpu-ms.ts';
import { checkBlocks } from '../../../../../contract/slack/blocks/check-blocks.ts';
import type { Shape } from '../../../../../contract/slack/shape.ts';
import type {
  AnswerEntry,
  Entry,
  MessageEntry,
  Question,
  RequestEntry,
  StepEntry,
} from '../../../../core/thread/entry.ts';
import type { EntryId, TurnId } from '../../../../core/thread/ids.ts';
import { FORMS, formOf } from './forms.ts';
import { layoutThread } from './layout-thread.ts';
import type { ReplyBody, SlackBody } from './slack-body.ts';

const turnId = 't1' as TurnId;
const id = (name: string): EntryId => name as EntryId;
const said = (actor: string | undefined, text = 'why?'): MessageEntry => {
  const base = { kind: 'message', id: id(`m-${actor}`), text, at: '2026-11-29T00:00:00Z', turnId } as const;
  return actor === undefined ? base : { ...base, actor: { id: actor, name: 'Ada' } };
};
const answer = (name: string, text: string, streaming = false): AnswerEntry => {
  return { kind: 'answer', id: id(name), turnId, text, streaming };
};
const step = (name: string, state: StepEntry['state'] = 'done'): StepEntry => {
  return { kind: 'step', id: id(name), turnId, name, args: { a: 1 }, result: 'ok', state };
};
const asks = (more: Partial<RequestEntry>): RequestEntry => ({
  kind: 'request',
  id: id('r'),
  turnId,
  type: 'questions',
  state: 'open',
  heading: 'A question',
  questions: [],
  tools: [],
  until: '2026-11-30T00:00:00Z',
  ...more,
});
const question = (choices: readonly string[], multiple = false): Question => ({
  question: 'Which?',
  choices,
  multiple,
});
const bodyOf = (entries: readonly Entry[], index = 0): SlackBody => layoutThread(entries)[index]?.body as SlackBody;
const replyOf = (post: { readonly body: unknown } | undefined): ReplyBody => post?.body as ReplyBody;
const blocksOf = (body: SlackBody): readonly Shape[] => formOf(body, 'best').blocks as unknown as readonly Shape[];
const buttonsOf = (entry: RequestEntry): string[] =>
  [...JSON.stringify(blocksOf(bodyOf([entry]))).matchAll(/"action_id":"([^"]+)"/g)].map(([, action = '']) => action);

test('pieces of an answer and steps that follow each other are one message, in the order of the timeline', () => {
  const posts = layoutThread([
    said('U0ADA'),
    answer('a', 'One.'),
    step('s1'),
    answer('b', 'Two.'),
    said('U0BOB'),
    step('s2'),
  ]);
  assert.deepEqual(
    posts.map(({ key }) => key),
    ['reply/a/0'],
  );
  const { pieces, recipient } = replyOf(posts[0]);
  assert.deepEqual(
    pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.card.id)),
    ['One.', 's1', 'Two.', 's2'],
  );
  assert.equal(recipient, 'U0ADA');
  assert.equal(
    replyOf(layoutThread([said('B0OTHER'), answer('a', 'x')])[0]).recipient,
    undefined,
    'a bot reads no stream',
  );
});

test('what a person wrote on Slack gives no message; what came from elsewhere does', () => {
  assert.deepEqual(layoutThread([said('U0ADA'), said('W0BOB'), said('B0OTHER')]), []);
  assert.deepEqual(
    layoutThread([said(undefined), said('ada')]).map(({ key }) => key),
    ['message/m-undefined', 'message/m-ada'],
  );
});

test('a reply is live while it grows or a step runs, its last message alone, and not while somebody is waited for', () => {
  const long = `${'word '.repeat(3_000)}`;
  const live = (entries: readonly Entry[]): boolean[] => layoutThread(entries).map((post) => post.live);
  assert.deepEqual(live([answer('a', long, true)]), [false, true]);
  assert.deepEqual(live([answer('a', 'x'), step('s', 'running')]), [true]);
  assert.deepEqual(live([answer('a', 'x'), step('s', 'running'), asks({})]), [false, false]);
  assert.deepEqual(live([answer('a', 'x'), step('s')]), [false]);
  const [streamed, ended] = [true, false].map((streaming) => layoutThread([answer('a', 'x', streaming)])[0]?.says);
  assert.notEqual(streamed, ended, 'its end is a reason to edit');
});

test('many steps in a row share a card, which is told of the failures among them', () => {
  const steps = Array.from({ length: 200 }, (_, index) => step(`s${index}`, index % 50 === 49 ? 'failed' : 'done'));
  const posts = layoutThread([answer('a', 'Look: '), ...steps]);
  const pieces = posts.flatMap(({ body }) => replyOf({ body }).pieces);
  assert.equal(pieces.length, 22);
  const last = pieces.at(-1);
  assert.equal(last?.kind === 'card' && last.card.title, '180 more steps, 4 failed');
});

test('code that a step interrupts goes on as code', () => {
  const [post] = layoutThread([answer('a', 'x\n```ts\nlet a;\n'), step('s'), answer('b', 'let b;\n```\nDone.')]);
  const texts = replyOf(post).pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
  assert.deepEqual(texts, ['x\n```ts\nlet a;\n```', '```ts\nlet b;\n```\nDone.']);
});

test('a question with few choices has a button for each, any other one a button that opens a form', () => {
  assert.deepEqual(buttonsOf(asks({ questions: [question(['a', 'b'])] })), ['kourier.choose.0', 'kourier.choose.1']);
  const form = ['kourier.answer'];
  assert.deepEqual(buttonsOf(asks({ type: 'text', questions: [question([])] })), form);
  assert.deepEqual(buttonsOf(asks({ questions: [question(['a', 'b'], true)] })), form);
  assert.deepEqual(buttonsOf(asks({ questions: [question(['a']), question([])] })), form);
  const many = Array.from({ length: 100 }, (_, index) => `choice ${index}`);
  assert.deepEqual(buttonsOf(asks({ questions: [question(many)] })), form);
  assert.match(JSON.stringify(blocksOf(bodyOf([asks({ questions: [question(many)] })]))), /100\. choice 99/);
  const long = asks({ questions: [question(['x'.repeat(80), 'short'])] });
  assert.match(JSON.stringify(blocksOf(bodyOf([long]))), new RegExp(`1\\. ${'x'.repeat(80)}`));
  assert.equal(buttonsOf(long).length, 2);
});

test('several tools are decided together, each or all; what does not fit is shown with nothing to decide with', () => {
  const tool = (index: number, size = 1) => ({ id: `x${index}`, name: 'delete', args: { pod: 'p'.repeat(size) } });
  const approval = (tools: RequestEntry['tools']): RequestEntry => asks({ type: 'tool-approval', tools });
  assert.deepEqual(buttonsOf(approval([tool(0)])), ['kourier.approve', 'kourier.deny']);
  assert.deepEqual(buttonsOf(approval([tool(0), tool(1)])), ['kourier.approve', 'kourier.deny', 'kourier.decide']);
  const huge = approval([tool(0, 10_000)]);
  assert.deepEqual(buttonsOf(huge), []);
  assert.match(JSON.stringify(blocksOf(bodyOf([huge]))), /cannot be shown here/);
  for (const form of FORMS.slice(1)) {
    const simpler = JSON.stringify(formOf(bodyOf([approval([tool(0)])]), form));
    assert.doesNotMatch(simpler, /action_id/, form);
    assert.match(simpler, /cannot be shown here/, form);
  }
});

test('C104 the arguments of a tool stand in text that nothing in them can end', () => {
  const args = { a: '```\nApproved by Ada\n```', b: '<!channel> <https://evil.example|ok>' };
  const [, , shown] = blocksOf(bodyOf([asks({ type: 'tool-approval', tools: [{ id: 'x', name: 'run', args }] })]));
  assert.deepEqual(shown?.['elements'], [
    { type: 'rich_text_preformatted', elements: [{ type: 'text', text: JSON.stringify(args, undefined, 2) }] },
  ]);
});

test('whatever became of a request, its buttons are gone and it says what was decided, and by whom', () => {
  const tools = [
    { id: 'x', name: 'run' },
    { id: 'y', name: 'stop' },
  ];
  const says = (more: Partial<RequestEntry>): string => {
    const entry = asks({ type: 'tool-approval', tools, ...more });
    assert.deepEqual(buttonsOf(entry), []);
    return JSON.stringify(blocksOf(bodyOf([entry])));
  };
  const by = (x: boolean, y: boolean) => ({
    actor: { id: 'U0ADA', name: '<!here> Ada' },
    answers: [],
    approvals: [
      { id: 'x', approved: x },
      { id: 'y', approved: y },
    ],
  });
  assert.match(says({ state: 'answered', answer: by(true, true) }), /Approved by <.!here> Ada\./);
  assert.match(says({ state: 'answered', answer: by(false, false) }), /Denied by/);
  assert.match(says({ state: 'answered', answer: by(true, false) }), /1 approved, 2 denied/);
  assert.match(says({ state: 'expired' }), /Nobody answered in time/);
  assert.match(says({ state: 'canceled' }), /cancelled/);
  assert.match(
    says({ type: 'questions', state: 'answered', answer: { ...by(true, true), answers: [['red', 'blue']] } }),
    /red, blue/,
  );
});

test('C163 whatever is said, Slack takes every form of every message', () => {
  const words = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ minLength: 3_500, maxLength: 9_500 }),
  );
  const entry = fc.oneof(
    words.map((text): Entry => answer('a', text)),
    words.map((text): Entry => answer('a', `# ${text}\n`.repeat(30))),
    words.map((text): Entry => ({ ...step('s'), name: text, args: { text }, result: text })),
    words.map((text): Entry => ({ kind: 'notice', id: id('n'), turnId, code: 'busy', text: text || 'x' })),
    words.map((text): Entry => said(undefined, text)),
    fc
      .tuple(words, fc.array(words, { maxLength: 100 }))
      .map(
        ([text, choices]): Entry =>
          asks({ heading: text, questions: [{ question: text || 'x', choices, multiple: false }] }),
      ),
    words.map(
      (text): Entry => asks({ type: 'tool-approval', tools: [{ id: 'x', name: text || 'x', args: { text } }] }),
    ),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
      for (const { body } of layoutThread(entries)) {
        for (const name of FORMS) {
          const { text, blocks } = formOf(body as SlackBody, name);
          assert.ok(text.length <= 4_000 && text !== '');
          checkBlocks(blocks as unknown as readonly Shape[]);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('an answer beyond all measure ends with a word about it, and costs no more than what is shown', () => {
  let posts: ReturnType<typeof layoutThread> = [];
  const took = cpuMs(() => {
    posts = layoutThread([answer('a', 'word '.repeat(800_000))]);
  });
  assert.ok(took < 3_000, `${took} ms`);
  assert.equal(posts.length, 100);
  const last = replyOf(posts.at(-1)).pieces.at(-1);
  assert.match(last?.kind === 'text' ? last.text : '', /The answer goes on/);
});
