import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { prepared, seen } from '../../contract/space-store-samples.ts';
import { ManualClock } from '../../test/manual-clock.ts';
import { keySeal } from '../adapters/identity/seal/key-seal.ts';
import { sqliteSpaceStore } from '../adapters/space-store/sqlite/sqlite-space-store.ts';
import { ACCESS_LIMITS } from '../core/access/limits.ts';
import { type PERMIT_PROBLEMS, PERMIT_TYPE } from '../core/access/permit.ts';
import type { Principal } from '../core/access/principal.ts';
import type { RegisteredAgent } from '../core/directory/registered-agent.ts';
import { spacePolicy } from './fixtures/space-policy.ts';
import { Refusal } from './gateway/refusal.ts';
import type { PermittedCall } from './parts.ts';
import { Permits } from './permits.ts';

const ADA: Principal = { tenant: 'acme', kind: 'user', id: 'ada', grants: new Map() };
const [HASH, OTHER] = ['a'.repeat(64), 'b'.repeat(64)];
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const sealOf = () => keySeal([{ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'k' }]);

async function open(t: TestContext) {
  const ledger = sqliteSpaceStore({ path: ':memory:' });
  await ledger.open();
  t.after(() => ledger.close());
  const clock = new ManualClock(1_900_000_000_000);
  const seal = sealOf();
  let gateway = 'https://space.example';
  let ids = 0;
  const permits = new Permits({
    ...{ seal, ledger, clock, gateway: () => gateway, validMs: () => 60_000 },
    newId: () => {
      ids += 1;
      return `jti-${ids}`;
    },
  });
  const task = await prepared(ledger, 'task-1', { agent: 'echo' });
  return { ledger, clock, seal, permits, task, move: (to: string) => (gateway = to) };
}

const send = (more: Partial<PermittedCall> = {}, agent = 'echo', version = 'v1'): PermittedCall => ({
  ...{ caller: ADA, operation: 'send_message', messageSha256: HASH },
  target: {
    policy: spacePolicy(),
    agent: { space: 'demo', id: agent, current: { versionId: version } } as unknown as RegisteredAgent,
  },
  ...more,
});

const refused = (problem: keyof typeof PERMIT_PROBLEMS) => (error: unknown) => {
  assert.ok(error instanceof Refusal);
  assert.deepEqual([error.reason, error.metadata, error.status], ['PERMIT_REFUSED', { reason: problem }, 403]);
  return true;
};

test('a permit lets the call through that it was given for, once', async (t) => {
  const { permits, task, clock } = await open(t);
  const { permit, expiresAt } = permits.issue(task, { operation: 'send_message', version: 'v1', messageSha256: HASH });
  assert.match(permit, TOKEN);
  assert.equal(expiresAt, clock.now() + 60_000);
  assert.deepEqual(await permits.admit(permit, send()), task);
  await assert.rejects(permits.admit(permit, send()), refused('permit-used'));
});

test('of two calls with one permit at once, one is let through', async (t) => {
  const { permits, task } = await open(t);
  const { permit } = permits.issue(task, { operation: 'send_message', version: 'v1', messageSha256: HASH });
  const both = await Promise.allSettled([permits.admit(permit, send()), permits.admit(permit, send())]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('what only reads may be repeated while the permit is good; a cancel may not', async (t) => {
  const { permits, ledger, task } = await open(t);
  await ledger.observe(seen('task-1', { remoteTaskId: 'r1' }));
  for (const operation of ['get_task', 'subscribe_to_task', 'cancel_task'] as const) {
    const { permit } = permits.issue(task, { operation, version: 'v1', remoteTask: 'r1' });
    const { messageSha256: _, ...call } = send({ operation, remoteTaskId: 'r1' });
    assert.equal((await permits.admit(permit, call)).id, 'task-1');
    if (operation === 'cancel_task') await assert.rejects(permits.admit(permit, call), refused('permit-used'));
    else assert.equal((await permits.admit(permit, call)).id, 'task-1');
  }
});

test('a permit that does not fit says how, and is not used up by it', async (t) => {
  const { permits, ledger, task } = await open(t);
  await ledger.observe(seen('task-1', { remoteTaskId: 'r1' }));
  const { permit } = permits.issue(task, {
    operation: 'send_message',
    version: 'v1',
    remoteTask: 'r1',
    messageSha256: HASH,
  });
  const { messageSha256: _, ...reading } = send({ operation: 'get_task', remoteTaskId: 'r1' });
  for (const [call, problem] of [
    [send({ caller: { ...ADA, id: 'bob' } }), 'permit-other-caller'],
    [send({ caller: { ...ADA, tenant: 'other' } }), 'permit-other-caller'],
    [send({ remoteTaskId: 'r1' }, 'other'), 'permit-other-target'],
    // It is for going on with a task, and this would begin another one.
    [send(), 'permit-other-target'],
    [send({ remoteTaskId: 'r2' }), 'permit-other-target'],
    [send({ remoteTaskId: 'r1' }, 'echo', 'v2'), 'permit-version-changed'],
    [reading, 'permit-other-operation'],
    [send({ remoteTaskId: 'r1', messageSha256: OTHER }), 'permit-other-message'],
  ] as const) {
    await assert.rejects(permits.admit(permit, call), refused(problem));
  }
  assert.equal((await permits.admit(permit, send({ remoteTaskId: 'r1' }))).id, 'task-1');
});

test('a permit expires', async (t) => {
  const { permits, task, clock } = await open(t);
  const { permit } = permits.issue(task, { operation: 'send_message', version: 'v1', messageSha256: HASH });
  clock.pass(60_000 + ACCESS_LIMITS.clockSkewMs);
  await assert.rejects(permits.admit(permit, send()), refused('permit-expired'));
});

test('what this gateway did not sign as a permit is none', async (t) => {
  const { permits, task, seal, move } = await open(t);
  const { permit } = permits.issue(task, { operation: 'send_message', version: 'v1', messageSha256: HASH });
  const claims = seal.open(PERMIT_TYPE, permit) ?? {};
  for (const token of [
    ...['', 'x', `${permit}x`, permit.slice(1), 'x'.repeat(100_000)],
    sealOf().sign(PERMIT_TYPE, claims),
    seal.sign('a2a-identity+jwt', claims),
    seal.sign(PERMIT_TYPE, { ...claims, task: 7 }),
    seal.sign(PERMIT_TYPE, { ...claims, exp: 4_000_000_000 }),
  ]) {
    await assert.rejects(permits.admit(token, send()), refused('permit-invalid'));
  }
  await assert.rejects(
    permits.admit(seal.sign(PERMIT_TYPE, { ...claims, task: 'task-none' }), send()),
    refused('permit-other-target'),
  );
  move('https://moved.example');
  await assert.rejects(permits.admit(permit, send()), refused('permit-invalid'));
});
