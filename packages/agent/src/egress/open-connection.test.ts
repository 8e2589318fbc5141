import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { test } from 'node:test';
import { farHost, http, PUBLIC_ADDRESS, refusal } from '../../test/far-host.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { dialAddresses } from './open-connection.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const HELLO = http('200 OK', { 'content-length': '5' }, 'hello');

test('C118 literal addresses of every form that lead inside are refused as they stand', async () => {
  const fetch = guardedFetch(PUBLIC);
  const expected = {
    'https://127.0.0.1/': 'loopback',
    'https://2130706433/': 'loopback',
    'https://0177.1/': 'loopback',
    'https://169.254.169.254/': 'link-local',
    'https://10.1/': 'private',
    'https://0/': 'this-network',
    'https://[::1]/': 'loopback',
    'https://[::]/': 'unspecified',
    'https://[::ffff:10.0.0.1]/': 'private',
    'https://[::10.0.0.1]/': 'private',
    'https://[64:ff9b::10.0.0.1]/': 'private',
    'https://[2002:a00:1::]/': 'private',
    'https://[2001:0:808:808::f5ff:fffe]/': 'private',
    'https://[fd00:ec2::254]/': 'private',
    'https://[fe80::1]/': 'link-local',
  };
  for (const [url, reason] of Object.entries(expected)) {
    assert.equal(await refusal(fetch(url)), `A2A_EGRESS_ADDRESS_REFUSED ${reason}`, url);
  }
});

test('C175 a name of this machine is looked up by the machine, and refused', async () => {
  assert.equal(await refusal(guardedFetch(PUBLIC)('https://localhost/')), 'A2A_EGRESS_ADDRESS_REFUSED loopback');
});

test('the connection goes to the first of the addresses that answers, and the name is not looked up', async (t) => {
  const server = createTcpServer((socket) => socket.end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  // Nothing listens on the first, and the name does not exist.
  const to = { hostname: 'agent.invalid', port, addresses: ['127.0.0.9', '127.0.0.1'] };
  const socket = await dialAddresses(to, new AbortController().signal);
  assert.equal('remoteAddress' in socket && socket.remoteAddress, '127.0.0.1');
  socket.destroy();
});

test('C175 TLS is for the name that was called: another certificate, an unknown one and plain text are refused', async (t) => {
  const host = await farHost(t, { response: HELLO, names: ['other.example', PUBLIC_ADDRESS] });
  const { ca: _ca, ...untrusting } = host.access;
  const url = 'https://agent.example/';
  const failed = 'A2A_EGRESS_TLS_FAILED';
  assert.equal(await refusal(guardedFetch(PUBLIC, host.access)(url)), `${failed} ERR_TLS_CERT_ALTNAME_INVALID`);
  const unknown = guardedFetch(PUBLIC, untrusting)('https://other.example/');
  assert.equal(await refusal(unknown), `${failed} DEPTH_ZERO_SELF_SIGNED_CERT`);
  assert.equal(host.visits.length, 0);

  const byAddress = await guardedFetch(PUBLIC, host.access)(`https://${PUBLIC_ADDRESS}/`);
  assert.equal(await byAddress.text(), 'hello');
  assert.equal(host.visits[0]?.socket.servername, false);

  const plain = createServer((_request, response) => response.end());
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  t.after(() => plain.close());
  const { port } = plain.address() as AddressInfo;
  const toPlain = {
    ...host.access,
    dial: () => dialAddresses({ hostname: 'p', port, addresses: ['127.0.0.1'] }, signal),
  };
  const { signal } = new AbortController();
  assert.match(await refusal(guardedFetch(PUBLIC, toPlain)(url)), /^A2A_EGRESS_TLS_FAILED/);
});

test('a host that refuses the connection has certainly got nothing', async () => {
  const server = createTcpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const trusting = guardedFetch({ ...PUBLIC, trustedHosts: [`127.0.0.1:${port}`] });
  await assert.rejects(trusting(`http://127.0.0.1:${port}/`), {
    code: 'A2A_EGRESS_CONNECT_FAILED',
    detail: 'ECONNREFUSED',
    sent: false,
    retryable: true,
  });
});

test('A4 a proxy of the environment is not used, not even where Node is told to', async (t) => {
  let proxied = 0;
  const proxy = createTcpServer((socket) => {
    proxied += 1;
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (String(bytes).startsWith('CONNECT')) socket.write(http('200 OK'));
      else socket.end(http('200 OK', { 'content-length': '7' }, 'proxied'));
    });
  });
  const target = createServer((_request, response) => response.end('direct'));
  for (const server of [proxy, target]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
  }
  const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const script = `
    import { guardedFetch } from ${JSON.stringify(new URL('./guarded-fetch.ts', import.meta.url))};
    const guarded = guardedFetch({ route: 'public', enabled: true, trustedHosts: [new URL(${JSON.stringify(url)}).host] });
    for (const way of [guarded, fetch]) console.log(await (await way(${JSON.stringify(url)})).text());`;
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    NO_PROXY: '',
    no_proxy: '',
    http_proxy: proxyUrl,
  };
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill());
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await once(child, 'close');
  // Node's own fetch takes the proxy: it was really there to be taken.
  assert.equal(output, 'direct\nproxied\n');
  assert.equal(proxied, 1);
});
