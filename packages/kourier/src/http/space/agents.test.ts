import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UpstreamFailed } from '../../ports/space/upstream.ts';
import { card03, card10 } from '../../space/fixtures/cards.ts';
import type { AgentPlace } from '../../space/registration.ts';
import { openSpace, problemOf } from './fixtures/open-space.ts';

const CARD = card10('https://a.example/rpc');
const BASE = 'https://space.example/spaces/demo/agents';

const place = (id: string, more: Partial<AgentPlace> = {}): AgentPlace => ({
  ...{ space: 'demo', id, reach: 'public', origin: 'http', disabled: false },
  ...more,
});

test('a publisher registers a card, again, and anew; a caller sees it, and reads no revisions', async (t) => {
  const { call } = await openSpace(t);
  const first = await call('POST', '/agents', { key: 'paul', body: { card: CARD } });
  assert.equal(first.status, 201);
  const { outcome, agent, findings } = first.json;
  assert.deepEqual([outcome, findings], ['new', []]);
  assert.deepEqual(
    [agent.id, agent.name, agent.url, agent.callable, agent.blockedReason],
    ['echo', 'Echo', `${BASE}/echo`, true, null],
  );
  assert.match(agent.current.versionId, /^v1-/);
  assert.equal(agent.current.card, undefined, 'heads have no card');
  assert.equal(agent.current.at, '2030-03-17T17:46:40.000Z');
  const again = await call('POST', '/agents', { key: 'paul', body: { card: CARD } });
  assert.deepEqual([again.status, again.json.outcome], [200, 'unchanged']);
  const other = await call('POST', '/agents', {
    key: 'paul',
    body: { id: 'echo', card: { ...CARD, description: 'x' } },
  });
  assert.deepEqual([other.status, other.json.outcome], [201, 'revised']);
  const moved = await call('POST', '/agents', {
    key: 'paul',
    body: { id: 'echo', card: card03('https://b.example/') },
  });
  assert.deepEqual([moved.status, moved.json.outcome, moved.json.agent.pending.number], [202, 'pending', 3]);
  const listed = await call('GET', '/agents', { key: 'carl' });
  assert.deepEqual(listed.json, {
    agents: [
      {
        ...{ agentId: 'echo', versionId: moved.json.agent.current.versionId, name: 'Echo', description: 'x' },
        skills: [{ id: 'echo', name: 'Echo', tags: ['echo'] }],
        ...{ source: 'public', callable: true, blockedReason: null, health: 'unknown', url: `${BASE}/echo` },
      },
    ],
    nextCursor: null,
  });
  assert.deepEqual(problemOf(await call('GET', '/agents/echo', { key: 'carl' })), [403, 'forbidden']);
  const read = await call('GET', '/agents/echo', { key: 'paul' });
  assert.deepEqual([read.json.pending.number, read.json.current.number], [3, 2]);
});

test('a card is read where the body says, and how it could not be', async (t) => {
  const asked: AgentPlace[] = [];
  const { call } = await openSpace(t, {
    fetchCard: async (at) => {
      asked.push(at);
      const code = 'A2A_CARD_HTTP_404';
      if (at.cardUrl?.includes('none')) throw new UpstreamFailed({ code, text: 'x', sent: true, retryable: false });
      return { card: CARD, cardUrl: 'https://a.example/card.json' };
    },
  });
  const registered = await call('POST', '/agents', { key: 'paul', body: { cardUrl: 'https://a.example' } });
  assert.deepEqual([registered.status, registered.json.agent.cardUrl], [201, 'https://a.example/card.json']);
  assert.deepEqual([asked[0]?.reach, asked[0]?.cardUrl], ['public', 'https://a.example']);
  const none = await call('POST', '/agents', { body: { cardUrl: 'https://none.example' } });
  assert.deepEqual([...problemOf(none), none.json.reason], [422, 'card-unavailable', 'A2A_CARD_HTTP_404']);
});

test('a card that is none is refused with its faults, and one without a usable name wants an id', async (t) => {
  const { call, store } = await openSpace(t);
  const refused = await call('POST', '/agents', { body: { id: 'a', card: {} } });
  assert.deepEqual([...problemOf(refused), refused.json.reason], [422, 'card-refused', 'card-invalid']);
  assert.ok(refused.json.faults.length > 1);
  for (const name of ['', '日本', '***', 7, undefined, { toString: 1 }]) {
    const unnamed = await call('POST', '/agents', { body: { card: { ...CARD, name } } });
    assert.equal(unnamed.status, 422, JSON.stringify(name));
  }
  const named = await call('POST', '/agents', { body: { card: { ...CARD, name: '  Ünïcode & Söns / 2 ' } } });
  assert.equal(named.json.agent.id, 'unicode-sons-2');
  assert.equal((await store.changes(0, 10)).length, 1);
});

