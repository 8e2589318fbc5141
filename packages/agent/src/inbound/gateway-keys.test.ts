import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TestGateway } from '../../test/gateway.ts';
import { INBOUND_LIMITS } from '../limits.ts';
import { fetchedKeys } from './gateway-keys.ts';

/** Where a gateway has its keys: what is answered there, how often it was asked, and a clock. */
async function keyPlace(t: TestContext) {
  const place = {
    nowMs: 1_000_000,
    asked: 0,
    answer: (response: ServerResponse): unknown => response.end(),
  };
  const server = createServer((_request, response) => {
    place.asked += 1;
    place.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`;
  const keysFor = fetchedKeys({ url, fetch, now: () => place.nowMs });
  const idsFor = async (keyId: string) => (await keysFor(keyId)).map(({ id }) => id);
  const publish = (...gateways: TestGateway[]) => {
    place.answer = (response) => response.end(JSON.stringify({ keys: gateways.map(({ jwk }) => jwk) }));
  };
  return { place, idsFor, publish, url };
}

const [G1, G2] = [new TestGateway('g1'), new TestGateway('g2')];

test('keys are asked for when they are wanted, once for all who want them', async (t) => {
  const { place, idsFor, publish } = await keyPlace(t);
  publish(G1);
  assert.equal(place.asked, 0);
  const both = await Promise.all([idsFor('g1'), idsFor('g1'), idsFor('g2')]);
  assert.deepEqual([both, place.asked], [[['g1'], ['g1'], ['g1']], 1]);
  place.nowMs += INBOUND_LIMITS.keysMaxAgeMs - 1;
  assert.deepEqual([await idsFor('g1'), place.asked], [['g1'], 1]);
});

test('a key that is not among them is looked for anew, though not again and again', async (t) => {
  const { place, idsFor, publish } = await keyPlace(t);
  publish(G1);
  await idsFor('g1');
  publish(G2, G1);
  assert.deepEqual([await idsFor('g2'), place.asked], [['g1'], 1], 'too soon');
  place.nowMs += INBOUND_LIMITS.keysRefetchMs;
  assert.deepEqual([await idsFor('g2'), place.asked], [['g2', 'g1'], 2]);
  for (const id of ['g3', 'g4', 'g5']) await idsFor(id);
  assert.equal(place.asked, 2, 'made-up ids cost the gateway nothing');
});

test('old keys count no longer, and a key that was withdrawn is gone', async (t) => {
  const { place, idsFor, publish } = await keyPlace(t);
  publish(G1, G2);
  await idsFor('g1');
  publish(G2);
  place.nowMs += INBOUND_LIMITS.keysMaxAgeMs;
  assert.deepEqual([await idsFor('g1'), place.asked], [['g2'], 2]);
  place.nowMs += INBOUND_LIMITS.keysMaxAgeMs;
  place.answer = (response) => response.writeHead(500).end();
  await assert.rejects(idsFor('g2'), (error: Error) => /HTTP 500/.test(String(error.cause)));
  await assert.rejects(idsFor('g2'), /cannot be had/);
  assert.equal(place.asked, 3, 'nor is a place that fails asked at every call');
  publish(G2);
  place.nowMs += INBOUND_LIMITS.keysRefetchMs;
  assert.deepEqual(await idsFor('g2'), ['g2']);
});

test('keys that are held outlive a place that fails, until they are old', async (t) => {
  const { place, idsFor, publish } = await keyPlace(t);
  publish(G1);
  await idsFor('g1');
  place.answer = (response) => response.destroy();
  place.nowMs += INBOUND_LIMITS.keysRefetchMs;
  assert.deepEqual([await idsFor('g2'), place.asked], [['g1'], 2]);
});

test('a clock that is put back keeps no keys for ever, nor from being asked for', async (t) => {
  const { place, idsFor, publish } = await keyPlace(t);
  publish(G1);
  await idsFor('g1');
  publish(G2);
  place.nowMs -= 1;
  assert.deepEqual([await idsFor('g1'), place.asked], [['g2'], 2]);
});

test('what is no key set, too large, somewhere else or nothing at all gives no key', async (t) => {
  const { place, idsFor, publish, url } = await keyPlace(t);
  const said = (status: number, text: string, headers = {}) => {
    return (response: ServerResponse) => response.writeHead(status, headers).end(text);
  };
  const good = JSON.stringify({ keys: [G1.jwk] });
  for (const answer of [
    said(200, ''),
    said(200, '{}'),
    said(200, '{"keys":[]}'),
    said(200, '{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"g1"}]}'),
    said(200, good + ' '.repeat(INBOUND_LIMITS.keysBytes)),
    said(404, good),
    said(302, '', { location: `${url}?again` }),
    (response: ServerResponse) => response.destroy(),
  ]) {
    place.answer = answer;
    place.nowMs += INBOUND_LIMITS.keysRefetchMs;
    await assert.rejects(idsFor('g1'), /cannot be had/);
  }
  assert.equal(place.asked, 8, 'a redirect leads nowhere');
  publish(G1);
  place.nowMs += INBOUND_LIMITS.keysRefetchMs;
  assert.deepEqual(await idsFor('g1'), ['g1']);
});

test('keys come over TLS, or from this machine', () => {
  const at = (url: string) => () => fetchedKeys({ url, fetch, now: () => 0 });
  for (const url of ['https://gateway.example/j', 'http://localhost:1/j', 'http://127.0.0.1/j', 'http://[::1]:8/j'])
    assert.doesNotThrow(at(url));
  for (const url of [
    'http://gateway.example/j',
    'http://127.0.0.1.evil.example/j',
    'http://localhost.example/j',
    'j',
    'file:///j',
  ])
    assert.throws(at(url), /https/, url);
});
