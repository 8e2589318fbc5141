import assert from 'node:assert/strict';
import { test } from 'node:test';
import { card10 } from '../../space/fixtures/cards.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { openSpace, problemOf } from './fixtures/open-space.ts';

const CARD = card10('https://a.example/rpc');
const MOVED = card10('https://b.example/rpc');
const REVISIONS = '/agents/echo/revisions';

test('an operator approves what waits, once; a publisher only looks', async (t) => {
  const { call } = await openSpace(t);
  for (const card of [CARD, MOVED]) await call('POST', '/agents', { key: 'paul', body: { card } });
  const { json } = await call('GET', REVISIONS, { key: 'paul' });
  assert.deepEqual(
    json.revisions.map((head: { number: number; state: string; card?: unknown }) => [
      head.number,
      head.state,
      head.card,
    ]),
    [
      [2, 'pending', undefined],
      [1, 'current', undefined],
    ],
  );
  assert.equal(json.more, false);
  const waiting = await call('GET', `${REVISIONS}/2`, { key: 'paul' });
  assert.deepEqual([waiting.json.card, waiting.json.registeredBy], [MOVED, '["acme","user","paul"]']);
  assert.ok(waiting.json.changes.length > 0);
  for (const what of ['approve', 'refuse'])
    assert.deepEqual(problemOf(await call('POST', `${REVISIONS}/2/${what}`, { key: 'paul' })), [403, 'forbidden']);
  const approved = await call('POST', `${REVISIONS}/2/approve`);
  assert.deepEqual([approved.status, approved.json.current.number, approved.json.pending], [200, 2, null]);
  assert.deepEqual(
    [approved.json.current.decidedBy, approved.json.current.decidedAt],
    ['["acme","user","olga"]', '2030-03-17T17:46:40.000Z'],
  );
  for (const what of ['approve', 'refuse'])
    assert.deepEqual(problemOf(await call('POST', `${REVISIONS}/2/${what}`)), [409, 'not-pending']);
});

test('what was refused is declined from then on', async (t) => {
  const { call } = await openSpace(t);
  for (const card of [CARD, MOVED]) await call('POST', '/agents', { key: 'paul', body: { card } });
  assert.equal((await call('POST', `${REVISIONS}/2/refuse`, { body: {} })).json.current.number, 1);
  const again = await call('POST', '/agents', { key: 'paul', body: { card: MOVED } });
  assert.deepEqual([again.status, again.json.outcome, again.json.agent.pending], [200, 'declined', null]);
});

test('revisions come in pages, the newest first', async (t) => {
  const { call, registration, policies } = await openSpace(t);
  const policy = policies.get('demo') ?? assert.fail();
  const many = SPACE_LIMITS.pageItems + 1;
  for (let at = 1; at <= many; at += 1) {
    const card = { ...CARD, description: `${at}` };
    const place = { space: 'demo', id: 'echo', reach: 'public', origin: 'http', disabled: false } as const;
    await registration.register({ place, policy, card, by: 'paul', mayApprove: true });
  }
  const first = (await call('GET', REVISIONS)).json;
  assert.deepEqual([first.revisions.length, first.revisions[0].number, first.more], [many - 1, many, true]);
  const rest = (await call('GET', `${REVISIONS}?before=${first.revisions.at(-1).number}`)).json;
  assert.deepEqual([rest.revisions.map(({ number }: { number: number }) => number), rest.more], [[1], false]);
  assert.equal((await call('GET', `${REVISIONS}?before=${many}`)).json.more, false);
  for (const before of ['x', '0', '-1', '1e9', '99999999999'])
    assert.deepEqual(problemOf(await call('GET', `${REVISIONS}?before=${before}`)), [400, 'malformed-request'], before);
});

test('revisions that are not there, of an agent or at all', async (t) => {
  const { call } = await openSpace(t);
  await call('POST', '/agents', { body: { card: CARD } });
  for (const [method, path] of [
    ['GET', '/agents/none/revisions'],
    ['GET', '/agents/none/revisions/1'],
    ['GET', `${REVISIONS}/2`],
    ['GET', `${REVISIONS}/x`],
    ['GET', `${REVISIONS}/0`],
    ['POST', '/agents/none/revisions/1/approve'],
    ['POST', `${REVISIONS}/x/approve`],
  ] as const) {
    assert.deepEqual(problemOf(await call(method, path)), [404, 'not-found'], path);
  }
  assert.deepEqual(problemOf(await call('POST', `${REVISIONS}/1/approve`, { body: { force: true } })), [
    422,
    'invalid-request',
  ]);
});
