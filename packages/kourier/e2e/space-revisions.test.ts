import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { CardHost } from './space/card-host.ts';
import { messageOf, SpaceCaller } from './space/space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space/space-process.ts';

const SPACE = documentOf('Space', 'north', { tenant: 'acme' });
const KEYS = (['caller', 'publisher', 'operator'] as const).map((role) => apiKey(role, 'acme', { north: role }));
/** Cards are read at the start and when the test says so: none is read too late, and none meanwhile. */
const GATEWAY = documentOf('Gateway', 'gateway', { health: { every: '1h', timeout: '1m', failures: 2 } });
/** Cards are read by the clock; one that is read late is read again. */
const OFTEN = documentOf('Gateway', 'gateway', { health: { every: '1s', timeout: '1s', failures: 100 } });
const ISSUER = documentOf('IdentityProvider', 'issuer', {
  ...{ issuer: 'https://issuer.example', audience: 'gateway', tenant: 'acme' },
  grants: [{ space: 'north', role: 'caller' }],
});
const BASE = [SPACE, ...KEYS];

async function stage(t: TestContext, gateway = GATEWAY) {
  const host = await CardHost.start(t);
  const agent = documentOf('SpaceAgent', 'host', { space: 'north', card: { url: host.url } });
  const documents = [...BASE, gateway, agent];
  const space = await SpaceProcess.start(t, documents);
  const as = (role: string) => new SpaceCaller(space.url, 'north', keyOf(role));
  /** All cards are read again; resolves when they were, and are read once more: a look begins when the one before is over. */
  const look = async (at = documents): Promise<void> => {
    for (let times = 0; times < 2; times += 1) {
      const read = host.readAgain(1);
      space.configure(at);
      await read;
    }
  };
  const state = async () => (await as('publisher').get('/agents/host')).json;
  /** Where the agent is called. */
  const called = async (): Promise<string> => {
    const { json } = await as('caller').send('host', messageOf('hi'));
    return json.result.message.parts[0].text;
  };
  await space.logged('health-changed', '"code":"healthy"');
  return { host, documents, space, as, look, state, called };
}

test('a card that says something else is a revision, with what changed; a permit of the one before is refused', async (t) => {
  const { host, space, as, state } = await stage(t, OFTEN);
  const message = messageOf('hi');
  const { permit, versionId } = (await as('caller').prepare('host', message)).json;
  host.card = host.cardAt('/one', { description: 'As it is now.' });
  await space.logged('agent-revised');
  const { current, pending } = await state();
  assert.deepEqual([current.number, current.registeredBy, pending], [2, 'watch', null]);
  assert.deepEqual(current.changes, [
    { path: '$.description', kind: 'changed', before: '"As it was."', after: '"As it is now."' },
  ]);
  const card = await as('caller').ask('GET', '/spaces/north/agents/host/.well-known/agent-card.json');
  assert.equal(card.json.description, 'As it is now.');
  const late = await as('caller').send('host', message, permit);
  assert.equal(late.json.error.data[0].metadata.reason, 'permit-version-changed');
  const expected = await as('caller').prepare('host', messageOf('x'), { expectedVersionId: versionId });
  assert.deepEqual([expected.status, expected.json.currentVersionId], [409, current.versionId]);
  const { revisions } = (await as('publisher').get('/agents/host/revisions')).json;
  assert.deepEqual(
    revisions.map(({ number, state }: { number: number; state: string }) => [number, state]),
    [
      [2, 'current'],
      [1, 'superseded'],
    ],
  );
  assert.equal((await as('publisher').get('/agents/host/revisions/1')).json.card.description, 'As it was.');
});

