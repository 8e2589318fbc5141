import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { signCard } from '@agentkourier/a2a/sign-card';
import { PAIRS } from '../../../a2a/test/signing-keys.ts';
import { ManualClock } from '../../test/manual-clock.ts';
import { sqliteSpaceStore } from '../adapters/space-store/sqlite/sqlite-space-store.ts';
import type { Json } from '../core/directory/registered-agent.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import type { SpaceStore } from '../ports/space/space-store.ts';
import { card10 } from './fixtures/cards.ts';
import { spacePolicy } from './fixtures/space-policy.ts';
import { SPACE_LIMITS } from './limits.ts';
import { type AgentPlace, type CardToRegister, Registration } from './registration.ts';

const PLACE: AgentPlace = { space: 'demo', id: 'echo', reach: 'public', origin: 'http', disabled: false };
const AT = { space: 'demo', id: 'echo' };
const CARD = card10('https://a.example/rpc');
const REWORDED: Json = { ...CARD, description: 'In other words.' };
const MOVED = card10('https://b.example/rpc');

async function open(t: TestContext) {
  const store = sqliteSpaceStore({ path: ':memory:' });
  await store.open();
  t.after(() => store.close());
  return opened(store);
}

function opened(store: SpaceStore) {
  const registration = new Registration({ store, clock: new ManualClock(5_000) });
  const register = async (card: unknown, more: Partial<CardToRegister> = {}) => {
    const policy = spacePolicy();
    const done = await registration.register({ place: PLACE, policy, card, by: 'ada', mayApprove: false, ...more });
    assert.notEqual(done.kind, 'refused', JSON.stringify(done));
    return done as Exclude<typeof done, { kind: 'refused' }>;
  };
  const numbers = async () =>
    (await store.revisions('demo', 'echo', { limit: 50 })).map(({ number, state }) => `${number} ${state}`);
  return { store, registration, register, numbers };
}

test('the first card is current, the same again changes nothing, other words are a revision', async (t) => {
  const { store, register, numbers } = await open(t);
  const first = await register(CARD);
  assert.equal(first.kind, 'new');
  const { sequence, current } = first.agent;
  assert.deepEqual([current?.number, current?.registeredBy, current?.at, current?.changes], [1, 'ada', 5_000, []]);
  assert.match(current?.versionId ?? '', /^v1-[0-9a-f]{12}$/);
  assert.ok(current?.cardSha256.startsWith(current.versionId.slice(3)));
  const same = await register(CARD);
  assert.deepEqual([same.kind, same.agent.sequence], ['unchanged', sequence]);
  const revised = await register(REWORDED);
  assert.equal(revised.kind, 'revised');
  assert.deepEqual(
    revised.agent.current?.changes.map(({ path }) => path),
    ['$.description'],
  );
  assert.deepEqual(await numbers(), ['2 current', '1 superseded']);
  assert.deepEqual((await store.revision('demo', 'echo', 1))?.card, CARD);
});

test('what leads calls elsewhere waits, and what was current still is; who may approve need not wait', async (t) => {
  const { register, registration, numbers } = await open(t);
  await register(CARD);
  const moved = await register(MOVED);
  assert.equal(moved.kind, 'pending');
  assert.deepEqual(moved.agent.current?.card, CARD);
  assert.equal(moved.agent.pending?.state, 'pending');
  assert.equal((await register(MOVED)).kind, 'pending');
  assert.deepEqual(await numbers(), ['2 pending', '1 current']);
  const approved = await registration.decide({ ...AT, number: 2 }, { isApproved: true, by: 'olga' });
  assert.deepEqual(
    [approved?.current?.number, approved?.current?.decidedBy, approved?.pending],
    [2, 'olga', undefined],
  );
  assert.deepEqual(await numbers(), ['2 current', '1 superseded']);
  assert.equal((await register(card10('https://c.example/'), { mayApprove: true })).kind, 'revised');
});

