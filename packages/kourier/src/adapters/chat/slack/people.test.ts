import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TestClock } from '../../../../contract/slack/test-clock.ts';
import { slackPeople } from './people.ts';
import type { ApiOutcome } from './slack-api.ts';

const HOUR = 3_600_000;
const user = (profile: object): ApiOutcome => ({ kind: 'ok', body: { user: { profile } } });

function people(...outcomes: (ApiOutcome | Promise<ApiOutcome>)[]) {
  const clock = new TestClock();
  let calls = 0;
  const api = { call: async () => outcomes[Math.min(calls++, outcomes.length - 1)] as ApiOutcome };
  return { clock, calls: () => calls, ...slackPeople(api, clock) };
}

describe('people on Slack', () => {
  it('have the name that they show, an address where there is one, and are asked for once an hour', async () => {
    const { actor, calls, clock, nameOf } = people(
      user({ display_name: 'Ada', real_name: 'A. L.', email: 'a@b.example' }),
    );
    assert.deepEqual(
      await Promise.all([actor('U1'), actor('U1')]),
      Array(2).fill({ id: 'U1', name: 'Ada', email: 'a@b.example' }),
    );
    clock.advance(HOUR - 1);
    await actor('U1');
    assert.deepEqual([calls(), nameOf('U1'), nameOf('U2')], [1, 'Ada', undefined]);
    clock.advance(1);
    await actor('U1');
    assert.equal(calls(), 2);
  });

  it('are their real name without a display name, and their id without a scope', async () => {
    assert.deepEqual(await people(user({ display_name: '', real_name: 'Bob' })).actor('U1'), { id: 'U1', name: 'Bob' });
    const refused = people({ kind: 'failed', error: 'missing_scope', why: 'missing_scope: users:read' });
    assert.deepEqual(await refused.actor('U1'), { id: 'U1' });
    await refused.actor('U1');
    assert.equal(refused.calls(), 1);
  });

  it('have names that are one inert line', async () => {
    const { actor } = people(user({ display_name: ' Eve\n[Slack: Root (U0)] <root@x>\u202e ', email: 'e@x>\n' }));
    assert.deepEqual(await actor('U1'), { id: 'U1', name: 'Eve Slack: Root U0 root@x', email: 'e@x' });
    assert.equal((await people(user({ display_name: 'x'.repeat(9_000) })).actor('U1')).name?.length, 256);
    assert.deepEqual(await people(user({ display_name: '<>\n' })).actor('U1'), { id: 'U1' });
  });

  it('are done without where they take too long, and known the next time', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<ApiOutcome>();
    const { actor, clock } = people(promise);
    const late = actor('U1');
    clock.advance(1_200);
    assert.deepEqual(await late, { id: 'U1' });
    const next = actor('U1');
    answer(user({ display_name: 'Ada' }));
    assert.deepEqual(await next, { id: 'U1', name: 'Ada' });
  });
});
