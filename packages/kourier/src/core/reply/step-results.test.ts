import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentEvent } from './agent-event.ts';
import { append, call, chunk, message, result, snapshot, status, task, text } from './fixtures/agent-says.ts';
import { replyTo, shown, user } from './fixtures/reply-to.ts';
import { Reply } from './reply.ts';

describe('T4: a step ends at the first result of its call', () => {
  it('a later one changes nothing', () => {
    const reply = replyTo(append(call('c1')), append(result('c1', 'one')), append(result('c1', 'two')));
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
    reply.apply(task('completed', { artifacts: [['a', [call('c1'), result('c1', 'three')]]] }));
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
  });

  it('of several in one snapshot the last counts, in one artifact, over many, and in messages', () => {
    const last = ['c1 done="two" @0'];
    const parts = [call('c1'), result('c1', { error: 'pending' }), result('c1', 'two')];
    assert.deepEqual(shown(replyTo(task('working', { artifacts: [['a', parts]] }))), last);
    const apart = parts.map((part, index) => [`a${index}`, [part]] as const);
    assert.deepEqual(shown(replyTo(task('working', { artifacts: apart }))), last);
    const history = [user, ...parts.map((part, index) => message([part], `m${index}`))];
    assert.deepEqual(shown(replyTo(task('working', { history }))), last);
    const says = message([result('c1', 'two')], 'm9');
    assert.deepEqual(shown(replyTo(task('working', { history: history.slice(0, 3), says }))), last);
  });

  it('a result that a snapshot outdated is not news when the stream repeats its artifact', () => {
    const parts = [call('c1'), result('c1', 'one'), result('c1', 'two')];
    const reply = replyTo(task('working', { artifacts: [['a', parts]] }));
    reply.beginAnswer(() => false);
    reply.apply(chunk(parts));
    assert.deepEqual(shown(reply), ['c1 done="two" @0']);
  });

  it('results of one snapshot in different sources are no repetition of each other: the artifacts come first', () => {
    const reply = replyTo(
      task('working', {
        artifacts: [['a', [call('c1'), result('c1', 'one')]]],
        history: [user, message([result('c1', 'two')], 'm1')],
      }),
    );
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
  });
});

describe('T6: a result is delivered after its call', () => {
  it('one that comes early waits for it', () => {
    const reply = replyTo(append(result('c1', 'one')));
    assert.deepEqual(shown(reply), []);
    reply.apply(append(call('c1')));
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
  });

  it('of several early ones the first counts, and the others are no steps', () => {
    const reply = replyTo(append(result('c1', 'one')), append(result('c1', 'two')), append(call('c1')));
    reply.steps.finish(true, 0);
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
  });

  it('one whose call is nowhere is delivered once, when the send ends', () => {
    const reply = replyTo(append(text('Hello')), append(result('c1', { error: 'no' })), append(result('c1', 'two')));
    assert.deepEqual(shown(reply), []);
    reply.steps.finish(false, 5);
    assert.deepEqual(shown(reply), ['c1 failed={"error":"no"} @5']);
  });

  it('a send ends with the answer to its pause', () => {
    const reply = replyTo(append(text('Hello')), append(result('c1', 'one')));
    reply.beginAnswer(() => false);
    assert.deepEqual(shown(reply), ['c1 done="one" @5']);
    assert.deepEqual(
      reply.steps.marks.map(({ step }) => step?.callId ?? 'request'),
      ['c1', 'request'],
    );
  });

  it('a call that is read only after its result was delivered is the same step', () => {
    const reply = replyTo(append(result('c1', 'one')));
    reply.beginAnswer(() => false);
    reply.apply(append(call('c1')));
    assert.deepEqual(shown(reply), ['c1 done="one" @0']);
    assert.notEqual(reply.steps.list[0]?.args, undefined);
  });

  it('without ids, early results are their calls one by one', () => {
    const reply = replyTo(append(result(undefined, 1)), append(result(undefined, 2)));
    reply.apply(append(call(undefined)));
    reply.apply(append(call(undefined)));
    assert.deepEqual(shown(reply), ['- done=1 @0', '- done=2 @0']);
  });

  it('without ids, a result ends the first open call of its name', () => {
    const reply = replyTo(append(call(undefined, {}, 'f'), call(undefined, {}, 'g'), call(undefined, {}, 'f')));
    reply.apply(append(result(undefined, 1, 'f')));
    reply.apply(append(result(undefined, 2, 'f')));
    assert.deepEqual(
      reply.steps.list.map(({ name, state, result: said }) => [name, state, said]),
      [
        ['f', 'done', 1],
        ['g', 'running', undefined],
        ['f', 'done', 2],
      ],
    );
  });
});