test('a card that waits is taken back by the card before, and replaced by another one', async (t) => {
  const { register, numbers } = await open(t);
  await register(CARD);
  await register(MOVED);
  const back = await register(CARD);
  assert.deepEqual([back.kind, back.agent.pending], ['unchanged', undefined]);
  assert.deepEqual(await numbers(), ['2 superseded', '1 current']);
  await register(MOVED);
  await register(card10('https://c.example/rpc'));
  assert.deepEqual(await numbers(), ['4 pending', '3 superseded', '2 superseded', '1 current']);
  await register(REWORDED);
  assert.deepEqual((await numbers()).slice(0, 2), ['5 current', '4 superseded']);
});

test('who brings what waits, and may approve it, approves it', async (t) => {
  const { register, numbers } = await open(t);
  await register(CARD);
  await register(MOVED);
  const approved = await register(MOVED, { by: 'olga', mayApprove: true });
  assert.deepEqual([approved.kind, approved.agent.current?.decidedBy], ['revised', 'olga']);
  assert.deepEqual(await numbers(), ['2 current', '1 superseded']);
});

test('a card that was refused does not wait again each time that it is read', async (t) => {
  const { register, registration, numbers } = await open(t);
  await register(CARD);
  await register(MOVED);
  const refused = await registration.decide({ ...AT, number: 2 }, { isApproved: false, by: 'olga' });
  assert.deepEqual([refused?.current?.number, refused?.pending], [1, undefined]);
  for (const _ of [1, 2]) assert.equal((await register(MOVED, { by: 'watch' })).kind, 'declined');
  assert.equal((await register(CARD)).kind, 'unchanged');
  assert.equal((await register(MOVED)).kind, 'declined');
  assert.deepEqual(await numbers(), ['2 refused', '1 current']);
  assert.equal((await register(card10('https://c.example/'))).kind, 'pending');
  assert.equal((await register(MOVED, { mayApprove: true })).kind, 'revised');
});

test('a decision is on the revision that waits, and on no other', async (t) => {
  const { register, registration } = await open(t);
  const decide = (number: number, id = 'echo') =>
    registration.decide({ space: 'demo', id, number }, { isApproved: true, by: 'olga' });
  assert.equal(await decide(1), undefined);
  await register(CARD);
  assert.equal(await decide(1), undefined);
  await register(MOVED);
  assert.equal(await decide(1), undefined);
  assert.equal(await decide(2, 'none'), undefined);
  const both = await Promise.all([decide(2), decide(2)]);
  assert.equal(both.filter((agent) => agent !== undefined).length, 1);
});

test('a place that changes takes its endpoints from the card that is there', async (t) => {
  const { register } = await open(t);
  await register(CARD, { place: { ...PLACE, reach: 'inside', url: 'http://10.0.0.7' }, mayApprove: true });
  const moved = await register(CARD, {
    place: { ...PLACE, reach: 'inside', url: 'http://10.0.0.8' },
    mayApprove: true,
  });
  assert.deepEqual(
    moved.agent.current?.endpoints.map(({ url }) => url),
    ['http://10.0.0.8/rpc'],
  );
  assert.equal(
    (await register(CARD, { place: { ...PLACE, reach: 'inside', url: 'http://10.0.0.9' } })).kind,
    'pending',
  );
});

test('how an agent is to stand is written without its card, and where it is called is not', async (t) => {
  const { store, register, registration } = await open(t);
  const place: AgentPlace = {
    ...PLACE,
    url: 'https://other.example',
    reach: 'inside',
    credential: 'c',
    disabled: true,
  };
  await registration.stand(place);
  assert.equal(await store.agent('demo', 'echo'), undefined);
  const { agent } = await register(CARD);
  await registration.stand(place);
  const stands = await store.agent('demo', 'echo');
  assert.deepEqual(
    [stands?.disabled, stands?.credential, stands?.reach, stands?.url],
    [true, 'c', 'public', undefined],
  );
  assert.deepEqual(stands?.current, agent.current);
  await registration.stand(place);
  assert.equal((await store.agent('demo', 'echo'))?.sequence, stands?.sequence, 'nothing is written twice');
});

