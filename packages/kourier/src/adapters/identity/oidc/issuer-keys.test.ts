import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { guardedFetch } from '@agentkourier/agent';
import { ManualClock } from '../../../../test/manual-clock.ts';
import { issuerKey, startTestIssuer, type TestIssuer, token } from '../../../../test/token-issuer.ts';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
import { IssuerUnavailable } from '../../../ports/space/authenticate.ts';
import type { TokenIssuer } from '../../../ports/space/space-configuration.ts';
import { authenticateToken } from './authenticate-token.ts';
import type { FetchJson } from './fetch-key-set.ts';

const START = 1_900_000_000_000;
const { issuerKeysFreshMs, issuerKeysRetryMs, issuerKeysStaleMs, issuerAnswerMs } = ACCESS_LIMITS;
const DISCOVERY = '/.well-known/openid-configuration';

interface World {
  readonly issuer: TestIssuer;
  readonly clock: ManualClock;
  /** Why readings of keys failed. */
  readonly failures: string[];
  /** What comes of a token of this key: an id, `nobody`, or why it cannot be told. */
  ask(key?: TestIssuer['key'], header?: object): Promise<string>;
}

async function world(t: TestContext, more: Partial<TokenIssuer> = {}, fetchJson: FetchJson = fetch): Promise<World> {
  const issuer = await startTestIssuer(t);
  const clock = new ManualClock(START);
  const failures: string[] = [];
  const configured: TokenIssuer = {
    ...{ name: 'acme', issuer: issuer.url, audience: 'space', kind: 'user', tenant: { fixed: 'acme' }, grants: [] },
    ...more,
  };
  const authenticate = authenticateToken({
    ...{ issuers: () => [configured], fetch: fetchJson, clock },
    failed: ({ message }) => failures.push(message),
  });
  const ask = async (key = issuer.key, header = {}): Promise<string> => {
    const exp = clock.now() / 1_000 + 60;
    const claims = { iss: configured.issuer, aud: 'space', sub: 'alice', exp };
    try {
      return (await authenticate(`Bearer ${token(key, claims, header)}`))?.id ?? 'nobody';
    } catch (error) {
      assert.ok(error instanceof IssuerUnavailable, String(error));
      assert.equal(error.issuer, 'acme');
      return error.message;
    }
  };
  return { issuer, clock, failures, ask };
}

const refused = 'token issuer acme: its keys could not be read (ECONNREFUSED)';
/** Also by a connection that was kept. */
const unreachable = /^token issuer acme: its keys could not be read \((ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)\)$/;

