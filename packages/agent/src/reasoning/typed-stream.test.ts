import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StreamEvent } from '@agentkourier/a2a/model';
import {
  artifact,
  foldedAnswer,
  heard,
  inShort,
  more,
  said,
  status,
  task,
  text,
  thought,
  whole,
} from '../../test/agent-says.ts';
import { typedStream } from './typed-stream.ts';

const WORKING = status('TASK_STATE_WORKING');
const DONE = status('TASK_STATE_COMPLETED');

async function assertHeard(sent: readonly StreamEvent[], told: readonly string[], answer: string): Promise<void> {
  const { events, end } = await heard(sent);
  assert.deepEqual(inShort(events), told);
  assert.equal(end.answer, answer);
  assert.equal(foldedAnswer(events), answer);
}

describe('snapshots', () => {
  test('one artifact says text, thinks, says more: all of it is told, in the order of its parts', () =>
    assertHeard(
      [artifact('a', text('One. '), thought('Hm.'), text('Two.'))],
      ['text a +One. ', 'thinking a +Hm.', 'text a +Two.'],
      'One. Two.',
    ));

  test('one that goes on tells the rest, and a thought in it where it stands', () =>
    assertHeard(
      [more('a', text('On')), artifact('a', text('One. '), thought('Hm.'), text('Two.'))],
      ['text a +On', 'text a +e. ', 'thinking a +Hm.', 'text a +Two.'],
      'One. Two.',
    ));

  test('one that differs replaces the answer when nothing else is in it, and appended text follows', () =>
    assertHeard(
      [artifact('a', text('Draft')), artifact('a', text('Better')), more('a', text('!'))],
      ['text a +Draft', 'text a !Better', 'text a +!'],
      'Better!',
    ));

  test('one that differs replaces its own artifact among others', () =>
    assertHeard(
      [artifact('a', text('One. ')), artifact('b', text('Two.')), artifact('a', text('First. '))],
      ['text a +One. ', 'text b +Two.', 'text a =First. '],
      'First. Two.',
    ));

  test('thinking that differs replaces thinking, and hides no answer', () =>
    assertHeard(
      [artifact('a', thought('Hm.'), text('Yes.')), artifact('a', thought('Aha.'))],
      ['thinking a +Hm.', 'text a +Yes.', 'thinking a =Aha.'],
      'Yes.',
    ));

  test('R12: an empty text takes the text back; no text part leaves it', () =>
    assertHeard(
      [artifact('a', text('Draft')), artifact('a', { data: 1 }), artifact('a', text(''))],
      ['text a +Draft', 'text a !'],
      '',
    ));

  test('R13: of a whole task, a beginning of what is known is old; of the stream it is a shorter text', async () => {
    const streamed = [artifact('a', text('One. ')), more('a', text('Two.'))];
    const told = ['text a +One. ', 'text a +Two.'];
    await assertHeard([...streamed, task('TASK_STATE_WORKING', [['a', text('One. ')]])], told, 'One. Two.');
    await assertHeard([...streamed, artifact('a', text('One. '))], [...told, 'text a !One. '], 'One. ');
  });

  test('after a lost stream the task tells what was missed, also after its end', () =>
    assertHeard(
      [artifact('a', text('One. ')), DONE, task('TASK_STATE_COMPLETED', [['a', text('One. Two.')]])],
      ['text a +One. ', 'text a +Two.'],
      'One. Two.',
    ));

  test('C083: entries of one artifact that stand apart are one artifact', () =>
    assertHeard(
      [
        task('TASK_STATE_COMPLETED', [
          ['a', text('One. ')],
          ['b', text('Three.')],
          ['a', text('Two. ')],
        ]),
      ],
      ['text a +One. Two. ', 'text b +Three.'],
      'One. Two. Three.',
    ));

  test('artifacts that take turns are told as they come; the answer has each in its place', () =>
    assertHeard(
      [more('a', text('A1 ')), more('b', text('B1 ')), more('a', text('A2 '))],
      ['text a +A1 ', 'text b +B1 ', 'text a +A2 '],
      'A1 A2 B1 ',
    ));
});

