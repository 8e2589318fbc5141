import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { OTHER_CURVE, PAIRS } from '../test/signing-keys.ts';
import { keyIdIn, signCompact, verifyCompact } from './compact-jws.ts';
import { JWS_LIMITS } from './limits.ts';
import { signWith } from './signature/algorithms.ts';
import { base64url } from './signature/base64url.ts';
import { type CardKey, signingKey, verificationKeys } from './signature/keys.ts';

function secretOf(jwk: unknown): CardKey {
  const reading = signingKey(jwk);
  assert.ok(reading.kind === 'read');
  return reading.value;
}

function openOf(...jwks: unknown[]): readonly CardKey[] {
  const reading = verificationKeys({ keys: jwks });
  assert.ok(reading.kind === 'read');
  return reading.value;
}

const SECRET = secretOf(PAIRS.EdDSA.secret);
const OPEN = openOf(PAIRS.EdDSA.open);
const CLAIMS = { sub: 'ada', tenant: 'é', exp: 7 };

/** A token whose header says what it likes, signed by the right key or by whatever `sign` does. */
function forged(header: unknown, sign?: (text: string) => string, payload: string = JSON.stringify(CLAIMS)): string {
  const [, , real = ''] = signCompact('t', CLAIMS, SECRET).split('.');
  const text = `${base64url(JSON.stringify(header))}.${base64url(payload)}`;
  return `${text}.${sign === undefined ? real : sign(text)}`;
}

/** What the right key signs, whatever the header says: only the header can be to blame. */
function signedAs(header: unknown, payload: Uint8Array | string = JSON.stringify(CLAIMS)): string {
  const text = `${base64url(JSON.stringify(header))}.${base64url(payload)}`;
  return `${text}.${base64url(signWith('EdDSA', SECRET.key, text))}`;
}

