import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decideAccess, decideTaskAccess, SPACE_OPERATIONS, type SpaceOperation } from './decide-access.ts';
import { type Principal, principalKey, ROLES, type Role } from './principal.ts';

const SPACE = { id: 'space-demo', tenant: 'acme' };
const OPERATIONS = Object.keys(SPACE_OPERATIONS) as SpaceOperation[];

const principal = (grants: Readonly<Record<string, Role>>, more: Partial<Principal> = {}): Principal => ({
  ...{ tenant: 'acme', kind: 'service', id: 'ci' },
  ...more,
  grants: new Map(Object.entries(grants)),
});

const may = (role: Role): readonly SpaceOperation[] =>
  OPERATIONS.filter((operation) => decideAccess(principal({ [SPACE.id]: role }), SPACE, operation) === 'allowed');

describe('decide-access', () => {
  test('each role may do what stands here, and what the one before it may', () => {
    const caller = ['see-space', 'discover', 'route', 'read-agent', 'call', 'read-own-tasks'];
    const publisher = [...caller, 'register', 'read-revisions', 'connect'];
    const operator = ['register-inside', 'approve', 'remove', 'read-all-tasks', 'read-outbox', 'replay-outbox'];
    assert.deepEqual(may('caller'), caller);
    assert.deepEqual(may('publisher'), publisher);
    assert.deepEqual(may('operator'), [...publisher, ...operator]);
  });

  test('with a lesser role it is forbidden, never hidden', () => {
    for (const operation of OPERATIONS) {
      const decided = decideAccess(principal({ [SPACE.id]: 'caller' }), SPACE, operation);
      assert.equal(decided, SPACE_OPERATIONS[operation] === 'caller' ? 'allowed' : 'forbidden', operation);
    }
  });

  test('without a role, in another tenant, or of a Space that is not there: hidden, whatever is asked', () => {
    const strangers: [Principal, typeof SPACE | undefined][] = [
      [principal({}), SPACE],
      [principal({ other: 'operator' }), SPACE],
      [principal({ [SPACE.id]: 'operator', '*': 'operator' }, { tenant: 'rival' }), SPACE],
      [principal({ '*': 'operator' }), { id: SPACE.id, tenant: 'rival' }],
      [principal({ '*': 'operator', undefined: 'operator' }), undefined],
    ];
    for (const [who, space] of strangers)
      for (const operation of OPERATIONS) assert.equal(decideAccess(who, space, operation), 'hidden');
  });

  test('the star is every Space of the tenant, and the greater of two roles counts', () => {
    assert.equal(decideAccess(principal({ '*': 'operator' }), SPACE, 'approve'), 'allowed');
    assert.equal(decideAccess(principal({ '*': 'operator', [SPACE.id]: 'caller' }), SPACE, 'approve'), 'allowed');
    assert.equal(decideAccess(principal({ '*': 'caller', [SPACE.id]: 'publisher' }), SPACE, 'register'), 'allowed');
  });

  test('a task is who began it; operators may read it, and nobody else learns that it is there', () => {
    const owner = principal({ [SPACE.id]: 'caller' });
    const task = { space: SPACE.id, caller: principalKey(owner) };
    const decide = (who: Principal, operation: 'read' | 'act', of: typeof task | undefined = task) =>
      decideTaskAccess(who, SPACE, of, operation);
    assert.deepEqual([decide(owner, 'read'), decide(owner, 'act')], ['allowed', 'allowed']);
    for (const role of ROLES) {
      const other = principal({ [SPACE.id]: role }, { id: 'other' });
      assert.equal(decide(other, 'read'), role === 'operator' ? 'allowed' : 'hidden');
      assert.equal(decide(other, 'act'), 'hidden');
    }
    assert.equal(decide(principal({ [SPACE.id]: 'caller' }, { kind: 'user' }), 'read'), 'hidden');
    assert.equal(decide(principal({}), 'read'), 'hidden', 'who began it and has lost the role');
    assert.equal(decideTaskAccess(owner, SPACE, undefined, 'read'), 'hidden');
    assert.equal(decide(principal({ '*': 'operator' }), 'read', { ...task, space: 'other' }), 'hidden');
    assert.equal(decideTaskAccess(owner, undefined, task, 'read'), 'hidden');
  });
});