describe('the keys of an issuer', () => {
  test('are found by discovery, once for many calls at a time, and kept while they are fresh', async (t) => {
    const { issuer, clock, ask } = await world(t);
    assert.deepEqual(await Promise.all([ask(), ask(), ask()]), ['acme:alice', 'acme:alice', 'acme:alice']);
    clock.pass(issuerKeysFreshMs - 1);
    assert.equal(await ask(), 'acme:alice');
    assert.deepEqual(issuer.asked, [DISCOVERY, '/jwks']);
    clock.pass(1);
    assert.equal(await ask(), 'acme:alice');
    assert.equal(issuer.asked.length, 4);
    assert.equal(clock.waits, 0);
  });

  test('are read at jwksUrl, where it is given, and nowhere else', async (t) => {
    const keys = await startTestIssuer(t);
    const { issuer, ask } = await world(t, { issuer: 'https://kubernetes.default.svc', jwksUrl: `${keys.url}/jwks` });
    assert.equal(await ask(keys.key), 'acme:alice');
    assert.deepEqual([issuer.asked, keys.asked], [[], ['/jwks']]);
  });

  test('are read through the guarded transport, where that is what is given', async (t) => {
    const guarded = (hosts: readonly string[]) => guardedFetch({ route: 'public', enabled: true, trustedHosts: hosts });
    const refusing = await world(t, {}, guarded([]));
    assert.equal(await refusing.ask(), 'token issuer acme: its keys could not be read (A2A_EGRESS_SCHEME_REFUSED)');
    const trusting = await world(t, {}, (url, init) => guarded([new URL(url).host])(url, init));
    assert.equal(await trusting.ask(), 'acme:alice');
  });

  test('of every algorithm that is allowed', async (t) => {
    const { issuer, ask } = await world(t);
    issuer.keys = (['ES256', 'RS256', 'PS256', 'EdDSA'] as const).map((alg) => issuerKey(alg, alg));
    for (const key of issuer.keys) assert.equal(await ask(key), 'acme:alice', key.alg);
    const [ec] = issuer.keys;
    assert.equal(await ask(ec, { kid: undefined }), 'acme:alice', 'one key fits: its id may be left out');
    assert.equal(await ask(ec, { typ: 'at+jwt' }), 'acme:alice');
    assert.equal(await ask(ec, { typ: undefined }), 'acme:alice', 'as of Kubernetes');
  });

  test('a new one is read when a token names it, but not more often than strangers may make us', async (t) => {
    const { issuer, clock, ask } = await world(t);
    const [old, next] = [issuer.key, issuerKey('k-2')];
    assert.equal(await ask(), 'acme:alice');
    assert.equal(await ask(issuerKey('made-up')), 'nobody');
    issuer.keys = [old, next];
    assert.equal(await ask(next), 'nobody', 'it was read a moment ago');
    assert.equal(issuer.asked.length, 2);
    clock.pass(issuerKeysRetryMs);
    assert.equal(await ask(next), 'acme:alice');
    assert.equal(issuer.asked.length, 4);
    issuer.keys = [next];
    clock.pass(issuerKeysFreshMs);
    assert.equal(await ask(old), 'nobody', 'and one that was taken away is none');
    const many = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(issuerKey(`made-up-${index}`))));
    assert.deepEqual(new Set(many), new Set(['nobody']));
    assert.equal(issuer.asked.length, 6);
  });

  test('of a token that cannot hold, none is read', async (t) => {
    const { issuer, ask } = await world(t);
    for (const header of [{ alg: 'none' }, { alg: 'HS256' }, { alg: 'ES256K' }, { typ: 'secevent+jwt' }])
      assert.equal(await ask(issuer.key, header), 'nobody');
    assert.deepEqual(issuer.asked, []);
  });

  test('with none yet, and no answer, nobody can be told; the issuer is asked again a little later', async (t) => {
    const { issuer, clock, failures, ask } = await world(t);
    await issuer.down();
    assert.equal(await ask(), refused);
    await issuer.up();
    assert.equal(await ask(), refused, 'not at each call');
    clock.pass(issuerKeysRetryMs);
    assert.equal(await ask(), 'acme:alice');
    assert.deepEqual(failures, [refused]);
  });

  test('are used while the issuer is down, until they are stale', async (t) => {
    const { issuer, clock, failures, ask } = await world(t);
    assert.equal(await ask(), 'acme:alice');
    await issuer.down();
    clock.pass(issuerKeysFreshMs);
    assert.equal(await ask(), 'acme:alice');
    assert.match(await ask(issuerKey('new')), unreachable, 'whether it has this one cannot be told');
    clock.pass(issuerKeysStaleMs - issuerKeysFreshMs - 1);
    assert.equal(await ask(), 'acme:alice');
    clock.pass(1);
    assert.match(await ask(), unreachable);
    assert.ok(failures.length >= 2 && failures.every((failure) => unreachable.test(failure)));
    await issuer.up();
    clock.pass(issuerKeysRetryMs);
    assert.equal(await ask(), 'acme:alice');
  });

  test('an issuer that hangs makes one call wait, for as long as an answer may take, and then none that has keys', async (t) => {
    const { issuer, clock, failures, ask } = await world(t);
    assert.equal(await ask(), 'acme:alice');
    const asked = hanging(issuer, '/jwks');
    clock.pass(issuerKeysFreshMs);
    const first = ask();
    await asked.next();
    clock.pass(issuerAnswerMs);
    assert.equal(await first, 'acme:alice');
    assert.deepEqual(failures, [`token issuer acme: no answer within ${issuerAnswerMs} ms`]);
    clock.pass(issuerKeysRetryMs);
    assert.equal(await ask(), 'acme:alice', 'while it is asked behind');
    await asked.next();
    assert.equal(clock.waits, 1);
    clock.pass(issuerAnswerMs);
  });

  test('a clock that was set back keeps nothing for longer', async (t) => {
    const { issuer, clock, ask } = await world(t);
    assert.equal(await ask(), 'acme:alice');
    clock.pass(-issuerKeysFreshMs);
    assert.equal(await ask(), 'acme:alice');
    assert.equal(issuer.asked.length, 4);
  });
});