describe('compact JWS', () => {
  test('what each kind of key signs is read by its public half, whole', () => {
    for (const [alg, { secret, open }] of Object.entries(PAIRS)) {
      const token = signCompact('t', CLAIMS, secretOf(secret));
      assert.deepEqual(verifyCompact(token, 't', openOf(open)), CLAIMS, alg);
      assert.equal(keyIdIn(token), open['kid']);
      assert.equal(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).alg, alg);
    }
  });

  test('among several keys the one that it names counts, and no other', () => {
    const token = signCompact('t', CLAIMS, SECRET);
    assert.deepEqual(verifyCompact(token, 't', openOf(PAIRS.ES256.open, PAIRS.EdDSA.open)), CLAIMS);
    assert.equal(verifyCompact(token, 't', openOf(PAIRS.ES256.open)), undefined);
    assert.equal(verifyCompact(token, 't', []), undefined);
    const same = { ...PAIRS.Ed25519.open, kid: 'eddsa' };
    assert.equal(verifyCompact(token, 't', openOf(same)), undefined, 'another key of the same name');
    assert.deepEqual(verifyCompact(token, 't', openOf(same, PAIRS.EdDSA.open)), CLAIMS, 'two of one name');
  });

  test('another type, and a changed header, payload or signature, are none', () => {
    const token = signCompact('t', CLAIMS, SECRET);
    assert.equal(verifyCompact(token, 'T', OPEN), undefined);
    const [head = '', body = '', tail = ''] = token.split('.');
    const other = base64url(JSON.stringify({ ...CLAIMS, sub: 'bob' }));
    for (const changed of [
      `${head}.${other}.${tail}`,
      `${base64url(JSON.stringify({ alg: 'EdDSA', typ: 't', kid: 'eddsa', x: 1 }))}.${body}.${tail}`,
      `${head}.${body}.${signCompact('t', { ...CLAIMS, sub: 'bob' }, SECRET).split('.')[2]}`,
    ])
      assert.equal(verifyCompact(changed, 't', OPEN), undefined);
  });

  test('the key says the algorithm: none, HMAC with the public key and other algorithms do not count', () => {
    const good = { alg: 'EdDSA', typ: 't', kid: 'eddsa' };
    assert.deepEqual(verifyCompact(signedAs(good), 't', OPEN), CLAIMS);
    const publicKey = createPublicKey({ key: PAIRS.EdDSA.open, format: 'jwk' });
    const hmac = (text: string): string =>
      createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
        .update(text)
        .digest('base64url');
    for (const token of [
      forged({ ...good, alg: 'none' }, () => ''),
      forged({ ...good, alg: 'none' }),
      forged({ ...good, alg: 'HS256' }, hmac),
      forged(good, hmac),
      signedAs({ ...good, alg: 'ES256' }),
      signedAs({ ...good, alg: 'toString' }),
      signedAs({ ...good, alg: undefined }),
      signedAs({ ...good, alg: ['EdDSA'] }),
    ])
      assert.equal(verifyCompact(token, 't', OPEN), undefined, token);
    // A key that says its algorithm is for no other, though the signature would hold.
    assert.equal(verifyCompact(signedAs(good), 't', openOf({ ...PAIRS.EdDSA.open, alg: 'Ed25519' })), undefined);
  });

  test('a key that the token brings along, critical extensions and no key id are refused', () => {
    const good = { alg: 'EdDSA', typ: 't', kid: 'eddsa' };
    const strange = PAIRS.Ed25519.open;
    const token = signCompact('t', CLAIMS, secretOf({ ...PAIRS.Ed25519.secret, kid: 'eddsa' }));
    const [, body = '', tail = ''] = token.split('.');
    const brought = base64url(JSON.stringify({ ...good, jwk: strange, jku: 'https://evil.example/jwks' }));
    assert.equal(verifyCompact(`${brought}.${body}.${tail}`, 't', OPEN), undefined);
    for (const header of [
      { ...good, crit: ['b64'], b64: false },
      { ...good, crit: [] },
      { ...good, kid: undefined },
      { ...good, kid: '' },
      { ...good, kid: ['eddsa'] },
      { ...good, typ: undefined },
      [],
      'text',
    ])
      assert.equal(verifyCompact(signedAs(header), 't', OPEN), undefined, JSON.stringify(header));
  });

  test('what is malformed is none, and never throws', () => {
    const token = signCompact('t', CLAIMS, SECRET);
    const [head = '', body = '', tail = ''] = token.split('.');
    const good = { alg: 'EdDSA', typ: 't', kid: 'eddsa' };
    for (const text of [
      '',
      '.',
      '..',
      '...',
      head,
      `${head}.${body}`,
      `${head}.${body}.`,
      `${token}.`,
      `${token}.x`,
      `${token}=`,
      ` ${token}`,
      `${token}, ${token}`,
      `${head}.${body}.${tail.slice(0, -2)}`,
      `${head}.${body}.!${tail}`,
      `x.${body}.${tail}`,
      signedAs(good, '[1]'),
      signedAs(good, 'null'),
      signedAs(good, '{'),
      signedAs(good, ''),
      signedAs(good, new Uint8Array([0x22, 0xff, 0x22])),
      signedAs(good, '\ufeff{}'),
    ]) {
      assert.equal(verifyCompact(text, 't', OPEN), undefined, text);
      assert.doesNotThrow(() => keyIdIn(text));
    }
    assert.equal(keyIdIn(''), undefined);
  });

  test('a token has a size: neither is a larger one made, nor taken', () => {
    const signatureAndHeader = signCompact('t', {}, SECRET).length - base64url('{}').length;
    const room = Math.floor(((JWS_LIMITS.tokenCharacters - signatureAndHeader) * 3) / 4) - '{"a":""}'.length;
    const most = { a: 'x'.repeat(room) };
    assert.deepEqual(verifyCompact(signCompact('t', most, SECRET), 't', OPEN), most);
    assert.throws(() => signCompact('t', { a: `${most.a}xxx` }, SECRET), RangeError);
    const over = signedAs({ alg: 'EdDSA', typ: 't', kid: 'eddsa' }, JSON.stringify({ a: `${most.a}xxx` }));
    assert.equal(verifyCompact(over, 't', OPEN), undefined);
  });

  test('a key of another curve, beside the right one, is left out', () => {
    assert.deepEqual(
      verifyCompact(signCompact('t', CLAIMS, SECRET), 't', openOf(OTHER_CURVE.open, PAIRS.EdDSA.open)),
      CLAIMS,
    );
  });
});