describe('a text that is marked as the whole answer', () => {
  test('replaces what other artifacts have said; what they say again is no news', () => {
    const sent = [artifact('a', text('Draft. ')), artifact('b', whole('Better.'))];
    const stored = task('TASK_STATE_COMPLETED', [
      ['a', text('Draft. ')],
      ['b', whole('Better.')],
    ]);
    return assertHeard([...sent, stored], ['text a +Draft. ', 'text b !Better.'], 'Better.');
  });

  test('tells only the rest when it goes on, whichever artifacts said the beginning', () =>
    assertHeard(
      [
        more('a', text('Paris')),
        more('b', text(' is')),
        artifact('b', whole('Paris is the capital')),
        more('b', text('.')),
      ],
      ['text a +Paris', 'text b + is', 'text b + the capital', 'text b +.'],
      'Paris is the capital.',
    ));

  test('tells nothing when it repeats the answer in an artifact of its own', () =>
    assertHeard(
      [more('a', text('Par')), more('b', text('is')), artifact('c', whole('Paris')), more('b', text('!'))],
      ['text a +Par', 'text b +is', 'text b +!'],
      'Paris!',
    ));

  test('replaces when it is only the last part of the answer', () =>
    assertHeard(
      [more('a', text('One. ')), more('b', text('Two.')), artifact('b', whole('Two.'))],
      ['text a +One. ', 'text b +Two.', 'text b !Two.'],
      'Two.',
    ));

  test('what replaces it is the whole answer, too', () =>
    assertHeard(
      [more('a', text('One. ')), artifact('b', whole('One. Two.')), artifact('b', text('Three.'))],
      ['text a +One. ', 'text b +Two.', 'text b !Three.'],
      'Three.',
    ));

  test('replaces when its artifact has said an earlier part of the answer: the rest has no place in it', () =>
    assertHeard(
      [more('a', text('One. ')), more('b', text('Two. ')), artifact('a', whole('One. Two. Three.'))],
      ['text a +One. ', 'text b +Two. ', 'text a !One. Two. Three.'],
      'One. Two. Three.',
    ));

  test('goes on after a part of the answer was replaced', () =>
    assertHeard(
      [
        more('a', text('One. ')),
        more('b', text('Two.')),
        artifact('a', text('1. ')),
        artifact('b', whole('1. Two. Three.')),
      ],
      ['text a +One. ', 'text b +Two.', 'text a =1. ', 'text b + Three.'],
      '1. Two. Three.',
    ));

  test('is no thought: the mark beside the one of a thought says nothing of the answer', () => {
    const marked = { text: 'Hm.', metadata: { adk_thought: true, ksadk_output_snapshot: true } };
    return assertHeard(
      [more('a', text('One. ')), artifact('b', marked, text('Two.'))],
      ['text a +One. ', 'thinking b +Hm.', 'text b +Two.'],
      'One. Two.',
    );
  });

  test('what a replaced artifact says afterwards follows', () =>
    assertHeard(
      [more('a', text('One. ')), artifact('b', whole('Two. ')), more('a', text('Three.'))],
      ['text a +One. ', 'text b !Two. ', 'text a +Three.'],
      'Two. Three.',
    ));
});

describe('what is no text of the answer', () => {
  test('decision 11: each mark of a thought, on its part; a name is none', async () => {
    const marks = ['adk_thought', 'kagent_thought', 'thought'].map((mark) => ({
      text: mark,
      metadata: { [mark]: true },
    }));
    const named = said({
      artifactUpdate: { taskId: 't', artifact: { artifactId: 'a', name: 'reasoning', parts: [{ text: 'Text.' }] } },
    });
    await assertHeard([more('a', ...marks)], ['thinking a +adk_thoughtkagent_thoughtthought'], '');
    await assertHeard(
      [named, more('a', { text: '!', metadata: { adk_thought: 'true' } })],
      ['text a +Text.', 'text a +!'],
      'Text.!',
    );
  });

  test('A8, R4: the text of a status is neither reasoning nor answer; the end has it', async () => {
    const { events, end } = await heard([
      status('TASK_STATE_WORKING', 'Looking.'),
      status('TASK_STATE_COMPLETED', 'Done.'),
    ]);
    assert.deepEqual(events, []);
    assert.equal(end.answer, '');
    assert.deepEqual(end.status?.message?.parts[0]?.source, { text: 'Done.' });
  });

  test('ADK: partial text stands in for what another artifact says in whole', () =>
    assertHeard(
      [
        artifact('p', { text: 'One', metadata: { adk_partial: true } }),
        artifact('p', { text: ' two', metadata: { adk_partial: true } }),
        artifact('a', text('One two')),
        artifact('p'),
      ],
      ['text a +One two'],
      'One two',
    ));

  test('C062: what comes after the end of the task; what is of another task', () => {
    const other = said({
      artifactUpdate: { taskId: 'other', artifact: { artifactId: 'a', parts: [{ text: 'Not ours.' }] } },
    });
    return assertHeard(
      [WORKING, other, more('a', text('Ours.')), DONE, more('a', text(' Late.'))],
      ['text a +Ours.'],
      'Ours.',
    );
  });
});

test('what the stream throws is thrown, after what came', async () => {
  async function* broken(): AsyncGenerator<StreamEvent, void, undefined> {
    yield more('a', text('So far.'));
    throw new Error('connection reset');
  }
  const events: string[] = [];
  await assert.rejects(async () => {
    for await (const event of typedStream(broken())) events.push(event.type);
  }, /connection reset/);
  assert.deepEqual(events, ['text']);
});
