import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TokenGrant, TokenIssuer } from '../../../ports/space/space-configuration.ts';
import { tokenPrincipal } from './token-principal.ts';

const ISSUER: TokenIssuer = {
  ...{ name: 'acme', issuer: 'https://issuer.example', audience: 'space', kind: 'user', tenant: { fixed: 'acme' } },
  grants: [],
};

const grants = (claims: object, ...rules: readonly TokenGrant[]): object =>
  Object.fromEntries(tokenPrincipal({ sub: 's', ...claims }, { ...ISSUER, grants: rules })?.grants ?? []);

const when = (claim: string, has: string, space = 'a', role: TokenGrant['role'] = 'caller'): TokenGrant => ({
  ...{ when: { claim, has }, space, role },
});

describe('the principal of a token', () => {
  test('its id has the name of the issuer, so that two issuers with one subject are two', () => {
    const other = { ...ISSUER, name: 'rival' };
    assert.deepEqual(
      [ISSUER, other].map((issuer) => tokenPrincipal({ sub: 'alice' }, issuer)?.id),
      ['acme:alice', 'rival:alice'],
    );
  });

  test('a projected token of a Kubernetes service account is a runtime', () => {
    const claims = {
      ...{ aud: ['kourier-space'], exp: 1_900_003_607, iat: 1_900_000_000, nbf: 1_900_000_000, jti: 'ea28ed49' },
      iss: 'https://kubernetes.default.svc.cluster.local',
      'kubernetes.io': {
        namespace: 'agents',
        node: { name: 'node-1', uid: '646e7c5e' },
        pod: { name: 'research-0', uid: '5e0e9a2b' },
        serviceaccount: { name: 'research', uid: '14ee3fa4' },
        warnafter: 1_900_003_607,
      },
      sub: 'system:serviceaccount:agents:research',
    };
    const cluster: TokenIssuer = {
      ...{ name: 'cluster', issuer: claims.iss, audience: 'kourier-space', kind: 'runtime' },
      tenant: { claim: 'kubernetes.io.namespace' },
      grants: [
        when('sub', 'system:serviceaccount:agents:research', 'research', 'publisher'),
        when('kubernetes.io.serviceaccount.name', 'research', 'space-demo'),
        when('kubernetes.io.serviceaccount.name', 'other', 'other'),
      ],
    };
    assert.deepEqual(tokenPrincipal(claims, cluster), {
      ...{ tenant: 'agents', kind: 'runtime', id: 'cluster:system:serviceaccount:agents:research' },
      grants: new Map([
        ['research', 'publisher'],
        ['space-demo', 'caller'],
      ]),
    });
  });

  test('a rule holds for a text, for one of a list, and for a word of a scope', () => {
    assert.deepEqual(grants({ team: 'ops' }, when('team', 'ops')), { a: 'caller' });
    assert.deepEqual(grants({ team: ['dev', 'ops'] }, when('team', 'ops')), { a: 'caller' });
    assert.deepEqual(grants({ scope: 'openid space.call' }, when('scope', 'space.call')), { a: 'caller' });
    assert.deepEqual(grants({ scp: ['space.call'] }, when('scp', 'space.call')), { a: 'caller' });
    assert.deepEqual(grants({ realm_access: { roles: ['ops'] } }, when('realm_access.roles', 'ops')), { a: 'caller' });
    assert.deepEqual(grants({ 'https://acme.example/roles': ['ops'] }, when('https://acme.example/roles', 'ops')), {
      a: 'caller',
    });
    assert.deepEqual(grants({}, { space: '*', role: 'caller' }), { '*': 'caller' });
  });

  test('and for nothing that only looks like it', () => {
    const never: [object, TokenGrant][] = [
      [{}, when('team', 'ops')],
      [{ team: 'dev ops' }, when('team', 'ops')],
      [{ team: 'Ops' }, when('team', 'ops')],
      [{ team: 'ops-readonly' }, when('team', 'ops')],
      [{ team: { ops: true } }, when('team', 'ops')],
      [{ team: [['ops']] }, when('team', 'ops')],
      [{ admin: true }, when('admin', 'true')],
      [{ level: 1 }, when('level', '1')],
      [{ team: 'undefined' }, when('other', 'undefined')],
      [{}, when('constructor.name', 'Object')],
      [{}, when('__proto__.constructor.name', 'Object')],
      [{ team: 'ops' }, when('team.length', '3')],
      [{ a: { b: 'ops' } }, when('a.', 'ops')],
    ];
    for (const [claims, rule] of never) assert.deepEqual(grants(claims, rule), {}, JSON.stringify([claims, rule]));
  });

  test('of several rules for one Space the greatest role counts, in any order', () => {
    const rules = [when('g', 'x', 'a', 'caller'), when('g', 'y', 'a', 'operator'), when('g', 'z', 'a', 'publisher')];
    assert.deepEqual(grants({ g: ['x', 'y', 'z'] }, ...rules), { a: 'operator' });
    assert.deepEqual(grants({ g: ['x', 'y', 'z'] }, ...rules.reverse()), { a: 'operator' });
    assert.deepEqual(grants({ g: ['x', 'z'] }, ...rules), { a: 'publisher' });
  });
});
