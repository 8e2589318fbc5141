import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { test } from 'node:test';
import { verifyCompact } from '@agentkourier/a2a/compact-jws';
import { verificationKeys } from '@agentkourier/a2a/signature/keys';
import { sealContract } from '../../../../contract/seal.ts';
import { keySeal } from './key-seal.ts';

const jwk = (): JsonWebKey => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });

sealContract('one key', () => keySeal([jwk()]));
sealContract('two keys', () => keySeal([jwk(), { ...jwk(), kid: 'old', alg: 'Ed25519', use: 'sig' }]));

test('a key is changed: the new one signs, what the old one signed is still opened, until it is taken away', () => {
  const [old, young] = [jwk(), jwk()];
  const before = keySeal([old]).sign('t', { a: 1 });
  const both = keySeal([young, old]);
  const after = both.sign('t', { a: 2 });
  assert.deepEqual(both.open('t', before), { a: 1 });
  assert.deepEqual(both.open('t', after), { a: 2 });
  assert.equal(keySeal([old]).open('t', after), undefined);
  assert.equal(keySeal([young]).open('t', before), undefined);
  assert.equal(both.jwks.keys.length, 2);
});

test('others verify with the public keys', () => {
  const seal = keySeal([jwk()]);
  const reading = verificationKeys(seal.jwks);
  assert.ok(reading.kind === 'read');
  assert.deepEqual(verifyCompact(seal.sign('t', { a: 1 }), 't', reading.value), { a: 1 });
});

test('a key of another kind is refused, and nothing of it is told', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({ format: 'jwk' });
  const { d: secret, ...open } = jwk();
  for (const keys of [
    [],
    [rsa],
    [null],
    ['text'],
    [open],
    [jwk(), open],
    [{ ...open, d: 'AAAA' }],
    [{ ...open, d: 7 }],
  ]) {
    assert.throws(
      () => keySeal(keys),
      (error: unknown) =>
        error instanceof TypeError && !error.message.includes(String(secret)) && !error.message.includes('AAAA'),
    );
  }
});
