import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { append, call, chunk, message, result, status, task, text } from './fixtures/agent-says.ts';
import { replyTo, shown, user } from './fixtures/reply-to.ts';

describe('T2: tool parts are read', () => {
  it('in every chunk and snapshot of an artifact', () => {
    assert.deepEqual(shown(replyTo(chunk([call('c1')]), append(result('c1')))), ['c1 done="ok" @0']);
    assert.deepEqual(shown(replyTo(task('working', { artifacts: [['a', [call('c1')]]] }))), ['c1 running @0']);
  });

  it("in the agent's own message of a working status, also of a snapshot", () => {
    assert.deepEqual(shown(replyTo(status('working', message([call('c1')], 'm1')))), ['c1 running @0']);
    assert.deepEqual(shown(replyTo(task('working', { says: message([call('c1')], 'm1') }))), ['c1 running @0']);
  });

  it("not in the user's message, nor in a status of another state", () => {
    assert.deepEqual(shown(replyTo(status('working', message([call('c1')], 'm1', 'user')))), []);
    for (const state of ['submitted', 'input-required', 'completed', 'failed'] as const) {
      assert.deepEqual(shown(replyTo(status(state, message([call('c1')], 'm1')))), [], state);
      assert.deepEqual(shown(replyTo(task(state, { says: message([call('c1')], 'm1') }))), [], state);
    }
  });

  it("in the agent's messages of a history since the user's last one, whatever the state", () => {
    const history = [
      message([call('old')], 'm0'),
      user,
      message([call('c1')], 'm1'),
      message([call('theirs')], 'u2', 'user'),
      message([call('c2')], 'm2'),
      message([call('c3')], 'm3'),
    ];
    assert.deepEqual(shown(replyTo(task('completed', { history }))), ['c2 running @0', 'c3 running @0']);
    assert.deepEqual(shown(replyTo(task('working', { history: [message([call('c1')], 'm1')] }))), ['c1 running @0']);
  });
});

describe('T3: each part is delivered once', () => {
  it('an appended chunk is new, although it says the same', () => {
    assert.equal(replyTo(append(call('c1')), append(call('c1'))).steps.list.length, 2);
  });

  it('a chunk that replaces, and a snapshot, hold the parts again, wherever they put them', () => {
    const twice = [call(undefined), text('x'), call(undefined)];
    const reply = replyTo(append(call(undefined)), chunk([text('x'), call(undefined)]));
    assert.equal(reply.steps.list.length, 1);
    reply.apply(chunk(twice));
    assert.equal(reply.steps.list.length, 2);
    reply.apply(task('working', { artifacts: [['a', twice]] }));
    reply.apply(chunk([call(undefined)]));
    reply.apply(chunk(twice));
    assert.equal(reply.steps.list.length, 2);
    reply.apply(task('working', { artifacts: [['a', [...twice, call(undefined)]]] }));
    assert.equal(reply.steps.list.length, 3);
  });

  it('C083: entries of one artifact that stand apart in a snapshot hold its parts together', () => {
    const reply = replyTo(append(call(undefined)), append(call(undefined)));
    const apart = [call(undefined), call(undefined), call(undefined)].map((part) => ['a', [part]] as const);
    reply.apply(task('working', { artifacts: apart.slice(0, 2) }));
    assert.equal(reply.steps.list.length, 2);
    reply.apply(task('working', { artifacts: apart }));
    assert.equal(reply.steps.list.length, 3);
  });

  it("C092: a status message's part is its messageId and index, in the stream and in the history", () => {
    const one = message([call('c1'), call('c2')], 'm1');
    const reply = replyTo(status('working', one), status('working', one));
    reply.apply(task('working', { history: [user, one], says: one }));
    assert.deepEqual(shown(reply), ['c1 running @0', 'c2 running @0']);
    reply.apply(status('working', message([call('c1')], 'm2')));
    assert.equal(reply.steps.list.length, 3);
  });

  it('without a messageId it is what it says', () => {
    const reply = replyTo(status('working', message([call(undefined)])), status('working', message([call(undefined)])));
    assert.equal(reply.steps.list.length, 1);
    reply.apply(status('working', message([call(undefined, { a: 1 })])));
    assert.equal(reply.steps.list.length, 2);
  });

  it('found in an artifact and in a message it is one part when it says the same, two when not', () => {
    const same = replyTo(status('working', message([call('c1')], 'm1')), append(call('c1')));
    assert.equal(same.steps.list.length, 1);
    const reversed = replyTo(append(call('c1')), status('working', message([call('c1')], 'm1')));
    assert.equal(reversed.steps.list.length, 1);
    const other = replyTo(status('working', message([call('c1')], 'm1')), append(call('c1', { a: 1 })));
    assert.equal(other.steps.list.length, 2);
  });

  it('two in messages and three in artifacts are three', () => {
    const reply = replyTo(
      status('working', message([call(undefined)], 'm1')),
      append(call(undefined)),
      status('working', message([call(undefined)], 'm2')),
      append(call(undefined)),
      append(call(undefined)),
    );
    assert.equal(reply.steps.list.length, 3);
  });

  it('C089: a call of a working status and again of the pause is one step', () => {
    const reply = replyTo(
      status('working', message([call('c1')], 'm1')),
      status('input-required', message([call('c1'), text('Go on?')], 'm2')),
    );
    assert.deepEqual(shown(reply), ['c1 running @0']);
  });
});

describe('T8: the same call', () => {
  it('in two artifacts of one source is two calls, and one result ends both', () => {
    const reply = replyTo(chunk([call('c1')], false, 'partial'), chunk([call('c1'), result('c1')], false, 'main'));
    assert.deepEqual(shown(reply), ['c1 done="ok" @0', 'c1 done="ok" @0']);
  });
  it('without an id is two calls', () => {
    assert.equal(replyTo(chunk([call(undefined), call(undefined)])).steps.list.length, 2);
  });
});

describe('a step stands where its call was made', () => {
  it('behind the text before it, whatever artifact comes next', () => {
    const reply = replyTo(append(text('Hello'), text('thinking', true), call('c1'), text(' world'), call('c2')));
    reply.apply(append(call('c3'), text('!')));
    assert.deepEqual(shown(reply), ['c1 running @5', 'c2 running @11', 'c3 running @11']);
    const own = replyTo(append(text('Hello')), chunk([call('c1')], false, 'tools'), append(text(' world')));
    assert.deepEqual(shown(own), ['c1 running @5']);
  });

  it('in a snapshot of several artifacts, where each begins', () => {
    const artifacts = [
      ['a', [text('One'), call('c1')]],
      ['b', [call('c2')]],
      ['c', [call('c3'), text('Two'), call('c4')]],
    ] as const;
    assert.deepEqual(shown(replyTo(task('working', { artifacts }))), [
      'c1 running @3',
      'c2 running @3',
      'c3 running @3',
      'c4 running @8',
    ]);
    const apart = [
      ['a', [text('One')]],
      ['a', [call('c1'), text('Two'), call('c2')]],
    ] as const;
    assert.deepEqual(shown(replyTo(task('working', { artifacts: apart }))), ['c1 running @3', 'c2 running @6']);
  });

  it('of a message, behind all there is', () => {
    const reply = replyTo(append(text('Hello')), status('working', message([call('c1')], 'm1')));
    assert.deepEqual(shown(reply), ['c1 running @5']);
  });
});
