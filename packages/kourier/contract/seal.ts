import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Seal } from '../src/ports/space/seal.ts';

const CLAIMS = { sub: 'ada', list: [1, { a: 'é' }], none: null } as const;

/** What every seal must do: the sentences of `ports/space/seal.ts`. `make` gives another one each time. */
export function sealContract(name: string, make: () => Seal | Promise<Seal>): void {
  describe(`seal contract: ${name}`, () => {
    test('what it signed it opens, as it was', async () => {
      const seal = await make();
      const token = seal.sign('permit+jwt', CLAIMS);
      assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/, 'it goes into a header as it is');
      assert.deepEqual(seal.open('permit+jwt', token), CLAIMS);
    });

    test('a token is of one type', async () => {
      const seal = await make();
      assert.equal(seal.open('other+jwt', seal.sign('permit+jwt', CLAIMS)), undefined);
    });

    test('what it did not sign it does not open', async () => {
      const [seal, other] = [await make(), await make()];
      const token = seal.sign('permit+jwt', CLAIMS);
      assert.equal(seal.open('permit+jwt', other.sign('permit+jwt', CLAIMS)), undefined);
      const [head, , tail] = token.split('.');
      const [, changed] = seal.sign('permit+jwt', { ...CLAIMS, sub: 'bob' }).split('.');
      for (const text of ['', 'permit', `${head}.${changed}.${tail}`, `${token}.`, token.slice(0, -4)])
        assert.equal(seal.open('permit+jwt', text), undefined, text);
    });

    test('times are not its business', async () => {
      const seal = await make();
      const expired = { iat: 0, exp: 1, nbf: 9_999_999_999 };
      assert.deepEqual(seal.open('permit+jwt', seal.sign('permit+jwt', expired)), expired);
    });

    test('its public keys are public, and the first is that of what it signs', async () => {
      const seal = await make();
      const [head = ''] = seal.sign('permit+jwt', CLAIMS).split('.');
      const { alg, kid } = JSON.parse(Buffer.from(head, 'base64url').toString());
      assert.equal(alg, 'EdDSA');
      assert.equal(seal.jwks.keys[0]?.['kid'], kid);
      for (const key of seal.jwks.keys) {
        assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
        assert.deepEqual([key['kty'], key['crv'], key['use'], key['alg']], ['OKP', 'Ed25519', 'sig', 'EdDSA']);
      }
    });
  });
}
