import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { upstreamContract } from '../../../../contract/upstream.ts';
import { dropped, http } from '../../../../contract/upstream-host.ts';
import { bodyOf, failureOf, get, never } from '../../../../contract/upstream-samples.ts';
import { farUpstream } from '../../../../test/upstream-far.ts';
import { type GuardedUpstreamOptions, guardedUpstream } from './guarded-upstream.ts';
import { type VpcDialer, vpcEgress } from './vpc-egress.ts';

/** A proxy of the network that a host is in: whatever is asked for leads there. It answers as it is told. */
async function proxied(t: TestContext, options: Pick<GuardedUpstreamOptions, 'limits'> = {}) {
  const names = ['agent.corp', 'b.agents.corp', '10.20.0.7'];
  const { host, access } = await farUpstream(t, names);
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
  const proxy = createServer((_request, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url = '' }, socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    asked.push(url);
    if (!answer.includes(' 200 ')) return void socket.end(answer);
    const inside = connect({ host: '127.0.0.1', port: host.port });
    inside.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.once('close', () => inside.destroy());
    inside.once('connect', () => {
      socket.write(answer);
      inside.once('close', () => socket.end());
      socket.pipe(inside).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const dialer: VpcDialer = {
    kind: 'connect-proxy',
    proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    allow: { hosts: ['Agent.corp.', '*.agents.corp'], cidrs: ['10.20.0.0/16', 'fd00:20::/32'] },
  };
  const resolve = () => assert.fail('nothing of a private network is looked up here');
  const credentials = () => ({ 'x-key': 'secret' });
  const upstream = guardedUpstream(vpcEgress(dialer), { ca: access.ca, resolve, credentials, ...options });
  return {
    ...{ upstream, host, asked, dialer, origin: 'https://agent.corp' },
    answerWith: (line: string) => {
      answer = `HTTP/1.1 ${line}\r\n\r\n`;
    },
  };
}

upstreamContract('guarded, through a proxy', (t, limits = {}) => proxied(t, { limits }), { family: 'A2A_EGRESS' });

test('what is allowed is asked for by its name, and TLS goes through to the host', async (t) => {
  const { upstream, host, asked } = await proxied(t);
  host.answer(http('200 OK', { 'content-length': 2 }, 'hi'));
  for (const origin of ['https://AGENT.corp', 'https://b.agents.corp', 'https://10.20.0.7']) {
    assert.equal(await bodyOf(await upstream.call(get(origin), never())), 'hi');
  }
  assert.deepEqual(asked, ['agent.corp:443', 'b.agents.corp:443', '10.20.0.7:443']);
  assert.match(host.visits[0]?.request ?? '', /\r\nx-key: secret\r\n/);
});

test('the proxy is asked for nothing else', async (t) => {
  const { upstream, asked } = await proxied(t);
  const refused = ['A2A_VPC_EGRESS_HOST_REFUSED', false, false];
  for (const host of [
    ...['agents.corp', 'agent.corp.evil.example', 'xagent.corp', 'evilagents.corp', '169.254.169.254', '10.21.0.1'],
    ...['[fd00:21::1]', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost'],
  ]) {
    assert.deepEqual(await failureOf(upstream.call(get(`https://${host}`), never())), refused, host);
  }
  const plain = await failureOf(upstream.call(get('http://agent.corp'), never()));
  assert.deepEqual(plain, ['A2A_EGRESS_SCHEME_REFUSED', false, false]);
  const port = await failureOf(upstream.call(get('https://agent.corp:8443'), never()));
  assert.deepEqual(port, ['A2A_EGRESS_PORT_REFUSED', false, false]);
  assert.deepEqual(asked, []);
});

test('a proxy that makes no connection has carried nothing; what it says is told by its status', async (t) => {
  const { upstream, host, answerWith } = await proxied(t);
  for (const status of [302, 403, 407, 502]) {
    answerWith(`${status} No`);
    const failed = { code: 'A2A_EGRESS_CONNECT_FAILED', detail: `PROXY_${status}`, sent: false, retryable: true };
    await assert.rejects(upstream.call(get('https://agent.corp'), never()), failed);
  }
  assert.equal(host.connections, 0);
});

test('who calls off drops what goes through the proxy', async (t) => {
  const { upstream, host } = await proxied(t);
  const abort = new AbortController();
  const visited = host.visited();
  const call = upstream.call(get('https://agent.corp'), abort.signal);
  const visit = await visited;
  abort.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
  await dropped(visit);
});

test('a proxy or a range that is none is told when it is set up', () => {
  const allow = { hosts: [], cidrs: [] };
  const wrong = [
    'proxy.inside:3128',
    'https://proxy.inside',
    'http://u:p@proxy',
    'http://proxy/path',
    'socks://proxy',
    '',
  ];
  for (const proxy of wrong) {
    assert.throws(() => vpcEgress({ kind: 'connect-proxy', proxy, allow }), /write it as http:\/\/proxy\.inside:3128/);
  }
  for (const cidr of ['10.0.0.0', '10.0.0.0/33', 'agent.corp/8', '10.0.0.0/8/8', '10.0.0.0/', 'fd00::/129', '']) {
    const dialer: VpcDialer = { kind: 'connect-proxy', proxy: 'http://proxy', allow: { hosts: [], cidrs: [cidr] } };
    assert.throws(() => vpcEgress(dialer), /write it as 10\.20\.0\.0\/16/, cidr);
  }
  assert.deepEqual(vpcEgress(undefined), { route: 'vpc' });
});
