import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentEvent } from '../core/reply/agent-event.ts';
import { append, call, chunk, result, snapshot, task, type taskId, text } from '../core/reply/fixtures/agent-says.ts';
import type { Entry } from '../core/thread/entry.ts';
import { Told } from './fixtures/told.ts';

describe('an answer', () => {
  it('is split where a step began, and is its pieces together', () => {
    const told = new Told().hear(append(text('One '), call('c1'), text('two'))).commit();
    told.hear(append(result('c1'), text(' three'))).finish();
    assert.deepEqual(told.shown, ['"One "', 'c1 done "ok"', '"two three"']);
  });

  it('streams in its last piece alone, and not while a person is waited for', () => {
    const streaming = (entries: readonly Entry[]) =>
      entries.flatMap((entry) => (entry.kind === 'answer' ? [entry.streaming] : []));
    const { answer } = new Told().hear(append(text('One '), call('c1'), text('two')));
    assert.deepEqual(streaming(answer.changes()), [false, true]);
    assert.deepEqual(streaming(answer.changes(false)), [false, false]);
    assert.deepEqual(streaming(answer.finish(true)), [false, false]);
  });

  it('asks for a commit only for what has no place yet', () => {
    const told = new Told();
    assert.equal(told.answer.hasNew, false);
    assert.equal(told.answer.live(), undefined);
    assert.equal(told.hear(append(text('One'))).answer.hasNew, true);
    told.commit();
    assert.equal(told.answer.hasNew, false);
    told.hear(append(text(' two')));
    assert.equal(told.answer.hasNew, false);
    assert.equal(told.answer.live()?.text, 'One two');
    assert.equal(told.hear(append(call('c1'))).answer.hasNew, true);
    told.commit();
    assert.equal(told.answer.hasNew, false);
    assert.equal(told.hear(append(text('!'))).answer.hasNew, true);
    assert.deepEqual(told.commit().shown, ['"One two"', 'c1 running undefined', '"!"']);
  });

  it('writes nothing again that says the same', () => {
    const told = new Told().hear(append(text('One'), call('c1'), text('two'))).commit();
    assert.deepEqual(told.answer.changes(), []);
    told.hear(append(result('c1')));
    assert.deepEqual(
      told.answer.changes().map(({ kind }) => kind),
      ['step'],
    );
  });

  it('goes on behind a request that was answered', () => {
    const told = new Told()
      .hear(append(text('Which?')))
      .commit()
      .answered();
    told.hear(append(text('That.'))).finish();
    assert.deepEqual(told.shown, ['"Which?"', 'request', '"That."']);
  });

  it('Q14: what is shown of a step is redacted, and bounded', () => {
    const long = 'x'.repeat(1_000_000);
    const told = new Told()
      .hear(append(call('c1', { password: 'hunter2', long }), result('c1', { token: 'abc' })))
      .commit();
    const [step] = told.timeline.values();
    const json = JSON.stringify(step);
    assert.ok(!json.includes('hunter2') && !json.includes('abc'));
    assert.ok(json.length < 100_000);
  });
});

