import assert from 'node:assert/strict';
import { it } from 'node:test';
import { blockedReason, type ReachPolicy } from './blocked-reason.ts';
import { registered, revision } from './fixtures/registered.ts';
import type { RegisteredAgent } from './registered-agent.ts';

const OPEN: ReachPolicy = { publicEgress: true, signatureRequired: false, dialers: new Set(['office']) };
const CLOSED: ReachPolicy = { publicEgress: false, signatureRequired: true, dialers: new Set() };
const signed = revision({}, { signedBy: ['key-1'] });
const ill = { state: 'unhealthy', failures: 3 } as const;

const CASES: readonly (readonly [string, Partial<RegisteredAgent>, ReachPolicy, string | undefined])[] = [
  ['an agent inside', {}, OPEN, undefined],
  ['whose health is not known yet', { health: { state: 'unknown', failures: 0 } }, OPEN, undefined],
  ['with a revision that waits', { pending: revision({}) }, OPEN, undefined],
  ['that is unhealthy', { health: ill }, OPEN, 'unhealthy'],
  ['without a signature where none is wanted', {}, OPEN, undefined],
  ['without a signature', {}, CLOSED, 'signature-required'],
  ['with a signature', { current: signed }, CLOSED, undefined],
  ['C005 without an endpoint', { current: revision({}, { endpoints: [] }) }, OPEN, 'card-invalid'],
  ['a public one', { reach: 'public' }, OPEN, undefined],
  ['a public one where that is off', { reach: 'public', current: signed }, CLOSED, 'public-egress-disabled'],
  ['behind a dialer', { reach: 'vpc', dialer: 'office' }, OPEN, undefined],
  ['behind an unknown dialer', { reach: 'vpc', dialer: 'home' }, OPEN, 'no-dialer'],
  ['behind no dialer, though public calls are allowed', { reach: 'vpc' }, OPEN, 'no-dialer'],
  ['that dialled out', { id: 'here', reach: 'tunnel' }, OPEN, undefined],
  ['that did not dial out', { id: 'away', reach: 'tunnel' }, OPEN, 'not-connected'],
  ['that did not, and was unhealthy', { id: 'away', reach: 'tunnel', health: ill }, OPEN, 'not-connected'],
  ['that is disabled', { disabled: true, health: ill }, CLOSED, 'disabled'],
];

for (const [what, given, policy, reason] of CASES) {
  it(`${what}: ${reason ?? 'callable'}`, () => {
    const agent = registered('agent', {}, given);
    assert.equal(
      blockedReason(agent, policy, (id) => id === 'here'),
      reason,
    );
  });
}

it('an agent without a current card waits for an approval, or has none', () => {
  const { current: _, ...agent } = registered('agent', {});
  assert.equal(
    blockedReason({ ...agent, pending: revision({}) }, OPEN, () => false),
    'approval-pending',
  );
  assert.equal(
    blockedReason(agent, OPEN, () => false),
    'card-invalid',
  );
  // Nobody could read a card there.
  assert.equal(
    blockedReason({ ...agent, reach: 'tunnel' }, OPEN, () => false),
    'not-connected',
  );
  assert.equal(
    blockedReason({ ...agent, reach: 'public' }, CLOSED, () => false),
    'public-egress-disabled',
  );
});
