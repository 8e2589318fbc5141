import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { test } from 'node:test';
import { type NotPublic, whyNotPublic } from './public-address.ts';

function judged(expected: Readonly<Record<string, NotPublic | 'public'>>): void {
  const found = Object.keys(expected).map((address) => [address, whyNotPublic(address) ?? 'public']);
  assert.deepEqual(Object.fromEntries(found), expected);
}

test('C118 IPv4: each end of each special network has its reason, and what lies beside is public', () => {
  judged({
    '0.0.0.0': 'this-network',
    '0.255.255.255': 'this-network',
    '1.0.0.0': 'public',
    '9.255.255.255': 'public',
    '10.0.0.0': 'private',
    '10.255.255.255': 'private',
    '11.0.0.0': 'public',
    '100.63.255.255': 'public',
    '100.64.0.0': 'shared',
    '100.100.100.200': 'shared',
    '100.127.255.255': 'shared',
    '100.128.0.0': 'public',
    '126.255.255.255': 'public',
    '127.0.0.1': 'loopback',
    '127.255.255.255': 'loopback',
    '168.63.129.15': 'public',
    '168.63.129.16': 'cloud-platform',
    '168.63.129.17': 'public',
    '169.253.255.255': 'public',
    '169.254.169.254': 'link-local',
    '172.15.255.255': 'public',
    '172.16.0.0': 'private',
    '172.31.255.255': 'private',
    '172.32.0.0': 'public',
    '192.0.0.192': 'protocol-assignments',
    '192.0.1.0': 'public',
    '192.0.2.1': 'documentation',
    '192.88.99.1': 'relay',
    '192.167.255.255': 'public',
    '192.168.0.1': 'private',
    '198.17.255.255': 'public',
    '198.18.0.0': 'benchmarking',
    '198.19.255.255': 'benchmarking',
    '198.20.0.0': 'public',
    '198.51.100.7': 'documentation',
    '203.0.113.7': 'documentation',
    '223.255.255.255': 'public',
    '224.0.0.1': 'multicast',
    '239.255.255.255': 'multicast',
    '240.0.0.1': 'reserved',
    '255.255.255.255': 'reserved',
    '8.8.8.8': 'public',
  });
});

test('C118 IPv6: only global unicast is public, less what its registry takes out', () => {
  judged({
    '::': 'unspecified',
    '::1': 'loopback',
    '0:0:0:0:0:0:0:1': 'loopback',
    '100::1': 'discard',
    '100:0:0:1::': 'discard',
    '2001:1::1': 'protocol-assignments',
    '2001:20::1': 'protocol-assignments',
    '2001:1ff:ffff::': 'protocol-assignments',
    '2001:200::1': 'public',
    '2001:db8::1': 'documentation',
    '2001:4860:4860::8888': 'public',
    '2606:4700:4700::1111': 'public',
    '2606:4700:4700:0:0:0:0:1111': 'public',
    '3fff::1': 'documentation',
    '3fff:1000::': 'public',
    '4000::1': 'not-global-unicast',
    '5f00::1': 'segment-routing',
    'fc00::1': 'private',
    'fd00:ec2::254': 'private',
    'fe80::1': 'link-local',
    'FEC0::1': 'site-local',
    'ff0e::1': 'multicast',
    '::ffff:0:7f00:1': 'not-global-unicast',
  });
});

test('C118 addresses that carry IPv4 addresses are as public as those', () => {
  judged({
    '::ffff:10.0.0.1': 'private',
    '::ffff:a00:1': 'private',
    '0:0:0:0:0:FFFF:127.0.0.1': 'loopback',
    '::ffff:8.8.8.8': 'public',
    '::10.0.0.1': 'private',
    '::7f00:1': 'loopback',
    '::2': 'this-network',
    '::8.8.8.8': 'public',
    '64:ff9b::10.0.0.1': 'private',
    '64:ff9b::a9fe:a9fe': 'link-local',
    '64:ff9b::8.8.8.8': 'public',
    '64:ff9b:0:0:0:1:808:808': 'not-global-unicast',
    '2002:a00:1::': 'private',
    '2002:7f00:1::1': 'loopback',
    '2002:808:808::1': 'public',
    // Teredo: a public server with a private client, the other way round, and both public.
    '2001:0:808:808:0:0:f5ff:fffe': 'private',
    '2001:0:a00:1:0:0:f7f7:f7f7': 'private',
    '2001:0:808:808:0:0:f7f7:f7f7': 'public',
  });
});

test('C118 a network that translates for itself may put the address anywhere, so none of its addresses is public', () => {
  // Read as a /96 prefix the last one carries 8.8.8.8; read as a /48 prefix it carries 10.0.0.1.
  for (const address of ['64:ff9b:1::10.0.0.1', '64:ff9b:1::8.8.8.8', '64:ff9b:1:a00:0:100:808:808']) {
    assert.equal(whyNotPublic(address), 'local-nat64', address);
  }
});

test('C118 odd spellings are no addresses: nobody but the caller can say what they mean', () => {
  const odd = [
    ...['0177.0.0.1', '0x7f.0.0.1', '0x7f000001', '2130706433', '127.1', '127.0.0.1.', '127.0.0', '1.2.3.4.5'],
    ...['256.1.1.1', '1.2.3.-4', '1.2.3.4 ', ' 1.2.3.4', '1.2.3.', '１.2.3.4', '08.8.8.8', '8.8.8.8/8', '+8.8.8.8'],
    ...['', ':', ':::', '1::2::3', '[::1]', '::ffff:127.1', '::127.0.0.1:1', '::ffff:0177.0.0.1', '::g', '12345::'],
    ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', ':1:2:3:4:5:6:7', '1.2.3.4::', 'localhost'],
  ];
  for (const address of odd) assert.equal(whyNotPublic(address), 'not-an-address', address);
  for (const address of ['fe80::1%eth0', '2606:4700::1%1', '8.8.8.8%']) assert.equal(whyNotPublic(address), 'zone');
});

test('what is an address, and in which network, is judged as Node judges it', () => {
  const list = new BlockList();
  list.addSubnet('172.16.0.0', 12, 'ipv4');
  for (let at = 0; at < 65_536; at += 97) {
    const address = `172.${at >> 8}.${at & 255}.1`;
    assert.equal(whyNotPublic(address) === 'private', list.check(address, 'ipv4'), address);
    const groups = `2a00:${at.toString(16)}::${(at * 31) % 65_536}`;
    for (const text of [groups, `${groups}:1:2`, `${groups}:g`, `::${groups}`, `${address}.1`, `2a00:${at}`]) {
      assert.equal(whyNotPublic(text) === 'not-an-address', isIP(text) === 0, text);
    }
  }
});