test('an agent whose card cannot be had is there, its health too, and its first card is current', async (t) => {
  const { store, register, registration } = await open(t);
  await registration.health('demo', 'echo', { state: 'healthy', failures: 0 });
  assert.equal(await store.agent('demo', 'echo'), undefined);
  const expected = await registration.expect(PLACE, 'A2A_CARD_HTTP_404');
  assert.deepEqual(expected.health, { state: 'unhealthy', failures: 1, checkedAt: 5_000, why: 'A2A_CARD_HTTP_404' });
  assert.equal((await register(CARD)).kind, 'new');
  await registration.health('demo', 'echo', { state: 'healthy', failures: 0 });
  assert.deepEqual((await store.agent('demo', 'echo'))?.health, { state: 'healthy', failures: 0 });
});

test('many who write at once leave numbers without gaps, and lose nothing', async (t) => {
  const { store, register } = await open(t);
  await register(CARD);
  const cards = Array.from({ length: SPACE_LIMITS.writeAttempts - 1 }, (_, at) => ({ ...CARD, description: `${at}` }));
  await Promise.all(cards.map((card) => register(card)));
  const revisions = await store.revisions('demo', 'echo', { limit: 50 });
  assert.deepEqual(
    revisions.map(({ number }) => number),
    Array.from({ length: cards.length + 1 }, (_, at) => cards.length + 1 - at),
  );
  assert.equal(revisions.filter(({ state }) => state === 'current').length, 1);
});

test('a store that always says stale is told of, and not asked for good', async (t) => {
  const { store } = await open(t);
  let asked = 0;
  const saveAgent = async () => {
    asked += 1;
    return 'stale' as const;
  };
  const stale = opened({ ...store, saveAgent });
  await assert.rejects(stale.register(CARD), /changed all the time/);
  assert.equal(asked, SPACE_LIMITS.writeAttempts);
});

test('who removes an agent hears whether there was one; its number begins again', async (t) => {
  const { register, registration } = await open(t);
  assert.equal(await registration.remove('demo', 'echo'), false);
  await register(CARD);
  await register(REWORDED);
  assert.equal(await registration.remove('demo', 'echo'), true);
  assert.equal((await register(CARD)).agent.current?.number, 1);
});

const keyed = (...pairs: readonly (keyof typeof PAIRS)[]): SpacePolicy['signatures'] => ({
  required: true,
  keys: pairs.map((pair) => ({ jwk: PAIRS[pair].open as Json, origins: [] })),
});

test('keys of the Space that come and go hold for cards that were read before', async (t) => {
  const { store, register, registration, numbers } = await open(t);
  const signing = signCard(CARD, PAIRS.ES256.secret);
  const card = signing.kind === 'signed' ? signing.card : assert.fail(signing.kind);
  const under = (signatures: SpacePolicy['signatures']) => ({ policy: spacePolicy({ signatures }), by: 'watch' });
  assert.deepEqual((await register(card)).agent.current?.signedBy, []);
  const known = await register(card, under(keyed('ES256')));
  assert.deepEqual([known.kind, known.agent.current?.signedBy], ['revised', ['es256']]);
  const asked = { place: PLACE, card, mayApprove: false, ...under(keyed('EdDSA')) };
  assert.deepEqual(await registration.register(asked).then(({ kind }) => kind), 'refused');
  assert.deepEqual((await store.agent('demo', 'echo'))?.current?.signedBy, [], 'nobody vouches for it any more');
  await registration.register(asked);
  assert.deepEqual(await numbers(), ['3 current', '2 superseded', '1 superseded']);
});