describe('what an issuer must not answer', () => {
  const large = JSON.stringify({ keys: [], x: 'x'.repeat(ACCESS_LIMITS.issuerAnswerBytes) });
  const noKeySet = 'token issuer acme: what it gave is no key set';
  const unreadable = 'token issuer acme: its keys could not be read';
  const cases: Readonly<Record<string, [path: string, body: string, expected: string, status?: number]>> = {
    'a page': ['/jwks', '<html>', `${unreadable} (A2A_EGRESS_JSON_REFUSED)`],
    nothing: ['/jwks', '', `${unreadable} (A2A_EGRESS_JSON_REFUSED)`],
    'a list': ['/jwks', '[]', noKeySet],
    'keys that are none': ['/jwks', '{"keys":[null]}', noKeySet],
    'keys of no kind': ['/jwks', '{"keys":[{"kid":"k-1"}]}', noKeySet],
    'too much': ['/jwks', large, `${unreadable} (A2A_EGRESS_RESPONSE_TOO_LARGE)`],
    'too many keys': [
      '/jwks',
      JSON.stringify({ keys: Array.from({ length: 101 }, () => ({ kty: 'EC' })) }),
      'token issuer acme: its key set has more than 100 keys',
    ],
    'too deep a thing': ['/jwks', '['.repeat(10_000), `${unreadable} (A2A_EGRESS_JSON_REFUSED)`],
    'an error': ['/jwks', '{}', 'token issuer acme: it answered with status 500', 500],
    'no such page': [DISCOVERY, '{}', 'token issuer acme: it answered with status 404', 404],
    'another issuer': [
      DISCOVERY,
      '{"issuer":"https://evil.example","jwks_uri":"https://evil.example/jwks"}',
      'token issuer acme: its discovery document names another issuer: correct the issuer',
    ],
  };
  for (const [what, [path, body, expected, status]] of Object.entries(cases)) {
    test(`${what}: the keys cannot be had, and those of before are used`, async (t) => {
      const { issuer, clock, ask } = await world(t);
      issuer.says(path, body, status);
      assert.equal(await ask(), expected);
      issuer.answers.delete(path);
      clock.pass(issuerKeysRetryMs);
      assert.equal(await ask(), 'acme:alice');
      issuer.says(path, body, status);
      clock.pass(issuerKeysFreshMs);
      assert.equal(await ask(), 'acme:alice');
    });
  }

  test('a redirect, which is not followed', async (t) => {
    const { issuer, ask } = await world(t);
    const other = await startTestIssuer(t);
    issuer.says('/jwks', '', 302, { location: `${other.url}/jwks` });
    assert.equal(await ask(other.key), 'token issuer acme: it answered with status 302');
    assert.deepEqual(other.asked, []);
  });

  test('an address of keys that is not on the web', async (t) => {
    const { issuer, clock, ask } = await world(t);
    for (const jwks_uri of ['file:///etc/passwd', 'data:application/json,{"keys":[]}', '/jwks', 7, undefined]) {
      issuer.says(DISCOVERY, JSON.stringify({ issuer: issuer.url, jwks_uri }));
      assert.equal(
        await ask(),
        'token issuer acme: its discovery document names no https address of its keys: set jwksUrl',
      );
      clock.pass(issuerKeysRetryMs);
    }
  });

  test('keys over http, of an issuer that is on https', async (t) => {
    const asked: string[] = [];
    const https = 'https://issuer.example/realms/acme/';
    const { ask } = await world(t, { issuer: https }, async (url) => {
      asked.push(url);
      return Response.json({ issuer: https, jwks_uri: 'http://issuer.example/jwks' });
    });
    assert.match(await ask(), /no https address/);
    assert.deepEqual(asked, ['https://issuer.example/realms/acme/.well-known/openid-configuration']);
  });

  test('a secret or a private key as a key: it signs nobody in', async (t) => {
    const { issuer, clock, ask } = await world(t);
    const { kid, privateKey, jwk } = issuer.key;
    const oct = { kty: 'oct', kid, k: 'c2VjcmV0' };
    const weak = { kty: 'RSA', kid, n: Buffer.alloc(64, 0xff).toString('base64url'), e: 'AQAB' };
    for (const key of [
      oct,
      weak,
      privateKey.export({ format: 'jwk' }),
      { ...jwk, use: 'enc' },
      { ...jwk, alg: 'ES384' },
    ]) {
      issuer.says('/jwks', JSON.stringify({ keys: [{ kid, ...key }] }));
      for (const alg of ['ES256', 'RS256', 'HS256']) assert.equal(await ask(issuer.key, { alg }), 'nobody');
      clock.pass(issuerKeysFreshMs);
    }
  });
});

/** From now on this path never answers; `next` resolves when it is asked the next time. */
function hanging(issuer: TestIssuer, path: string): { next(): Promise<unknown> } {
  const heard = new EventTarget();
  let unseen = 0;
  issuer.answers.set(path, () => {
    unseen += 1;
    heard.dispatchEvent(new Event('asked'));
  });
  return {
    async next() {
      if (unseen === 0) await once(heard, 'asked');
      unseen -= 1;
    },
  };
}