describe('an answer to a paused task', () => {
  const gated = [call('c1', { a: 1 }), result('c1', { error: 'needs approval' })];
  const pausedTask = snapshot('input-required', { artifacts: [['a', gated]], history: [user] });

  it('T5, C107: shows its own steps, and not the paused turn’s again', () => {
    const reply = replyTo(append(...gated));
    reply.applySnapshot(pausedTask);
    reply.beginAnswer(() => false);
    reply.apply(task('working', { artifacts: [['a', gated]], history: [user] }));
    assert.equal(reply.steps.list.length, 1);
  });

  it('T6: a result brings its call again, where the result came and not after the text, and not the error', () => {
    const reply = replyTo(append(text('Wait. '), ...gated));
    reply.applySnapshot(pausedTask);
    reply.beginAnswer(() => false);
    reply.apply(append(result('c1', 'deleted'), text('Done.')));
    assert.deepEqual(shown(reply), ['c1 failed={"error":"needs approval"} @6', 'c1 done="deleted" @6']);
    assert.deepEqual(reply.steps.list[1]?.args, { a: 1 });
    reply.apply(
      task('completed', { artifacts: [['a', [text('Wait. '), ...gated, result('c1', 'deleted'), text('Done.')]]] }),
    );
    assert.equal(reply.steps.list.length, 2);
  });

  it('a call that was still open ends where it stands', () => {
    const reply = replyTo(append(call('c1')));
    reply.beginAnswer(() => false);
    reply.apply(append(result('c1')));
    assert.deepEqual(shown(reply), ['c1 done="ok" @0']);
  });

  it("T6: a call of before the user's last message is brought by its result alone", () => {
    const history = [user, message([call('c0'), call('c1', { a: 1 })], 'm1'), message([text('yes')], 'u2', 'user')];
    const reply = new Reply();
    reply.applySnapshot(snapshot('input-required', { history }));
    reply.beginAnswer(() => false);
    assert.deepEqual(shown(reply), []);
    reply.apply(append(result('c1', 'deleted')));
    assert.deepEqual(shown(reply), ['c1 done="deleted" @0']);
    assert.deepEqual(reply.steps.list[0]?.args, { a: 1 });
  });

  it('that went out in an earlier life: what the first snapshot does not have is the answer’s', () => {
    const reply = new Reply();
    reply.steps.goOnAfterAnswer();
    reply.apply(task('working', { artifacts: [['a', gated]] }));
    reply.apply(append(result('c1', 'deleted')));
    assert.deepEqual(shown(reply), ['c1 failed={"error":"needs approval"} @0', 'c1 done="deleted" @0']);
  });
});

