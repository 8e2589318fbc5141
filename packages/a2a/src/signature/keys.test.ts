import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OTHER_CURVE, PAIRS, SHORT_RSA } from '../../test/signing-keys.ts';
import { signWith, verifyWith } from './algorithms.ts';
import { base64url, fromBase64url } from './base64url.ts';
import { signingKey, verificationKeys } from './keys.ts';

/** RFC 8037, appendix A. */
const KEY_8037 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

describe('keys', () => {
  test('RFC 8037: its thumbprint is the id of a key without one, and its signature is ours', () => {
    const reading = signingKey(KEY_8037);
    assert.ok(reading.kind === 'read');
    assert.equal(reading.value.id, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
    const text = 'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc';
    const signature = signWith('EdDSA', reading.value.key, text);
    assert.equal(
      base64url(signature),
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    );
    const keys = verificationKeys({ keys: [KEY_8037] });
    assert.ok(keys.kind === 'read' && keys.value[0]);
    assert.equal(verifyWith('EdDSA', keys.value[0].key, text, signature), true);
  });

  test('RFC 7515: its signature by ES256 is two numbers side by side', () => {
    const keys = verificationKeys({
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    });
    assert.ok(keys.kind === 'read' && keys.value[0]);
    const text =
      'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ';
    const signature = 'DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
    assert.equal(verifyWith('ES256', keys.value[0].key, text, Buffer.from(signature, 'base64url')), true);
  });

  test('a key signs with the algorithm of its JWK, else with the usual one of its kind', () => {
    for (const [algorithm, { secret }] of Object.entries(PAIRS)) {
      const reading = signingKey(secret);
      assert.equal(reading.kind === 'read' && reading.value.algorithms[0], algorithm);
    }
  });

  test('what no card is signed with is refused, with the reason', () => {
    const es = PAIRS.ES256.secret;
    const table: readonly (readonly [unknown, RegExp])[] = [
      [null, /JSON object/],
      [{ kty: 'oct', k: 'c2VjcmV0', kid: 'a' }, /symmetric/],
      [PAIRS.ES256.open, /no private part/],
      [{ ...es, use: 'enc' }, /use/],
      [{ ...es, key_ops: ['verify'] }, /not for sign/],
      [{ ...es, alg: 'ES384' }, /kty, crv and alg/],
      [{ ...es, alg: 'none' }, /kty, crv and alg/],
      [{ ...es, x: 'AAAA' }, /no valid key/],
      [SHORT_RSA.secret, /2048/],
      [OTHER_CURVE.secret, /kty, crv and alg/],
    ];
    for (const [jwk, why] of table) {
      const reading = signingKey(jwk);
      assert.match(reading.kind === 'unusable' ? reading.why : 'usable', why);
    }
  });

  test('of a set, keys for something else are left out; none left is told, key by key', () => {
    const other = { kty: 'oct', k: 'c2VjcmV0' };
    const some = verificationKeys({ keys: [other, null, PAIRS.ES256.open, SHORT_RSA.open] });
    assert.deepEqual(some.kind === 'read' && some.value.map(({ id }) => id), ['es256']);
    const one = verificationKeys(PAIRS.ES256.open);
    assert.deepEqual(one.kind === 'read' && one.value.map(({ id }) => id), ['es256']);
    for (const [jwks, why] of [
      [{ keys: [] }, /no keys/],
      [{ keys: [other, SHORT_RSA.open] }, /key 0: .*; key 1: /],
      [{}, /array keys/],
      [[], /JSON object/],
    ] as const) {
      const reading = verificationKeys(jwks);
      assert.match(reading.kind === 'unusable' ? reading.why : 'usable', why);
    }
  });
});

test('base64url has one spelling', () => {
  assert.deepEqual(fromBase64url('AQI'), Buffer.from([1, 2]));
  for (const text of ['AQI=', 'AQJ', 'A Q', 'AQ+', 'A']) assert.equal(fromBase64url(text), undefined, text);
});
