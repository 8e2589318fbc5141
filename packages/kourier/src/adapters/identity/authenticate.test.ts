import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { ManualClock } from '../../../test/manual-clock.ts';
import { startTestIssuer, type TestIssuer, token } from '../../../test/token-issuer.ts';
import type { Access, TokenIssuer } from '../../ports/space/space-configuration.ts';
import { apiKeySha256, apiKeyText } from './api-key/api-key.ts';
import { authenticate } from './authenticate.ts';

const NOW = 1_900_000_000;

async function world(t: TestContext) {
  const [first, second] = [await startTestIssuer(t), await startTestIssuer(t)];
  const configured = (name: string, { url }: TestIssuer, more: Partial<TokenIssuer> = {}): TokenIssuer => ({
    ...{ name, issuer: url, audience: 'space', kind: 'user', tenant: { fixed: 'acme' }, grants: [] },
    ...more,
  });
  const key = apiKeyText('ci', new Uint8Array(32).fill(1));
  const sha256 = apiKeySha256(key);
  const world = {
    ...{ first, second, key, configured },
    access: {
      apiKeys: [{ name: 'ci', sha256, tenant: 'acme', kind: 'service', grants: new Map() }],
      issuers: [configured('first', first), configured('second', second)],
    } as Access,
    ask: async (credential: string): Promise<string | undefined> => (await known(`Bearer ${credential}`))?.id,
    of: (issuer: TestIssuer, more: object = {}): string =>
      token(issuer.key, { iss: issuer.url, aud: 'space', sub: 'alice', exp: NOW + 60, ...more }),
  };
  const known = authenticate({
    ...{ access: () => world.access, fetch, clock: new ManualClock(NOW * 1_000), failed: () => undefined },
  });
  return world;
}

describe('authenticate', () => {
  test('a key is its name, a token its issuer and subject; only the issuer that it names is asked', async (t) => {
    const { first, second, key, ask, of } = await world(t);
    assert.equal(await ask(key), 'ci');
    assert.deepEqual([first.asked, second.asked], [[], []]);
    assert.equal(await ask(of(first)), 'first:alice');
    assert.deepEqual(second.asked, []);
    assert.equal(await ask(of(second)), 'second:alice');
  });

  test('one issuer cannot speak for another', async (t) => {
    const { first, second, ask } = await world(t);
    const claims = { iss: second.url, aud: 'space', sub: 'alice', exp: NOW + 60 };
    assert.equal(await ask(token(first.key, claims)), undefined);
  });

  test('what is no token, or of an issuer that is not configured, asks nobody', async (t) => {
    const { first, second, ask, of } = await world(t);
    for (const iss of ['https://evil.example', '', undefined, null, 7, [first.url], { url: first.url }, '__proto__'])
      assert.equal(await ask(of(first, { iss })), undefined);
    for (const text of ['kourier_', `kourier_${of(first)}`, 'opaque', 'a.b.c'])
      assert.equal(await ask(text), undefined);
    assert.deepEqual([first.asked, second.asked], [[], []]);
  });

  test('an issuer that is down rejects for its own tokens only', async (t) => {
    const { first, second, key, ask, of } = await world(t);
    await first.down();
    await assert.rejects(ask(of(first)), { name: 'IssuerUnavailable', issuer: 'first' });
    assert.equal(await ask(of(second)), 'second:alice');
    assert.equal(await ask(key), 'ci');
  });

  test('where an issuer is configured more than once, the first whose rules take the token counts', async (t) => {
    const world_ = await world(t);
    const { first, configured, ask, of } = world_;
    const issuers = [
      configured('people', first, { tenant: { claim: 'org' } }),
      configured('machines', first, { audience: 'machines' }),
      configured('rest', first),
    ];
    world_.access = { ...world_.access, issuers };
    assert.equal(await ask(of(first, { org: 'acme' })), 'people:alice');
    assert.equal(await ask(of(first, { aud: 'machines' })), 'machines:alice');
    assert.equal(await ask(of(first)), 'rest:alice');
    assert.equal(await ask(of(first, { aud: 'other' })), undefined);
  });

  test('a change of the configuration counts at once, and does not lose the keys of who stays', async (t) => {
    const world_ = await world(t);
    const { first, second, key, configured, ask, of } = world_;
    assert.equal(await ask(of(first)), 'first:alice');
    const grants = [{ space: 'a', role: 'caller' } as const];
    world_.access = { apiKeys: [], issuers: [configured('first', first, { grants })] };
    assert.equal(await ask(of(first)), 'first:alice');
    assert.equal(first.asked.length, 2);
    assert.equal(await ask(of(second)), undefined);
    assert.equal(await ask(key), undefined);
    world_.access = { apiKeys: [], issuers: [configured('first', first, { jwksUrl: `${first.url}/jwks` })] };
    assert.equal(await ask(of(first)), 'first:alice');
    assert.equal(first.asked.length, 3, 'another place of its keys is read');
  });
});
