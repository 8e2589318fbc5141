import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiKey } from '../../../ports/space/space-configuration.ts';
import { API_KEY_BYTES, apiKeySha256, apiKeyText, isWholeApiKey } from './api-key.ts';
import { authenticateApiKey } from './authenticate-api-key.ts';

const NOW = 1_900_000_000_000;
const text = (name: string, fill: number): string => apiKeyText(name, new Uint8Array(API_KEY_BYTES).fill(fill));

const kept = (key: string, more: Partial<ApiKey> = {}): ApiKey => ({
  ...{ name: 'ci', sha256: apiKeySha256(key), tenant: 'acme', kind: 'service', grants: new Map() },
  ...more,
});

/** The ids that these keys are known by. */
function knownBy(keys: readonly ApiKey[] | (() => readonly ApiKey[]), clock = { now: () => NOW }) {
  const authenticate = authenticateApiKey({ keys: typeof keys === 'function' ? keys : () => keys, clock });
  return async (key: string): Promise<string | undefined> => (await authenticate(`Bearer ${key}`))?.id;
}

describe('an API key', () => {
  test('says what it is, holds 32 random bytes, and ends with a checksum', () => {
    const bytes = Uint8Array.from({ length: API_KEY_BYTES }, (_, index) => index);
    assert.equal(apiKeyText('ci', bytes), 'kourier_ci_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8P4MnuQ');
    assert.throws(() => apiKeyText('ci', bytes.slice(1)), /32 random bytes/);
  });

  test('is told from one that was mistyped', () => {
    const key = text('build.acme-1', 7);
    assert.ok(isWholeApiKey(key));
    for (let at = 0; at < key.length; at += 1) {
      const [before, after] = [key.slice(0, at), key.slice(at + 1)];
      assert.ok(!isWholeApiKey(`${before}${after}`), `${at} lost`);
      for (const other of ['a', 'Z', '0', '-', '_', '.', ' '])
        if (other !== key[at]) assert.ok(!isWholeApiKey(`${before}${other}${after}`), `${at} is ${other}`);
    }
    assert.ok(!isWholeApiKey(`${key}\n`));
    assert.ok(!isWholeApiKey(`kourier_${'a'.repeat(1_000_000)}`));
  });
});

describe('authenticate by API key', () => {
  test('two keys of one name are one principal, while one takes over from the other', async () => {
    const [old, next] = [text('ci', 1), text('ci', 2)];
    const id = knownBy([kept(old, { expiresAt: NOW + 1 }), kept(next)]);
    assert.deepEqual([await id(old), await id(next)], ['ci', 'ci']);
  });

  test('one that is taken away, or runs out, is nobody at the next call', async () => {
    const key = text('ci', 1);
    let now = NOW;
    let keys: readonly ApiKey[] = [kept(key, { expiresAt: NOW + 1_000 })];
    const id = knownBy(() => keys, { now: () => now });
    assert.equal(await id(key), 'ci');
    now += 1_000;
    assert.equal(await id(key), undefined);
    now = NOW;
    keys = [];
    assert.equal(await id(key), undefined);
    keys = [kept(key)];
    assert.equal(await id(key), 'ci');
  });

  test('a text of another form is no key, even if its hash is configured', async () => {
    for (const key of ['secret', 'kourier_', `kourier_ci_${'a'.repeat(43)}`, text('ci', 1).slice(0, -1)])
      assert.equal(await knownBy([kept(key)])(key), undefined);
  });

  test('among many, each is found', async () => {
    const keys = Array.from({ length: 200 }, (_, index) => text(`k-${index}`, index));
    const id = knownBy(keys.map((key, index) => kept(key, { name: `k-${index}` })));
    for (const index of [0, 1, 99, 199]) assert.equal(await id(keys[index] ?? ''), `k-${index}`);
  });
});
