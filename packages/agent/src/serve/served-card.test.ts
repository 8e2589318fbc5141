import assert from 'node:assert/strict';
import { test } from 'node:test';
import { legacyCallerOf } from '../../test/legacy-client.ts';
import { serve } from '../../test/served-agent.ts';
import { callerOf } from '../../test/wire-client.ts';
import { AgentServer, type AgentServerOptions } from '../index.ts';

const CARD = '/.well-known/agent-card.json';
const CARD_0_2 = '/.well-known/agent.json';
const ONLY_1_0 = ['supportedInterfaces', 'securityRequirements'];
const ONLY_0_3 = ['protocolVersion', 'url', 'preferredTransport', 'additionalInterfaces', 'security'];

async function start(options: Partial<AgentServerOptions> = {}) {
  const definition = { name: 'Test', description: 'An agent of a test.', turn: async () => '' };
  const server = new AgentServer(definition, { url: 'http://agent.example', now: () => 0, ...options });
  await server.open();
  return server;
}

const get = (server: AgentServer, path: string, headers: Record<string, string> = {}) =>
  server.fetch(new Request(`http://agent.example${path}`, { headers }));

async function versionAt(server: AgentServer, path: string, version?: string): Promise<string> {
  const response = await get(server, path, version === undefined ? {} : { 'a2a-version': version });
  if (response.status !== 200) return String(response.status);
  const members = Object.keys((await response.json()) as object);
  const [has10, has03] = [ONLY_1_0, ONLY_0_3].map((only) => only.some((member) => members.includes(member)));
  return has10 ? (has03 ? 'hybrid' : '1.0') : '0.3';
}

test('A2 C2 the card of an agent that speaks 1.0 alone is that of 1.0, and stands in one place', async () => {
  const server = await start();
  for (const version of [undefined, '1.0', '0.3', 'x']) assert.equal(await versionAt(server, CARD, version), '1.0');
  assert.equal(await versionAt(server, CARD_0_2), '404');
  assert.equal((await get(server, CARD)).headers.get('vary'), null);
});

test('C139 the card is in the version that was asked for, never in both at once', async () => {
  const server = await start({ protocols: ['1.0', '0.3'] });
  for (const version of ['1.0', '1.0.1', '1', '9.9'])
    assert.equal(await versionAt(server, CARD, version), '1.0', version);
  for (const version of [undefined, '0.3', '0.3.0'])
    assert.equal(await versionAt(server, CARD, version), '0.3', version);
  assert.equal(await versionAt(server, `${CARD}?A2A-Version=1.0`), '1.0');
  for (const version of [undefined, '1.0']) assert.equal(await versionAt(server, CARD_0_2, version), '0.3');
  assert.equal((await get(server, CARD)).headers.get('vary'), 'A2A-Version');
  assert.equal(await versionAt(await start({ protocols: ['0.3'] }), CARD, '1.0'), '0.3');
});

test('C3 what the card of 0.3 names answers there', async () => {
  const server = await start({ protocols: ['1.0', '0.3'] });
  const card = (await (await get(server, CARD)).json()) as Record<string, never>;
  const { preferredTransport, url, additionalInterfaces } = card as Record<string, unknown>;
  const named = additionalInterfaces as { url: string; transport: string }[];
  assert.equal(named.find(({ transport }) => transport === preferredTransport)?.url, url);
  const { rpc, http } = legacyCallerOf(server);
  assert.equal(url, 'http://agent.example/a2a/jsonrpc');
  assert.equal((await rpc('tasks/get', { id: 'none' })).error?.code, -32001);
  assert.equal(named.find(({ transport }) => transport === 'HTTP+JSON')?.url, 'http://agent.example/a2a');
  assert.equal((await http('GET', '/v1/tasks/none')).json['code'], -32001);
});

