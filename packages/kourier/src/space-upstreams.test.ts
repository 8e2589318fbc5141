import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gatewayCallers, type InboundRefusal } from '@agentkourier/agent';
import { ManualClock } from '../test/manual-clock.ts';
import { keySeal } from './adapters/identity/seal/key-seal.ts';
import { Tunnels } from './adapters/upstream/tunnel/tunnels.ts';
import type { Principal } from './core/access/principal.ts';
import type { ConfiguredAgent, SpaceConfiguration, UpstreamCredential } from './ports/space/space-configuration.ts';
import { type Upstream, UpstreamFailed, type UpstreamRequest } from './ports/space/upstream.ts';
import { spacePolicy } from './space/fixtures/space-policy.ts';
import { type ReachedAgent, SpaceUpstreams } from './space-upstreams.ts';

const NEVER = new AbortController().signal;
const TARGET = { account: 'acme', tenant: 'north', agent: 'echo', runtime: 'echo-1' } as const;
const ADA: Principal = { tenant: 'acme', kind: 'user', id: 'ada/1', grants: new Map() };
const CLOSED = spacePolicy({ egress: { public: false, ports: [443], trustedHosts: [] } });

async function open(t: TestContext) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = new ManualClock(1_900_000_000_500);
  const seal = keySeal([{ ...generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }), kid: 'k' }]);
  const reads: string[] = [];
  const credential: UpstreamCredential = {
    ...{ name: 'c', origins: [origin] },
    get headers() {
      reads.push('c');
      return [{ name: 'X-Api-Key', value: 'secret' }];
    },
  };
  const agents = [
    { space: 'demo', id: 'echo', runtime: TARGET },
    { space: 'demo', id: 'plain' },
  ] as unknown as ConfiguredAgent[];
  const configuration = { agents, credentials: new Map([['c', credential]]), dialers: new Map() };
  const upstreams = new SpaceUpstreams({
    ...{ seal, clock, tunnels: new Tunnels({ clock }), publicUrl: () => 'https://space.example' },
    configuration: () => configuration as unknown as SpaceConfiguration,
  });
  t.after(async () => {
    await upstreams.close();
    server.close();
  });
  return { origin, asked, upstreams, credential, reads, seal, clock };
}

const agentAt = (urls: readonly string[], more: Partial<ReachedAgent> = {}): ReachedAgent => ({
  ...{ space: 'demo', id: 'echo', reach: 'inside', credential: 'c', urls },
  ...more,
});

const get = (url: string, headers: Record<string, string> = {}): UpstreamRequest => ({ method: 'GET', url, headers });

const refusal = async (upstream: Upstream, url: string): Promise<string> =>
  upstream.call(get(url), NEVER).then(
    () => 'answered',
    (error) => (error instanceof UpstreamFailed ? error.code : Promise.reject(error)),
  );

test('a credential is sent to the origins that it is for, in place of what a call has of its name', async (t) => {
  const { origin, asked, upstreams } = await open(t);
  const other = origin.replace('127.0.0.1', 'localhost');
  const upstream = upstreams.of(agentAt([origin, other]), spacePolicy());
  (await upstream.call(get(`${origin}/x`, { 'x-api-key': 'forged', accept: 'a/b' }), NEVER)).cancel();
  (await upstream.call(get(`${other}/x`), NEVER)).cancel();
  (await upstreams.of(agentAt([origin], { credential: 'none' }), spacePolicy()).call(get(origin), NEVER)).cancel();
  (await upstreams.of(agentAt([origin], { credential: undefined }), spacePolicy()).call(get(origin), NEVER)).cancel();
  assert.deepEqual(
    asked.map((headers) => headers['x-api-key']),
    ['secret', undefined, undefined, undefined],
  );
  assert.equal(asked[0]?.accept, 'a/b');
});

