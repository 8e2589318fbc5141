import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ACCESS_LIMITS } from '../src/core/access/limits.ts';
import type { Principal } from '../src/core/access/principal.ts';
import type { Authenticate } from '../src/ports/space/authenticate.ts';

export interface Credential {
  /** As it stands after `Bearer `. */
  readonly token: string;
  readonly principal: Principal;
}

/** What an adapter brings for the contract of `Authenticate`. */
export interface AuthenticateUnderTest {
  readonly authenticate: Authenticate;
  /** Two that hold, of different principals. */
  readonly good: readonly [Credential, Credential];
  /** Tokens that prove nothing, by what is wrong with them; one that held and has expired is among them. */
  readonly bad: Readonly<Record<'expired' | 'unknown', string>> & Readonly<Record<string, string>>;
}

/** Every promise of the port `Authenticate`, for one adapter. Those that need nobody else never reject. */
export function authenticateContract(adapter: string, begin: (t: TestContext) => Promise<AuthenticateUnderTest>): void {
  describe(`authenticate contract: ${adapter}`, () => {
    test('a credential is its principal, however often and at once', async (t) => {
      const { authenticate, good } = await begin(t);
      const asked = [...good, ...good, ...good];
      const known = await Promise.all(asked.map(({ token }) => authenticate(`Bearer ${token}`)));
      assert.deepEqual(
        known,
        asked.map(({ principal }) => principal),
      );
      assert.notDeepEqual(good[0].principal, good[1].principal);
    });

    test('the scheme has no case, and one space or more behind it (RFC 9110 §11.1)', async (t) => {
      const { authenticate, good } = await begin(t);
      const [{ token, principal }] = good;
      for (const scheme of ['bearer ', 'BEARER ', 'Bearer   '])
        assert.deepEqual(await authenticate(`${scheme}${token}`), principal);
    });

    test('what is no single bearer token is nobody', async (t) => {
      const { authenticate, good } = await begin(t);
      const [{ token }, { token: other }] = good;
      const none = [
        ...[undefined, '', ' ', 'Bearer', 'Bearer ', token, `Token ${token}`, `Bearer:${token}`, `Bearer\t${token}`],
        ...[`Basic ${token}`, `Basic ${Buffer.from(`user:${token}`).toString('base64')}`, `Digest username="${token}"`],
        ...[`Bearer ${token}, Bearer ${other}`, `Bearer ${token},${other}`, `Bearer ${token} ${other}`],
        ...[`Bearer x, Bearer ${token}`, `Basic eDp5, Bearer ${token}`, ` Bearer ${token}`, `Bearer ${token} `],
        ...[`Bearer "${token}"`, `Bearer ${token}\n`, `Bearer ${token}\u0000`, `Bearer Bearer ${token}`],
      ];
      for (const authorization of none) assert.equal(await authenticate(authorization), undefined, authorization);
    });

    test('a longer header than the limit is not looked at', async (t) => {
      const { authenticate, good } = await begin(t);
      const [{ token, principal }] = good;
      const padding = ACCESS_LIMITS.authorizationCharacters - `Bearer ${token}`.length;
      assert.deepEqual(await authenticate(`Bearer ${' '.repeat(padding)}${token}`), principal);
      assert.equal(await authenticate(`Bearer ${' '.repeat(padding + 1)}${token}`), undefined);
      assert.equal(await authenticate(`Bearer ${'a'.repeat(10_000_000)}`), undefined);
    });

    test('one that differs in a character, or lost one, is nobody', async (t) => {
      const { authenticate, good } = await begin(t);
      const [{ token }] = good;
      // The last character may say nothing: base64url has bits to spare there.
      for (let at = 0; at < token.length - 1; at += 1) {
        const other = token[at] === 'A' ? 'B' : 'A';
        const changed = `${token.slice(0, at)}${other}${token.slice(at + 1)}`;
        assert.equal(await authenticate(`Bearer ${changed}`), undefined, `at ${at}`);
      }
      for (const text of [token.slice(1), token.slice(0, -1), `${token}A`, token.toLowerCase(), token.toUpperCase()])
        assert.equal(await authenticate(`Bearer ${text}`), undefined, text);
    });

    test('whatever else is wrong with it, it is nobody', async (t) => {
      const { authenticate, good, bad } = await begin(t);
      for (const [what, token] of Object.entries(bad))
        assert.equal(await authenticate(`Bearer ${token}`), undefined, what);
      assert.deepEqual(await authenticate(`Bearer ${good[0].token}`), good[0].principal, 'and did no harm');
    });

    test('no text at all is somebody, or an error', async (t) => {
      const { authenticate } = await begin(t);
      const tokens = fc.oneof(fc.base64String(), fc.string(), fc.stringMatching(/^[\w-]{1,40}(\.[\w-]{0,40}){2}$/));
      const headers = fc
        .tuple(fc.constantFrom('Bearer ', 'bearer ', '', 'Basic '), tokens)
        .map((parts) => parts.join(''));
      await fc.assert(
        fc.asyncProperty(headers, async (header) => (await authenticate(header)) === undefined),
        { seed: 1, numRuns: 200 },
      );
    });
  });
}