test('a card that leads calls elsewhere waits: the old place is called until an operator approves, and goes on when refused', async (t) => {
  const { host, space, as, look, state, called } = await stage(t);
  assert.equal(await called(), '/one');
  host.card = host.cardAt('/two');
  await look();
  await space.logged('agent-waits');
  const { current, pending, callable } = await state();
  assert.deepEqual([current.number, pending.number, callable], [1, 2, true]);
  assert.equal(await called(), '/one');
  const decide = (what: string, role = 'operator') => as(role).post(`/agents/host/revisions/2/${what}`);
  assert.equal((await decide('approve', 'publisher')).status, 403);
  assert.equal(await called(), '/one');
  const approved = await decide('approve');
  assert.deepEqual([approved.status, approved.json.current.number, approved.json.pending], [200, 2, null]);
  assert.equal(await called(), '/two');
  assert.equal((await decide('refuse')).json.code, 'not-pending');
  host.card = host.cardAt('/three');
  await look();
  const refused = await as('operator').post('/agents/host/revisions/3/refuse');
  assert.deepEqual([refused.json.current.number, refused.json.pending], [2, null]);
  await look();
  const kept = await state();
  assert.deepEqual([kept.current.number, kept.pending], [2, null], 'nobody is asked the same again');
  assert.equal(await called(), '/two');
});

test('an agent that does not answer is unhealthy, is called all the same, and is well again', async (t) => {
  const { host, space, as, look, state, called } = await stage(t);
  host.answer = (response) => response.writeHead(503).end();
  await look();
  await space.logged('health-changed', '"code":"A2A_CARD_HTTP_503"');
  const ill = await state();
  assert.deepEqual([ill.health.state, ill.callable, ill.blockedReason], ['unhealthy', false, 'unhealthy']);
  assert.deepEqual((await as('caller').get('/agents')).json.agents, []);
  assert.equal(await called(), '/one');
  host.answer = undefined;
  await look();
  await space.logged('health-changed', '"code":"healthy"', 2);
  assert.equal((await state()).callable, true);
});

test('a change of the configuration is taken up live, a bad one is refused and told, and an agent that left is gone', async (t) => {
  const { host, documents, space, as, look, state } = await stage(t);
  const second = documentOf('SpaceAgent', 'second', { space: 'north', card: { inline: host.cardAt('/second') } });
  const etag = async () =>
    (await as('caller').ask('HEAD', '/spaces/north/agents/host/.well-known/agent-card.json')).headers.get('etag');
  const before = await etag();
  assert.equal(await etag(), before);
  space.configure([...documents, second, ISSUER, apiKey('late', 'acme', { north: 'caller' })]);
  await space.logged('agent-registered', '"agent":"second"');
  assert.notEqual(await etag(), before, 'the card names an issuer more');
  assert.equal((await as('late').send('second', messageOf('hi'))).json.result.message.parts[0].text, '/second');
  space.configure([...documents, second, documentOf('SpaceAgent', 'third', { space: 'nowhere', card: {} })]);
  await space.logged('configuration-refused');
  assert.equal((await as('late').get('/agents')).status, 200, 'the last good one is in force');
  const ready = await as('late').ask('GET', '/readyz');
  assert.deepEqual([ready.status, ready.json.problems.length], [200, 1]);
  assert.doesNotMatch(ready.text, /north|nowhere|host/, 'anybody may ask this');
  const off = documentOf('SpaceAgent', 'host', { space: 'north', disabled: true, card: { url: host.url } });
  space.configure([...BASE, GATEWAY, off]);
  await space.logged('agent-removed', '"agent":"second"');
  assert.deepEqual(
    [(await as('late').get('/agents')).status, (await as('caller').get('/agents')).json.agents],
    [401, []],
  );
  const gone = await as('caller').send('second', messageOf('hi'));
  assert.deepEqual([gone.status, gone.bytes], [404, (await as('caller').send('none', messageOf('hi'))).bytes]);
  await look([...BASE, GATEWAY, off]);
  assert.equal((await state()).blockedReason, 'disabled');
});

