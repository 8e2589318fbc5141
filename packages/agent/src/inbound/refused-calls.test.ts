import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { describe, test } from 'node:test';
import { base64url } from '@agentkourier/a2a/signature/base64url';
import { assertRefused, CARD, gatewayWorld, HEADERS, MESSAGE, TARGET, TestGateway } from '../../test/gateway.ts';
import { AGENT_LIMITS, INBOUND_LIMITS } from '../limits.ts';

const SKEW_S = INBOUND_LIMITS.clockSkewMs / 1_000;

/** One fault each, and the reason that whoever runs the agent reads. */
const FAULTS: Readonly<Record<string, readonly [(gateway: TestGateway) => string, string]>> = {
  'not a token': [() => 'Bearer token', 'signature'],
  'an empty token': [() => '', 'signature'],
  'another key of the same name': [
    (gateway) => gateway.signed(claimsOf(gateway), undefined, new TestGateway().key),
    'signature',
  ],
  'a key that nobody gave': [
    (gateway) => gateway.signed(claimsOf(gateway), undefined, new TestGateway('g2').key),
    'signature',
  ],
  'another type of token': [(gateway) => gateway.signed(claimsOf(gateway), 'permit+jwt'), 'signature'],
  'alg none': [(gateway) => unsigned(gateway, { alg: 'none' }, () => ''), 'signature'],
  'HS256 with the public key': [
    (gateway) =>
      unsigned(gateway, { alg: 'HS256' }, (text) => {
        const pem = createPublicKey({ key: gateway.jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
        return createHmac('sha256', pem).update(text).digest('base64url');
      }),
    'signature',
  ],
  'a tenant that was written in afterwards': [
    (gateway) => {
      const [head, , tail] = gateway.token(MESSAGE, { tenant: 'south' }).split('.');
      return `${head}.${base64url(JSON.stringify(claimsOf(gateway)))}.${tail}`;
    },
    'signature',
  ],
  'a claim that is missing': [(gateway) => gateway.signed({ ...claimsOf(gateway), sub: undefined }), 'claims'],
  'another audience': [(gateway) => gateway.signed({ ...claimsOf(gateway), aud: 'space-demo/other' }), 'claims'],
  'a life that is too long': [(gateway) => gateway.signed({ ...claimsOf(gateway), exp: gateway.nowS + 61 }), 'claims'],
  'a caller of no kind': [(gateway) => gateway.signed({ ...claimsOf(gateway), kind: 'anonymous' }), 'claims'],
  'a user with a runtime': [(gateway) => gateway.signed({ ...claimsOf(gateway), callerRuntime: 'r' }), 'claims'],
  'a runtime without one': [(gateway) => gateway.signed({ ...claimsOf(gateway), kind: 'runtime' }), 'claims'],
  'another issuer': [(gateway) => gateway.token(MESSAGE, { iss: 'https://gateway.example/' }), 'issuer'],
  'an old one': [
    (gateway) => {
      const at = gateway.nowS - 60 - SKEW_S;
      return gateway.token(MESSAGE, { iat: at, exp: at + 60 });
    },
    'time',
  ],
  'one of the future': [
    (gateway) => {
      const at = gateway.nowS + SKEW_S + 1;
      return gateway.token(MESSAGE, { iat: at, exp: at + 60 });
    },
    'time',
  ],
  'another account': [(gateway) => gateway.token(MESSAGE, { account: 'Acme' }), 'account'],
  'another tenant': [(gateway) => gateway.token(MESSAGE, { tenant: 'north ' }), 'tenant'],
  'another agent': [(gateway) => gateway.token(MESSAGE, { agent: 'other' }), 'agent'],
  'another runtime': [(gateway) => gateway.token(MESSAGE, { runtime: 'echo-2' }), 'runtime'],
  'another registration': [(gateway) => gateway.token(MESSAGE, { registration: 'space-other/echo' }), 'registration'],
  'another method': [(gateway) => gateway.token({ ...MESSAGE, method: 'GET' }), 'method'],
  'another path': [(gateway) => gateway.token({ ...MESSAGE, path: '/' }), 'path'],
  'a query that was not signed': [(gateway) => gateway.token({ ...MESSAGE, path: `${MESSAGE.path}?a=1` }), 'path'],
  'another body': [(gateway) => gateway.token({ ...MESSAGE, body: `${MESSAGE.body} ` }), 'body'],
  'no body': [(gateway) => gateway.token({ method: MESSAGE.method, path: MESSAGE.path }), 'body'],
};

function claimsOf(gateway: TestGateway): Readonly<Record<string, unknown>> {
  return { ...gateway.identity(MESSAGE), aud: TARGET.registration };
}

function unsigned(gateway: TestGateway, header: object, sign: (text: string) => string): string {
  const [head, body] = [{ typ: 'a2a-identity+jwt', kid: 'g1', ...header }, claimsOf(gateway)].map((part) =>
    base64url(JSON.stringify(part)),
  );
  return `${head}.${body}.${sign(`${head}.${body}`)}`;
}

describe('a call that it does not carry', () => {
  for (const [name, [make, why]] of Object.entries(FAULTS)) {
    test(`A5 ${name}: one constant 401, and no turn`, async (t) => {
      const { gateway, asked, turns } = await gatewayWorld(t);
      assertRefused(await asked(MESSAGE, make(gateway), HEADERS), name);
      assert.deepEqual([gateway.refused, turns], [[why], []]);
      assert.equal((await asked(MESSAGE, gateway.token(MESSAGE), HEADERS)).status, 200, 'the right one is still taken');
    });
  }

  test('A5 a token counts once: neither again, nor at once with itself, nor for the card', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t);
    const token = gateway.token(MESSAGE);
    const both = await Promise.all([asked(MESSAGE, token, HEADERS), asked(MESSAGE, token, HEADERS)]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
    assertRefused(await asked(MESSAGE, token, HEADERS), 'again');
    const card = gateway.token(CARD);
    assert.equal((await asked(CARD, card)).status, 200);
    assertRefused(await asked(CARD, card), 'the card again');
    gateway.nowS += 60 + SKEW_S - 1;
    assertRefused(await asked(MESSAGE, token, HEADERS), 'in its last second');
    assert.deepEqual([new Set(gateway.refused), turns.length], [new Set(['used']), 1]);
  });

  test('A5 a token is remembered as long as it counts, whatever comes meanwhile', async (t) => {
    const { gateway, asked } = await gatewayWorld(t);
    const ahead = gateway.nowS + SKEW_S;
    const token = gateway.token(CARD, { iat: ahead, exp: ahead + 60 });
    assert.equal((await asked(CARD, token)).status, 200);
    for (let passed = 0; passed < 60 + 2 * SKEW_S; passed += 1) {
      assertRefused(await asked(CARD, token), `after ${passed} seconds`);
      assert.equal((await asked(CARD, gateway.token(CARD))).status, 200);
      gateway.nowS += 1;
    }
    assertRefused(await asked(CARD, token), 'when it has expired');
    assert.deepEqual([new Set(gateway.refused), gateway.refused.at(-1)], [new Set(['used', 'time']), 'time']);
  });

  test('A5 a clock that differs a little is no reason', async (t) => {
    const { gateway, asked } = await gatewayWorld(t);
    for (const seconds of [-SKEW_S - 59, SKEW_S]) {
      const at = gateway.nowS + seconds;
      const token = gateway.token(CARD, { iat: at, exp: at + 60 });
      assert.equal((await asked(CARD, token)).status, 200, String(seconds));
    }
  });

  test('C109 user headers without a token are nothing, and beside one they change nothing', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t);
    const spoofed = {
      'x-user-id': 'eve',
      'x-ksc-account-id': 'acme',
      'x-auth-agent-id': 'echo',
      'x-runtime-id': 'echo-1',
      'x-forwarded-user': 'eve',
      'x-gateway-mtls': 'verified',
      authorization: 'Bearer eve',
    };
    assertRefused(await asked(MESSAGE, undefined, { ...HEADERS, ...spoofed }), 'headers alone');
    assertRefused(await asked(CARD, undefined, spoofed), 'headers alone, for the card');
    assert.equal((await asked(MESSAGE, gateway.token(MESSAGE), { ...HEADERS, ...spoofed })).status, 200);
    assert.deepEqual([turns, gateway.refused], [['acme/north/user/ada'], ['no-identity', 'no-identity']]);
  });

  test('A5 a second token beside the first, and a token with more behind it, is none', async (t) => {
    const { gateway, asked } = await gatewayWorld(t);
    const [one, two] = [gateway.token(MESSAGE), gateway.token(MESSAGE)];
    assertRefused(await asked(MESSAGE, [one, two], HEADERS), 'two headers');
    assertRefused(await asked(MESSAGE, `${one}, ${two}`, HEADERS), 'two in one');
    assertRefused(await asked(MESSAGE, `${one};x-user-id=eve`, HEADERS), 'more behind it');
    assertRefused(await asked(MESSAGE, 'x'.repeat(10_000), HEADERS), 'a long one');
    assert.equal((await asked(MESSAGE, one, HEADERS)).status, 200);
  });

  test('A5 every path is refused alike, whatever is there; a path is the one that was signed, to the letter', async (t) => {
    const { gateway, asked, turns } = await gatewayWorld(t);
    const spelt = [
      '/x/../a2a/jsonrpc',
      '/./a2a/jsonrpc',
      '//a2a/jsonrpc',
      '/a2a//jsonrpc',
      '/a2a/jsonrpc/',
      '/a2a/jsonrpc?',
      '/a2a/jsonrpc?x',
      '/a2a%2Fjsonrpc',
      '/A2A/jsonrpc',
      '/tenant/a2a/jsonrpc',
      '/north/a2a/v1/message:send',
      '/a2a/v1/north/message:send',
      '/a2a/v1/message:send',
      '/a2a/v1/message:stream',
      '/a2a/v1/v1/message:send',
      '/',
      '/nothing',
      '/.well-known/agent-card.json',
      '/.well-known/agent.json',
      '/.well-known/../.well-known/agent-card.json',
      'http://127.0.0.1/a2a/jsonrpc',
    ];
    for (const path of spelt) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'OPTIONS']) {
        const carried = { method, path, ...(method === 'POST' ? { body: MESSAGE.body ?? '' } : {}) };
        assertRefused(await asked(carried, undefined, HEADERS), `${method} ${path} without a token`);
        // The right token, for the right path: it does not open another spelling of it.
        assertRefused(
          await asked(carried, gateway.token(MESSAGE), HEADERS),
          `${method} ${path} with a token of another`,
        );
      }
    }
    assert.deepEqual(turns, []);
    // What was signed for such a path is answered as the agent answers it, and gets nowhere that it would not.
    const statuses = await Promise.all(
      ['/x/../a2a/jsonrpc', '//a2a/jsonrpc', '/north/a2a/jsonrpc', '/nothing'].map(async (path) => {
        const carried = { ...MESSAGE, path };
        return (await asked(carried, gateway.token(carried), HEADERS)).status;
      }),
    );
    assert.deepEqual([statuses, turns], [[404, 404, 404, 404], []]);
  });

  test('A5 a body over the limit is refused like any other', async (t) => {
    const { gateway, asked } = await gatewayWorld(t);
    const carried = { ...MESSAGE, body: ' '.repeat(AGENT_LIMITS.bodyBytes + 1) };
    assertRefused(await asked(carried, gateway.token(carried), HEADERS), 'too large');
    assert.deepEqual(gateway.refused, ['body']);
  });
});