test('a card may be kept for a while, and is asked for again by its tag', async () => {
  const server = await start({ protocols: ['1.0', '0.3'] });
  const first = await get(server, CARD, { 'a2a-version': '1.0' });
  assert.equal(first.headers.get('cache-control'), 'public, max-age=300');
  assert.equal(first.headers.get('last-modified'), 'Thu, 01 Jan 1970 00:00:00 GMT');
  const tag = first.headers.get('etag') ?? '';
  const again = await get(server, CARD, { 'a2a-version': '1.0', 'if-none-match': `W/"other", ${tag}` });
  assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag]);
  assert.equal((await get(server, CARD, { 'if-none-match': tag })).status, 200);
  const head = await server.fetch(new Request(`http://agent.example${CARD}`, { method: 'HEAD' }));
  assert.deepEqual([head.status, await head.text(), head.headers.get('content-type')], [200, '', 'application/json']);
});

test('C113 an endpoint answers with a slash behind it, too', async () => {
  const { rpc } = callerOf(await start());
  assert.equal((await rpc('GetTask', { id: 'none' })).error?.code, -32001);
  const server = await start();
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'none' } });
  for (const path of ['', '/', '/a2a/jsonrpc', '/a2a/jsonrpc/']) {
    const response = await server.fetch(new Request(`http://agent.example${path}`, { method: 'POST', headers, body }));
    assert.equal(((await response.json()) as { error?: { code: number } }).error?.code, -32001, path);
  }
});

const EXTENDED = {
  name: 'Test, fuller',
  supportedInterfaces: [
    { url: 'http://agent.example/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, extendedAgentCard: true },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'x-key' } },
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
  },
  securityRequirements: [{ schemes: { key: { list: [] }, bearer: { list: ['read'] } } }],
  skills: [{ id: 'a', securityRequirements: [{ schemes: { key: {} } }] }],
  signatures: [{ protected: 'x', signature: 'y' }],
};

test('C6 the fuller card is written in the version that was asked for', async () => {
  const server = await start({
    protocols: ['1.0', '0.3'],
    authenticate: () => ({ id: 'ada' }),
    extendedCard: () => EXTENDED,
  });
  const { rpc, http } = legacyCallerOf(server);
  const common = {
    name: 'Test, fuller',
    protocolVersion: '0.3.0',
    url: 'http://agent.example/a2a/jsonrpc',
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: 'http://agent.example/a2a/jsonrpc', transport: 'JSONRPC' },
      { url: 'http://agent.example/a2a', transport: 'HTTP+JSON' },
    ],
    capabilities: { streaming: true },
    supportsAuthenticatedExtendedCard: true,
  };
  assert.deepEqual((await rpc('agent/getAuthenticatedExtendedCard', undefined)).result, {
    ...common,
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'x-key' },
      bearer: { type: 'http', scheme: 'Bearer' },
    },
    security: [{ key: [], bearer: ['read'] }],
    skills: [{ id: 'a', security: [{ key: [] }] }],
  });
  assert.deepEqual((await http('GET', '/v1/card')).json, {
    ...common,
    securitySchemes: EXTENDED.securitySchemes,
    security: EXTENDED.securityRequirements,
    skills: [{ id: 'a', security: [{ schemes: { key: {} } }] }],
  });
  assert.deepEqual((await callerOf(server).rpc('GetExtendedAgentCard', {})).result, EXTENDED);
});

test('a card that is not sent has the length that it has', async (t) => {
  const agent = await serve(t, () => undefined);
  const url = `${agent.url}/.well-known/agent-card.json`;
  const card = await fetch(url);
  const length = String(Buffer.byteLength(await card.text()));
  assert.equal(card.headers.get('content-length'), length);
  const etag = card.headers.get('etag') ?? '';
  // RFC 9110, section 8.6: a cache takes the length of either for that of what it has.
  for (const [status, options] of [
    [200, { method: 'HEAD' }],
    [304, { headers: { 'if-none-match': etag } }],
    [304, { headers: { 'if-none-match': '*' } }],
  ] as const) {
    const response = await fetch(url, options);
    assert.deepEqual([response.status, response.headers.get('content-length')], [status, length]);
    assert.equal(await response.text(), '');
  }
});