test('what the policy does not let out reads no credential, and dials nothing', async (t) => {
  const { origin, asked, upstreams, reads, credential } = await open(t);
  Object.assign(credential.origins, { 0: 'https://agent.example' });
  const url = 'https://agent.example/rpc';
  const reached = (more: Partial<ReachedAgent>) => agentAt([url], more);
  assert.equal(await refusal(upstreams.of(reached({ reach: 'public' }), CLOSED), url), 'A2A_PUBLIC_EGRESS_DISABLED');
  const ports = upstreams.of(reached({ reach: 'public' }), spacePolicy());
  assert.match(await refusal(ports, 'https://agent.example:8443/'), /^A2A_EGRESS_/);
  assert.match(await refusal(ports, 'https://127.0.0.1/'), /^A2A_EGRESS_/);
  for (const dialer of [undefined, 'none'])
    assert.equal(
      await refusal(upstreams.of(reached({ reach: 'vpc', dialer }), spacePolicy()), url),
      'A2A_VPC_EGRESS_DIALER_REQUIRED',
    );
  assert.deepEqual(reads, []);
  assert.equal(
    await refusal(upstreams.of(reached({ reach: 'tunnel' }), spacePolicy()), url),
    'A2A_TUNNEL_NOT_CONNECTED',
  );
  assert.equal(
    await refusal(upstreams.of(reached({}), spacePolicy()), `${origin}/other`),
    'A2A_UPSTREAM_ADDRESS_REFUSED',
  );
  assert.deepEqual(asked, []);
});

test('webhooks go where the guard lets them, whether agents may or not, and without a credential', async (t) => {
  const { origin, asked, upstreams, reads } = await open(t);
  assert.match(await refusal(upstreams.toSinks(CLOSED), 'https://127.0.0.1/'), /^A2A_EGRESS_/);
  const trustedHosts = [new URL(origin).host];
  (
    await upstreams.toSinks(spacePolicy({ egress: { ...CLOSED.egress, trustedHosts } })).call(get(origin), NEVER)
  ).cancel();
  assert.equal(asked.length, 1);
  assert.deepEqual(reads, []);
});

const call = {
  method: 'POST',
  url: 'https://agent.example/rpc?a=b%20c',
  headers: {},
  body: Buffer.from('{"x":1}'),
} as const;

test('the identity that is forwarded is one that the agent takes, for this very call', async (t) => {
  const { upstreams, seal, clock } = await open(t);
  const refused: InboundRefusal[] = [];
  const verify = gatewayCallers({
    ...{ issuer: 'https://space.example', keys: seal.jwks, ...TARGET, registration: 'demo/echo' },
    ...{ now: () => clock.now(), onRefused: (why) => void refused.push(why) },
  });
  const judged = (caller: Principal | 'probe', more: Partial<typeof call & { readonly target: string }> = {}) => {
    const headers = upstreams.identity({ space: 'demo', id: 'echo' }, caller, call);
    const { method, body, target } = { ...call, target: '/rpc?a=b%20c', ...more };
    return verify({ method, target, header: (name) => headers[name], body: async () => body });
  };
  assert.deepEqual(await judged(ADA), { id: 'acme/north/user/ada/1', kind: 'user' });
  assert.deepEqual(await judged({ ...ADA, kind: 'runtime', id: 'planner' }), {
    id: 'acme/north/runtime/planner',
    kind: 'runtime',
  });
  assert.deepEqual(await judged('probe'), { id: 'acme/north/probe/gateway', kind: 'probe' });
  assert.equal(await judged(ADA, { target: '/rpc' }), undefined);
  assert.equal(await judged(ADA, { body: Buffer.from('{"x":2}') }), undefined);
  assert.equal(await judged(ADA, { method: 'GET' as 'POST' }), undefined);
  const { 'a2a-forwarded-identity': old = '' } = upstreams.identity({ space: 'demo', id: 'echo' }, ADA, call);
  clock.pass(120_000);
  const late = { method: 'POST', target: '/rpc?a=b%20c', header: () => old, body: async () => call.body };
  assert.equal(await verify(late), undefined);
  assert.deepEqual(refused, ['path', 'body', 'method', 'time']);
});

test('an agent whose runtime is not configured is told nobody', async (t) => {
  const { upstreams } = await open(t);
  assert.deepEqual(upstreams.identity({ space: 'demo', id: 'plain' }, ADA, call), {});
  assert.deepEqual(upstreams.identity({ space: 'other', id: 'echo' }, ADA, call), {});
});
