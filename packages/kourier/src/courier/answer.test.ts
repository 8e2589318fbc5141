import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent, Part } from '../core/reply/agent-event.ts';
import { append, call, chunk, result, snapshot, task, taskId, text } from '../core/reply/fixtures/agent-says.ts';
import type { Entry, RequestEntry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';
import { Answer } from './answer.ts';

const turn = 't1' as TurnId;

/** A turn's answer and the timeline that its commits make. */
class Told {
  answer: Answer;
  readonly timeline = new Map<EntryId, Entry>();

  constructor() {
    this.answer = new Answer({ id: turn }, []);
  }

  hear(...events: readonly AgentEvent[]): this {
    for (const event of events) this.answer.reply.apply(event);
    return this;
  }

  commit(entries: readonly Entry[] = this.answer.changes()): this {
    for (const entry of entries) this.timeline.set(entry.id, entry);
    this.answer.committed(entries);
    return this;
  }

  /** A person has answered a request, and the answer goes out. */
  answered(): this {
    this.commit([...this.answer.changes(false), requestOf(this.timeline.size)]);
    this.answer.reply.beginAnswer(() => false);
    return this;
  }

  finish(completed = true): this {
    return this.commit(this.answer.finish(completed));
  }

  /** Another courier takes the turn up, with what is committed. */
  restart(): this {
    this.answer = new Answer({ id: turn, taskId }, [...this.timeline.values()]);
    return this;
  }

  get text(): string {
    return [...this.timeline.values()].map((entry) => (entry.kind === 'answer' ? entry.text : '')).join('');
  }

  /** Texts in quotes, steps as `call state result`, requests; what is empty is not seen. */
  get shown(): string[] {
    return [...this.timeline.values()].flatMap((entry) => {
      if (entry.kind === 'answer') return entry.text === '' ? [] : [`"${entry.text}"`];
      if (entry.kind === 'step') return [`${entry.callId ?? '-'} ${entry.state} ${JSON.stringify(entry.result)}`];
      return [entry.kind];
    });
  }
}

const requestOf = (number: number): RequestEntry => ({
  kind: 'request',
  id: `${turn}.request.${number}` as EntryId,
  turnId: turn,
  type: 'text',
  state: 'answered',
  heading: 'The agent needs your input',
  questions: [],
  tools: [],
  until: '2030-01-01T00:00:00.000Z',
  answer: { actor: { id: 'u1' }, answers: [['yes']], approvals: [] },
});

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

  it('C068: takes no word of another task', () => {
    const told = new Told().restart();
    const { artifact } = chunk([text('foreign')]) as Extract<AgentEvent, { kind: 'artifact' }>;
    told.hear({ kind: 'artifact', taskId: 'task-2' as typeof taskId, append: false, artifact });
    assert.deepEqual(told.finish().shown, []);
  });
});

describe('whatever the agent does', () => {
  const words = fc.string({ maxLength: 4 }).map((said) => text(said));
  const id = fc.constantFrom('c1', 'c2', undefined);
  const part: fc.Arbitrary<Part> = fc.oneof(
    { weight: 3, arbitrary: words },
    id.map((callId) => call(callId)),
    fc.tuple(id, fc.integer({ max: 2, min: 0 })).map(([callId, said]) => result(callId, said)),
  );
  const parts = fc.array(part, { maxLength: 4 });
  const artifactId = fc.constantFrom('a', 'b');
  const happening: fc.Arbitrary<(told: Told) => unknown> = fc.oneof(
    fc.tuple(parts, fc.boolean(), artifactId).map((said) => (told: Told) => told.hear(chunk(...said))),
    fc
      .array(fc.tuple(artifactId, parts), { maxLength: 3 })
      .map((artifacts) => (told: Told) => told.hear(task('working', { artifacts }))),
    fc.constant((told: Told) => told.commit()),
    fc.constant((told: Told) => told.commit(told.answer.changes(false))),
    fc.constant((told: Told) => told.commit().answered()),
  );
  const happenings = fc.array(happening, { maxLength: 25 });

  it('its pieces are its text, and nothing that stands loses its place', () => {
    fc.assert(
      fc.property(happenings, (story) => {
        const told = new Told();
        for (const happen of story) {
          const before = [...told.timeline.keys()];
          happen(told);
          told.commit();
          assert.equal(told.text, told.answer.reply.text());
          assert.deepEqual([...told.timeline.keys()].slice(0, before.length), before);
        }
        told.finish();
        assert.equal(told.text, told.answer.reply.text());
        assert.ok([...told.timeline.values()].every((entry) => entry.kind !== 'step' || entry.state !== 'running'));
        assert.ok([...told.timeline.values()].every((entry) => entry.kind !== 'answer' || !entry.streaming));
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('also when it is taken up: with the whole task its pieces are the task’s text', () => {
    fc.assert(
      fc.property(
        happenings,
        happenings,
        fc.array(fc.tuple(artifactId, parts), { maxLength: 3 }),
        (story, more, artifacts) => {
          const told = new Told();
          for (const happen of story) happen(told);
          told.commit();
          const shown = told.text;
          told.restart();
          assert.deepEqual(
            told.answer.changes(false).filter(({ kind }) => kind === 'step'),
            [],
          );
          assert.equal(told.commit().text, shown);
          for (const happen of more) happen(told);
          told.hear(task('completed', { artifacts })).finish();
          assert.equal(told.text, told.answer.reply.text());
        },
      ),
      { numRuns: 300, seed: 5 },
    );
  });
});
