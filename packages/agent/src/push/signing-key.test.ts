import assert from 'node:assert/strict';
import { createSecretKey, generateKeyPairSync, verify } from 'node:crypto';
import { test } from 'node:test';
import { signerOf } from './signing-key.ts';

test('a secret signs as the example of Standard Webhooks does', () => {
  const sign = signerOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const signed = sign('msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}');
  assert.equal(signed, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('an Ed25519 key signs so that its public half verifies', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const [version, signature = ''] = signerOf(privateKey)('id.1.{}').split(',');
  assert.equal(version, 'v1a');
  assert.ok(verify(null, Buffer.from('id.1.{}'), publicKey, Buffer.from(signature, 'base64')));
  assert.equal(verify(null, Buffer.from('id.2.{}'), publicKey, Buffer.from(signature, 'base64')), false);
});

test('every other key is refused, and nothing of it is said', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey;
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'secret').toString('base64')}`;
  const wrong = [
    publicKey,
    rsa,
    createSecretKey(Buffer.alloc(32)),
    '',
    'secret',
    of(23),
    of(65),
    `${of(32)}\n`,
    'whsec_',
  ];
  for (const key of wrong) {
    assert.throws(
      () => signerOf(key),
      (error) => error instanceof TypeError && /must be/.test(error.message) && !/c2VjcmV0/.test(error.message),
    );
  }
  for (const key of [privateKey, of(24), of(64)]) assert.doesNotThrow(() => signerOf(key));
});
