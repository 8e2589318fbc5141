import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from '../../test/far-host.ts';
import { admitUrl, type EgressPolicy, requireWayOut } from './egress-policy.ts';

const PUBLIC = { route: 'public', enabled: true } as const;

async function judged(policy: EgressPolicy, expected: Readonly<Record<string, string>>): Promise<void> {
  const found: [string, string][] = [];
  for (const url of Object.keys(expected)) found.push([url, await refusal((async () => admitUrl(url, policy))())]);
  assert.deepEqual(Object.fromEntries(found), expected);
}

test('A4 nothing is let out unless the policy says so in so many words', () => {
  const closed: [unknown, string][] = [
    [undefined, 'A2A_EGRESS_TRANSPORT_REQUIRED'],
    [{ route: 'direct', enabled: true }, 'A2A_EGRESS_TRANSPORT_REQUIRED'],
    [{ route: 'public' }, 'A2A_PUBLIC_EGRESS_DISABLED'],
    [{ route: 'public', enabled: false }, 'A2A_PUBLIC_EGRESS_DISABLED'],
    [{ route: 'public', enabled: 'true' }, 'A2A_PUBLIC_EGRESS_DISABLED'],
    [{ route: 'vpc' }, 'A2A_VPC_EGRESS_DIALER_REQUIRED'],
    [{ route: 'vpc', enabled: true }, 'A2A_VPC_EGRESS_DIALER_REQUIRED'],
  ];
  for (const [policy, code] of closed) {
    assert.throws(() => requireWayOut(policy as EgressPolicy), { code, sent: false, retryable: false });
  }
  assert.equal(requireWayOut(PUBLIC), PUBLIC);
});

test('A4 a URL is https, absolute, without a user, on a port of the policy', async () => {
  await judged(PUBLIC, {
    'https://agent.example': 'not refused',
    'https://agent.example:443/a?b#c': 'not refused',
    'HTTPS://AGENT.EXAMPLE./': 'not refused',
    'https://agent.example:/': 'not refused',
    'https://xn--bcher-kva.example/': 'not refused',
    'https://under_score.example/': 'not refused',
    'https://agent.example:0/': 'A2A_EGRESS_PORT_REFUSED 0',
    'https://agent.example:8443/': 'A2A_EGRESS_PORT_REFUSED 8443',
    'https://agent.example:22/': 'A2A_EGRESS_PORT_REFUSED 22',
    'http://agent.example/': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://agent.example:443/': 'A2A_EGRESS_SCHEME_REFUSED',
    'file:///etc/passwd': 'A2A_EGRESS_SCHEME_REFUSED',
    'ftp://agent.example/': 'A2A_EGRESS_SCHEME_REFUSED',
    'data:text/plain,x': 'A2A_EGRESS_SCHEME_REFUSED',
    'wss://agent.example/': 'A2A_EGRESS_SCHEME_REFUSED',
    '//agent.example/': 'A2A_EGRESS_URL_REFUSED',
    '/agent': 'A2A_EGRESS_URL_REFUSED',
    'agent.example': 'A2A_EGRESS_URL_REFUSED',
    '': 'A2A_EGRESS_URL_REFUSED',
    'https://': 'A2A_EGRESS_URL_REFUSED',
    'https://agent.example:65536/': 'A2A_EGRESS_URL_REFUSED',
    'https://[fe80::1%25eth0]/': 'A2A_EGRESS_URL_REFUSED',
    'https://256.0.0.1/': 'A2A_EGRESS_URL_REFUSED',
    'https://user@agent.example/': 'A2A_EGRESS_USERINFO_REFUSED',
    'https://:pass@agent.example/': 'A2A_EGRESS_USERINFO_REFUSED',
    'https://agent.example@evil.example/': 'A2A_EGRESS_USERINFO_REFUSED',
    'https://agent..example/': 'A2A_EGRESS_HOST_REFUSED',
    'https://agent.example../': 'A2A_EGRESS_HOST_REFUSED',
    'https://./': 'A2A_EGRESS_HOST_REFUSED',
    "https://a'b.example/": 'A2A_EGRESS_HOST_REFUSED',
    [`https://${'a'.repeat(64)}.example/`]: 'A2A_EGRESS_HOST_REFUSED',
    [`https://${'a.'.repeat(130)}example/`]: 'A2A_EGRESS_HOST_REFUSED',
  });
  await judged(
    { ...PUBLIC, ports: [8443] },
    {
      'https://agent.example:8443/': 'not refused',
      'https://agent.example/': 'A2A_EGRESS_PORT_REFUSED 443',
    },
  );
});

test('one spelling of a host comes out, whatever goes in', () => {
  const spellings: [string, string][] = [
    ['https://Agent.EXAMPLE./', 'agent.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://exa%6Dple.com/', 'example.com'],
    ['https://0x7f.1/', '127.0.0.1'],
    ['https://017700000001/', '127.0.0.1'],
    ['https://2130706433/', '127.0.0.1'],
    ['https://127.0.0.1./', '127.0.0.1'],
    ['https://①②⑦.0.0.1/', '127.0.0.1'],
    ['https://[::FFFF:127.0.0.1]/', '::ffff:7f00:1'],
  ];
  for (const [url, hostname] of spellings) assert.equal(admitUrl(url, PUBLIC).hostname, hostname, url);
});

test('a trusted host is trusted on the port that is named with it, over plain HTTP too, and nothing beside it', async () => {
  const policy = { ...PUBLIC, trustedHosts: ['localhost:8094', '[::1]:80', 'LOCAL.test:443', 'no-port', 'a b:1'] };
  await judged(policy, {
    'http://localhost:8094/a': 'not refused',
    'https://localhost.:8094/': 'not refused',
    'http://[::1]/': 'not refused',
    'https://local.test/': 'not refused',
    'http://local.test/': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://localhost/': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://localhost:8095/': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://x.localhost:8094/': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://localhost:8094@evil.example/': 'A2A_EGRESS_USERINFO_REFUSED',
    'http://no-port/': 'A2A_EGRESS_SCHEME_REFUSED',
  });
  assert.deepEqual(
    ['https://agent.example/', 'http://localhost:8094/'].map((url) => admitUrl(url, policy).trusted),
    [false, true],
  );
});