test('what the gateway calls in its own right is registered, moved and removed by operators only', async (t) => {
  const { call, registration } = await openSpace(t);
  const inside = { id: 'in', card: CARD, reach: 'inside', url: 'http://10.0.0.7' };
  for (const body of [inside, { ...inside, reach: 'vpc', dialer: 'office' }, { id: 'in', card: CARD, credential: 'c' }])
    assert.deepEqual(problemOf(await call('POST', '/agents', { key: 'paul', body })), [403, 'forbidden']);
  assert.equal((await call('POST', '/agents', { body: inside })).status, 201);
  const paul = async (body: object) => problemOf(await call('POST', '/agents', { key: 'paul', body }));
  assert.deepEqual(
    await paul({ id: 'in', card: CARD }),
    [403, 'forbidden'],
    'a publisher takes no agent out of the inside',
  );
  assert.deepEqual(
    await paul({ id: 'in', card: CARD, reach: 'tunnel' }),
    [403, 'forbidden'],
    'nor its calls to a tunnel of theirs',
  );
  assert.deepEqual(problemOf(await call('DELETE', '/agents/in', { key: 'paul' })), [403, 'forbidden']);
  assert.equal((await call('DELETE', '/agents/in')).status, 204);
  await paul({ id: 'off', card: CARD });
  await registration.stand(place('off', { disabled: true }));
  assert.deepEqual(
    await paul({ id: 'off', card: CARD, disabled: false }),
    [403, 'forbidden'],
    'what an operator disabled stays so',
  );
  assert.deepEqual(problemOf(await call('DELETE', '/agents/off', { key: 'paul' })), [403, 'forbidden']);
  assert.deepEqual(
    (await call('POST', '/agents', { body: { id: 'off', card: CARD, disabled: false } })).json.agent.disabled,
    false,
  );
  assert.equal((await call('DELETE', '/agents/off')).status, 204);
});

test('names that are not configured, and members at odds, are told by their place', async (t) => {
  const { call } = await openSpace(t);
  for (const [more, at] of [
    [{ credential: 'none' }, '/credential'],
    [{ reach: 'vpc', dialer: 'none' }, '/dialer'],
    [{ reach: 'inside', dialer: 'office' }, '/dialer'],
    [{ reach: 'far' }, '/reach'],
    [{ id: '-a' }, '/id'],
    [{ url: 'file:///etc/passwd' }, '/url'],
    [{ cardUrl: 'https://a.example' }, ''],
    [{ more: 1 }, ''],
  ] as const) {
    const answered = await call('POST', '/agents', { body: { id: 'a', card: CARD, ...more } });
    assert.deepEqual(problemOf(answered), [422, 'invalid-request'], JSON.stringify(more));
    assert.equal(answered.json.faults[0].at, at, JSON.stringify(answered.json.faults));
  }
});

test('what the configuration has is neither changed nor removed here', async (t) => {
  const { call, registration, policies } = await openSpace(t);
  const policy = policies.get('demo') ?? assert.fail();
  await registration.register({
    place: place('conf', { origin: 'configuration' }),
    policy,
    card: CARD,
    by: 'x',
    mayApprove: true,
  });
  assert.deepEqual(problemOf(await call('POST', '/agents', { body: { id: 'conf', card: CARD } })), [
    409,
    'configured-agent',
  ]);
  // Without a look at the address: the fixture has no card for anybody.
  const elsewhere = await call('POST', '/agents', { body: { id: 'conf', cardUrl: 'https://else.example' } });
  assert.deepEqual(problemOf(elsewhere), [409, 'configured-agent']);
  assert.deepEqual(problemOf(await call('DELETE', '/agents/conf')), [409, 'configured-agent']);
  for (const method of ['GET', 'DELETE']) {
    for (const id of ['none', 'a%2Fb', '%00', 'x'.repeat(500)])
      assert.deepEqual(problemOf(await call(method, `/agents/${id}`)), [404, 'not-found'], `${method} ${id}`);
  }
});

test('agents come in pages, by words, by skill, and with what is blocked', async (t) => {
  const { call } = await openSpace(t);
  for (const id of ['a', 'b', 'c'])
    await call('POST', '/agents', { body: { id, card: { ...CARD, name: `Agent ${id}` } } });
  await call('POST', '/agents', { body: { id: 'd', card: CARD, reach: 'tunnel' } });
  const ids = async (query: string) => {
    const { status, json } = await call('GET', `/agents?${query}`, { key: 'carl' });
    assert.equal(status, 200, query);
    return [json.agents.map(({ agentId }: { agentId: string }) => agentId).join(''), json.nextCursor] as const;
  };
  const [first, cursor] = await ids('limit=2');
  assert.equal(first, 'ab');
  assert.deepEqual(await ids(`limit=2&cursor=${encodeURIComponent(cursor)}`), ['c', null]);
  assert.deepEqual(await ids('q=agent%20b'), ['b', null]);
  assert.deepEqual(await ids('skill=echo&blocked=true'), ['abcd', null]);
  assert.deepEqual(await ids('skill=none'), ['', null]);
  for (const limit of ['x', '-1', '1e3', '', '12345', '1.5'])
    assert.deepEqual(problemOf(await call('GET', `/agents?limit=${limit}`)), [400, 'malformed-request'], limit);
  assert.deepEqual(problemOf(await call('GET', '/agents?cursor=%FF')), [400, 'bad-cursor']);
});
