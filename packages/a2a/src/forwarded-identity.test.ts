import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodySha256, type ForwardedIdentity, identityClaims, readIdentity } from './forwarded-identity.ts';
import { FORWARDED_IDENTITY_LIMITS } from './limits.ts';

const USER: ForwardedIdentity = {
  iss: 'https://gateway.example',
  iat: 1_000,
  exp: 1_060,
  jti: 'j1',
  account: 'acme',
  tenant: '',
  agent: 'echo',
  runtime: 'echo-1',
  registration: 'space-demo/echo',
  sub: 'ada',
  kind: 'user',
  htm: 'POST',
  htu: '/a2a/jsonrpc?a=1',
  bodySha256: bodySha256('{}'),
};
const { kind: _, ...NO_KIND } = USER;

test('claims are read as they were made; the audience is the registration', () => {
  const claims = identityClaims(USER);
  assert.equal(claims['aud'], 'space-demo/echo');
  assert.deepEqual(readIdentity(JSON.parse(JSON.stringify(claims))), claims);
  for (const identity of [
    { ...USER, tenant: 't' },
    { ...USER, kind: 'runtime', callerRuntime: 'r' },
    { ...USER, kind: 'service' },
    { ...USER, kind: 'probe' },
  ] as const)
    assert.deepEqual(readIdentity(identityClaims(identity)), { ...identity, aud: 'space-demo/echo' });
});

test('A5 a runtime that calls names itself, and nobody else names one', () => {
  for (const kind of ['user', 'service', 'probe'] as const)
    assert.throws(() => identityClaims({ ...USER, kind, callerRuntime: 'r' }), TypeError, kind);
  assert.throws(() => identityClaims({ ...USER, kind: 'runtime' }), TypeError);
  assert.throws(() => identityClaims({ ...USER, kind: 'runtime', callerRuntime: '' }), TypeError);
});

test('A5 a claim that is missing, of another type, empty or too long makes all of it none', () => {
  const good = identityClaims(USER);
  assert.ok(readIdentity(good));
  for (const name of Object.keys(good)) {
    const { [name]: _gone, ...rest } = good;
    assert.equal(readIdentity(rest), undefined, `${name} is missing`);
    for (const value of [
      null,
      7.5,
      true,
      [good[name]],
      { a: 1 },
      'x'.repeat(FORWARDED_IDENTITY_LIMITS.nameCharacters + 1),
    ])
      if (!(typeof value === 'string' && (name === 'iss' || name === 'htu')))
        assert.equal(readIdentity({ ...good, [name]: value }), undefined, `${name}: ${JSON.stringify(value)}`);
    if (name !== 'tenant') assert.equal(readIdentity({ ...good, [name]: '' }), undefined, `${name} is empty`);
  }
  assert.equal(
    readIdentity({ ...good, account: 'x'.repeat(FORWARDED_IDENTITY_LIMITS.accountCharacters + 1) }),
    undefined,
  );
  for (const kind of ['anonymous', 'User', 'toString', '__proto__'])
    assert.equal(readIdentity(identityWith(kind)), undefined, kind);
  assert.equal(readIdentity({ ...good, aud: 'space-demo/other' }), undefined);
  assert.equal(readIdentity({ ...good, aud: ['space-demo/echo'] }), undefined);
});

function identityWith(kind: string): Readonly<Record<string, unknown>> {
  return { ...NO_KIND, aud: NO_KIND.registration, kind };
}

test('A5 it counts for a minute at most', () => {
  const lasting = (seconds: number) => readIdentity({ ...identityClaims(USER), exp: USER.iat + seconds });
  assert.ok(lasting(1));
  assert.ok(lasting(FORWARDED_IDENTITY_LIMITS.identityLifeMs / 1_000));
  for (const seconds of [0, -1, 61, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(lasting(seconds), undefined);
});

test('a body is hashed by its bytes, and no body as none', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.equal(bodySha256(), empty);
  assert.equal(bodySha256(new Uint8Array()), empty);
  assert.equal(bodySha256('é'), bodySha256(new Uint8Array([0xc3, 0xa9])));
});
