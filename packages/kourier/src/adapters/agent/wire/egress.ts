import { type LookupAddress, lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';

/** Addresses that no public service has: the registries of special-purpose addresses (RFC 6890 and its successors). */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ...([
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['169.254.0.0', 16],
  ] as const),
  ...([
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
  ] as const),
  ...([
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 3],
  ] as const),
]) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
}

/** Of IPv6 only global unicast is public, less what stands for IPv4 addresses or for documentation. */
const GLOBAL_6 = new BlockList();
GLOBAL_6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');
}

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return family === 6 && GLOBAL_6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/**
 * Connects over TLS to public addresses only (`egress: { mode: public }`). A name is resolved and all its addresses are
 * checked at every connection, and the connection goes to the addresses that were checked (cases C175, C176, C178).
 */
export function publicConnector(options: { readonly timeout: number }): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: publicLookup });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[|\]$/g, '');
    if (target.protocol !== 'https:') return callback(refused('not https'), null);
    // A literal address is never looked up, so it is checked here.
    if (isIP(host) !== 0 && !isPublicAddress(host)) return callback(refused('not a public address'), null);
    connect(target, callback);
  };
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const good = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
    if (!good) return callback(refused('not a public address'), []);
    callback(null, addresses);
  });
};

function refused(why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`egress: ${why}`), { code: 'EGRESS_REFUSED' });
}