describe('T7: a result', () => {
  const state = (said: unknown) => replyTo(append(call('c')), append(result('c', said))).steps.list[0]?.state;
  it('with an error entry that holds something, or isError: true, is a failed step', () => {
    for (const said of [
      { error: 'no' },
      { error: { code: 1 } },
      { error: [0] },
      { error: true },
      { isError: true },
      { error: '', isError: true },
      { error: 7 },
    ]) {
      assert.equal(state(said), 'failed', JSON.stringify(said));
    }
  });
  it('with an empty one is not', () => {
    for (const said of [
      { error: '' },
      { error: null },
      { error: {} },
      { error: [] },
      { error: false },
      { isError: false },
      { isError: 'true' },
      { isError: 1 },
      'error',
      ['error'],
      null,
      undefined,
      { result: { error: 'x' } },
    ]) {
      assert.equal(state(said), 'done', JSON.stringify(said));
    }
  });
});

it('nothing runs on when a turn is over', () => {
  const over = (completed: boolean) => {
    const reply = replyTo(append(call('c1'), call('c2'), result('c2', { error: 'x' })));
    reply.steps.finish(completed, 0);
    return reply.steps.list.map(({ state }) => state);
  };
  assert.deepEqual(over(true), ['done', 'failed']);
  assert.deepEqual(over(false), ['failed', 'failed']);
});

describe('what came of an event is told', () => {
  const { apply } = Reply.prototype;
  const told = (...events: readonly AgentEvent[]) => {
    const reply = new Reply();
    return events.map((event) => {
      const before = reply.steps.version;
      const applied = apply.call(reply, event);
      assert.equal(reply.steps.version > before, applied === 'steps', JSON.stringify(event));
      return applied;
    });
  };

  it('a step began or ended, or nothing but life', () => {
    assert.deepEqual(
      told(
        append(call('c1'), text('x')),
        append(result('c1')),
        append(result('c1', 'later')),
        append(result('c2')),
        chunk([call('c1')]),
        append(text('y')),
        status('working', message([call('c3')], 'm1')),
        status('working', message([call('c3')], 'm1')),
        status('working'),
      ),
      ['steps', 'steps', 'life', 'life', 'life', 'text', 'steps', 'life', 'life'],
    );
  });

  it('whichever part of a chunk or a snapshot it was', () => {
    const artifacts = [
      ['a', [call('c1')]],
      ['b', [text('x')]],
      ['c', [call('c2')]],
    ] as const;
    const more = [...artifacts.slice(0, 2), ['c', [call('c2'), call('c3'), result('c2')]]] as const;
    const history = [user, message([call('c9')], 'm1'), message([text('x')], 'm2')];
    assert.deepEqual(
      told(
        task('working', { artifacts }),
        task('working', { artifacts }),
        task('working', { artifacts: more }),
        chunk([call('d1'), call('c1')], false, 'a'),
        task('working', { artifacts: more, history }),
        append(call('e1'), result('f1')),
      ),
      ['steps', 'life', 'steps', 'steps', 'steps', 'steps'],
    );
  });
});

it('T6: a result that brings its call again has begun a step', () => {
  const reply = replyTo(append(call('c1'), result('c1', { error: 'wait' })));
  reply.beginAnswer(() => false);
  assert.equal(reply.apply(append(result('c1', 'two'))), 'steps');
});

it('T4: a result of a snapshot counts also when its call comes again behind it', () => {
  const parts = [call('c1'), result('c1', 'one'), call('c1')];
  assert.deepEqual(shown(replyTo(task('working', { artifacts: [['a', parts]] }))), [
    'c1 done="one" @0',
    'c1 running @0',
  ]);
});

it('T4: without an answer in between, a result after a snapshot changes nothing', () => {
  const reply = replyTo(task('working', { artifacts: [['a', [call('c1'), result('c1', 'one')]]] }));
  reply.apply(append(result('c1', 'two')));
  assert.deepEqual(shown(reply), ['c1 done="one" @0']);
});

it('T6: a call of its own comes after the one whose result was alone', () => {
  const reply = replyTo(append(result('c1', 'one')));
  reply.beginAnswer(() => false);
  reply.apply(append(call('c1')));
  reply.apply(append(call('c1')));
  assert.deepEqual(shown(reply), ['c1 done="one" @0', 'c1 running @0']);
});
