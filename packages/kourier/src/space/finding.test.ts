import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registered, revision } from '../core/directory/fixtures/registered.ts';
import type { RegisteredAgent } from '../core/directory/registered-agent.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import { Finding } from './finding.ts';
import { card10 } from './fixtures/cards.ts';
import { spacePolicy } from './fixtures/space-policy.ts';

const CARD = card10('https://a.example/rpc');

function finding() {
  const spaces = new Map<string, SpacePolicy>([
    ['demo', spacePolicy()],
    ['other', spacePolicy({ id: 'other' })],
  ]);
  const dialers = new Set<string>();
  const connected = new Set<string>();
  const found = new Finding({
    policyOf: (space) => spaces.get(space),
    dialers: () => dialers,
    isConnected: (space, agent) => connected.has(`${space}/${agent}`),
  });
  return { found, spaces, dialers, connected };
}

const agent = (id: string, more: Partial<RegisteredAgent> = {}) => registered(id, CARD, { space: 'demo', ...more });

const idsOf = (found: Finding, space = 'demo', blocked = false): readonly string[] => {
  const page = found.discover(space, { limit: 10, blocked });
  return page === 'bad-cursor' ? assert.fail() : page.entries.map(({ id }) => id);
};

test('agents are found in their own Space, until they are removed', () => {
  const { found } = finding();
  found.saved(agent('a'));
  found.saved(agent('b', { space: 'other' }));
  assert.deepEqual([idsOf(found), idsOf(found, 'other'), idsOf(found, 'none')], [['a'], ['b'], []]);
  assert.equal(found.route('demo', { text: 'echo' }).outcome, 'agent');
  assert.equal(found.route('none', { text: 'echo' }).outcome, 'none');
  found.removed('demo', 'a');
  found.removed('none', 'a');
  assert.deepEqual([idsOf(found), idsOf(found, 'other')], [[], ['b']]);
  assert.equal(found.discover('demo', { limit: 1, blocked: false, cursor: 'x' }), 'bad-cursor');
});

test('what the Space allows and what there is say why an agent is blocked', () => {
  const { found, spaces, dialers, connected } = finding();
  const reasons = () =>
    [
      agent('p', { reach: 'public' }),
      agent('v', { reach: 'vpc', dialer: 'office' }),
      agent('t', { reach: 'tunnel' }),
    ].map((known) => found.blockedReason(known));
  assert.deepEqual(reasons(), [undefined, 'no-dialer', 'not-connected']);
  dialers.add('office');
  connected.add('other/t');
  assert.deepEqual(reasons(), [undefined, undefined, 'not-connected']);
  connected.add('demo/t');
  assert.deepEqual(reasons(), [undefined, undefined, undefined]);
  spaces.set('demo', spacePolicy({ signatures: { required: true, keys: [] } }));
  assert.deepEqual(reasons(), Array(3).fill('signature-required'));
  assert.equal(found.blockedReason(agent('s', { current: revision(CARD, { signedBy: ['k'] }) })), undefined);
  spaces.delete('demo');
  assert.equal(found.blockedReason(agent('p', { reach: 'public' })), 'public-egress-disabled', 'nothing is allowed');
});

test('an agent is found when its tunnel is there, and not when it went', () => {
  const { found, connected } = finding();
  found.saved(agent('t', { reach: 'tunnel' }));
  assert.deepEqual([idsOf(found), idsOf(found, 'demo', true)], [[], ['t']]);
  connected.add('demo/t');
  found.reconsider('demo', 't');
  assert.deepEqual(idsOf(found), ['t']);
  connected.clear();
  found.reconsider('demo', 't');
  found.reconsider('demo', 'none');
  found.reconsider('none', 't');
  assert.deepEqual(idsOf(found), []);
});