describe('a turn that is taken up', () => {
  it('shows what it showed until the agent says more', () => {
    const told = new Told()
      .hear(append(text('One '), call('c1'), text('two')))
      .commit()
      .restart();
    assert.deepEqual(told.answer.changes(), []);
    told.hear(task('working', { artifacts: [['a', [text('On')]]] }));
    assert.deepEqual(told.answer.changes(), []);
    told.hear(task('working', { artifacts: [['a', [text('One '), call('c1'), text('two, three')]]] })).commit();
    assert.deepEqual(told.shown, ['"One "', 'c1 running undefined', '"two, three"']);
  });

  it('keeps its pieces where they stood, before a step and behind a request', () => {
    const told = new Told()
      .hear(append(call('c1'), text('Which?')))
      .commit()
      .answered();
    told
      .hear(append(text('That')))
      .commit()
      .restart();
    told.hear(task('completed', { artifacts: [['a', [call('c1'), result('c1'), text('Which?That one.')]]] })).finish();
    assert.deepEqual(told.shown, ['c1 done "ok"', '"Which?"', 'request', '"That one."']);
  });

  it('goes on behind what it had begun: a step, a request', () => {
    const step = new Told()
      .hear(append(text('One'), call('c1')))
      .commit()
      .restart();
    step.hear(task('completed', { artifacts: [['a', [text('One'), call('c1'), text('two')]]] })).finish();
    assert.deepEqual(step.shown, ['"One"', 'c1 done undefined', '"two"']);
    const request = new Told()
      .hear(append(text('One')))
      .commit()
      .answered()
      .restart();
    request.hear(task('completed', { artifacts: [['a', [text('Onetwo')]]] })).finish();
    assert.deepEqual(request.shown, ['"One"', 'request', '"two"']);
  });

  it('gives no call with an id a second step, and one without by what it says', () => {
    const calls = [call('c1'), call(undefined, { a: 1 }), call(undefined, { a: 1 }), call(undefined, { a: 2 })];
    const told = new Told()
      .hear(append(...calls))
      .commit()
      .restart();
    told.hear(task('working', { artifacts: [['a', [...calls, call('c2')]]] })).commit();
    assert.equal(told.timeline.size, 5);
  });

  it('a card that has its result keeps it, also while a snapshot lags behind', () => {
    const told = new Told()
      .hear(append(call('c1'), result('c1', 'one')))
      .commit()
      .restart();
    told.hear(task('working', { artifacts: [['a', [call('c1')]]] })).commit();
    assert.deepEqual(told.shown, ['c1 done "one"']);
    told.hear(task('completed', { artifacts: [['a', [call('c1'), result('c1', 'two')]]] })).finish();
    assert.deepEqual(told.shown, ['c1 done "one"']);
  });

  it('what a paused call came to after its answer is a card of its own, whether before or after the restart', () => {
    const gated = [call('c1'), result('c1', { error: 'needs approval' })];
    const before = new Told()
      .hear(append(...gated))
      .commit()
      .answered()
      .hear(append(result('c1', 'deleted')))
      .commit();
    const expected = ['c1 failed {"error":"needs approval"}', 'request', 'c1 done "deleted"'];
    assert.deepEqual(before.shown, expected);
    const whole = task('completed', { artifacts: [['a', [...gated, result('c1', 'deleted')]]] });
    assert.deepEqual(before.restart().hear(whole).finish().shown, expected);

    const after = new Told()
      .hear(append(...gated))
      .commit()
      .answered()
      .restart();
    assert.deepEqual(after.hear(whole).finish().shown, expected);

    const streamed = new Told()
      .hear(append(...gated))
      .commit()
      .answered()
      .restart();
    streamed.hear(task('working', { artifacts: [['a', gated]] }), append(result('c1', 'deleted')));
    assert.deepEqual(streamed.finish().shown, expected);
  });

  it('a card that waits for a decision keeps its result too, while nobody has answered', () => {
    const told = new Told().hear(append(call('c1'), result('c1', { error: 'needs approval' })));
    told.asked().restart();
    told.hear(task('input-required', { artifacts: [['a', [call('c1'), result('c1', 'other')]]] })).commit();
    assert.deepEqual(told.shown, ['c1 failed {"error":"needs approval"}', 'request']);
  });

  it('T5: the paused turn’s steps are not shown again', () => {
    const parts = [call('c1'), result('c1'), call('c2', {}, 'other')];
    const told = new Told()
      .hear(append(...parts))
      .commit()
      .restart();
    told.answer.reply.applySnapshot(snapshot('input-required', { artifacts: [['a', parts]] }));
    told.answered().hear(task('working', { artifacts: [['a', parts]] }));
    assert.deepEqual(told.finish().shown, ['c1 done "ok"', 'c2 done undefined', 'request']);
  });

  it('a step that the agent has forgotten runs no longer when the turn is over', () => {
    const told = new Told()
      .hear(append(call('c1')))
      .commit()
      .restart();
    assert.deepEqual(told.hear(task('failed')).finish(false).shown, ['c1 failed undefined']);
  });

  it('knows its own entries from those of another turn', () => {
    const other = new Told().hear(append(text('Other'), call('c1'))).finish();
    const told = new Told();
    for (const entry of other.timeline.values()) {
      const id = entry.id.replace('t1', 't0') as typeof entry.id;
      told.timeline.set(id, { ...entry, id, turnId: 't0' as typeof told.answer.turn });
    }
    told
      .restart()
      .hear(task('completed', { artifacts: [['a', [text('Own'), call('c1'), result('c1')]]] }))
      .finish();
    assert.deepEqual(told.shown.slice(2), ['"Own"', 'c1 done "ok"']);
  });

  it('C068: takes no word of another task', () => {
    const told = new Told().restart();
    const { artifact } = chunk([text('foreign')]) as Extract<AgentEvent, { kind: 'artifact' }>;
    told.hear({ kind: 'artifact', taskId: 'task-2' as typeof taskId, append: false, artifact });
    assert.deepEqual(told.finish().shown, []);
  });
});