test('a change of the configuration while the cards are first read is taken up as well', async (t) => {
  const host = await CardHost.start(t);
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  host.answer = ask;
  const agent = documentOf('SpaceAgent', 'host', { space: 'north', card: { url: host.url } });
  const space = await SpaceProcess.configured(t, [...BASE, GATEWAY, agent]);
  const started = space.startAgain();
  const response = await asked;
  const second = documentOf('SpaceAgent', 'second', { space: 'north', card: { inline: host.cardAt('/second') } });
  space.configure([...BASE, GATEWAY, agent, second, apiKey('late', 'acme', { north: 'caller' })]);
  const late = new SpaceCaller(space.url, 'north', keyOf('late'));
  while ((await late.get('/agents')).status !== 200);
  host.answer = undefined;
  response.writeHead(503).end();
  await started;
  await space.logged('agent-registered', '"agent":"second"');
  assert.equal((await late.send('second', messageOf('hi'))).json.result.message.parts[0].text, '/second');
});

test('who registers over HTTP: again is the same, a changed place waits, it is gone when it is deleted', async (t) => {
  const { host, as } = await stage(t);
  const other = await CardHost.start(t);
  const register = (role: string, body: object) => as(role).post('/agents', { id: 'own', ...body });
  assert.equal((await register('publisher', { cardUrl: host.url, reach: 'inside' })).status, 403);
  assert.equal((await register('operator', { cardUrl: host.url, reach: 'inside' })).status, 201);
  const again = await register('operator', { cardUrl: host.url, reach: 'inside' });
  assert.deepEqual([again.status, again.json.outcome], [200, 'unchanged']);
  for (const place of [
    { card: other.cardAt('/stolen'), reach: 'tunnel' },
    { card: host.card, reach: 'tunnel' },
    { card: host.card },
  ])
    assert.equal((await register('publisher', place)).json.code, 'forbidden');
  const sent = await as('caller').send('own', messageOf('hi'));
  assert.equal(sent.json.result?.message.parts[0].text, '/one', sent.text);
  const mine = (card: object, more: object = {}) =>
    as('publisher').post('/agents', { id: 'mine', reach: 'tunnel', card, ...more });
  assert.equal((await mine(other.cardAt('/a'), { disabled: true })).status, 201);
  const moved = await mine(other.cardAt('/b'));
  assert.deepEqual([moved.status, moved.json.outcome, moved.json.agent.disabled], [202, 'pending', true]);
  assert.equal(
    (await as('publisher').post('/agents', { id: 'host', card: other.cardAt('/x') })).json.code,
    'configured-agent',
  );
  assert.equal(
    (await as('operator').ask('DELETE', `${as('operator').base}/agents/host`)).json.code,
    'configured-agent',
  );
  const remove = (role: string) => as(role).ask('DELETE', `${as(role).base}/agents/own`);
  assert.equal((await remove('publisher')).status, 403, 'another one in its place would be called unapproved');
  assert.equal((await remove('operator')).status, 204);
  assert.equal((await as('publisher').get('/agents/own')).status, 404);
});

test('all of it outlives a restart, and a crash', async (t) => {
  const { host, space, as, look, state, called } = await stage(t);
  await as('operator').post('/agents', { id: 'own', cardUrl: host.url, reach: 'inside' });
  host.card = host.cardAt('/two');
  await look();
  await space.logged('agent-waits', '"agent":"host"');
  await as('operator').post('/agents/host/revisions/2/approve');
  host.card = host.cardAt('/three');
  await look();
  await space.logged('agent-waits', '"agent":"host"', 2);
  const sent = await as('caller').send('host', messageOf('hi'));
  const task = sent.headers.get('a2a-space-task');
  const timeless = async () => {
    const { health: _, sequence: __, ...kept } = await state();
    return JSON.stringify([kept, (await as('publisher').get('/agents/host/revisions')).json]);
  };
  const before = await timeless();
  const jwks = (await as('caller').ask('GET', '/.well-known/jwks.json')).text;
  for (const end of [() => space.stop(), () => space.kill()]) {
    await end();
    await space.startAgain();
    assert.equal(await timeless(), before);
    assert.equal((await as('caller').get(`/tasks/${task}`)).json.status, 'completed');
    assert.equal((await as('publisher').get('/agents/own')).json.origin, 'http');
    assert.equal((await as('caller').ask('GET', '/.well-known/jwks.json')).text, jwks);
    assert.equal(await called(), '/two');
  }
});
