/** Why an address is none that a call to the internet may go to. Stable: they are logged, and people search for them. */
export type NotPublic =
  | 'not-an-address'
  | 'zone'
  | 'this-network'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link-local'
  | 'site-local'
  | 'cloud-platform'
  | 'protocol-assignments'
  | 'documentation'
  | 'benchmarking'
  | 'relay'
  | 'multicast'
  | 'reserved'
  | 'local-nat64'
  | 'discard'
  | 'segment-routing'
  | 'not-global-unicast';

/**
 * Why an address is not public; `undefined` for one that is (rule A4, cases C118, C175, C176). Takes an IPv4 address as
 * four decimal numbers or an IPv6 address in any of its spellings, as a resolver gives them; every other text, octal and
 * shortened IPv4 among them, is `not-an-address`.
 *
 * An IPv6 address that stands for IPv4 ones (mapped, compatible, NAT64, 6to4, Teredo) is as public as those are: the
 * reason is theirs.
 */
export function whyNotPublic(address: string): NotPublic | undefined {
  if (address.includes('%')) return 'zone';
  const bytes = bytesOf(address);
  if (bytes === undefined) return 'not-an-address';
  if (bytes.length === 4) return listed(bytes, IPV4);
  const carried = CARRIERS.find(({ network }) => isIn(bytes, network))?.carried(bytes);
  // What carries nothing but zeros and a one are `::` and `::1`, which are themselves.
  if (carried !== undefined && !isIn(bytes, UNSPECIFIED) && !isIn(bytes, LOOPBACK)) {
    return carried.map((inner) => listed(inner, IPV4)).find((reason) => reason !== undefined);
  }
  return listed(bytes, IPV6) ?? (isIn(bytes, GLOBAL_UNICAST) ? undefined : 'not-global-unicast');
}

type Bytes = readonly number[];

interface Network {
  readonly bytes: Bytes;
  readonly bits: number;
}

type Listed = readonly (readonly [Network, NotPublic])[];

/** The registry of special-purpose IPv4 addresses (RFC 6890 and its updates), multicast, and what clouds keep for themselves. */
const IPV4: Listed = [
  [networkOf('0.0.0.0/8'), 'this-network'],
  [networkOf('10.0.0.0/8'), 'private'],
  [networkOf('100.64.0.0/10'), 'shared'],
  [networkOf('127.0.0.0/8'), 'loopback'],
  // Azure serves every machine its configuration and keys here, on an address that reads like a public one.
  [networkOf('168.63.129.16/32'), 'cloud-platform'],
  [networkOf('169.254.0.0/16'), 'link-local'],
  [networkOf('172.16.0.0/12'), 'private'],
  [networkOf('192.0.0.0/24'), 'protocol-assignments'],
  [networkOf('192.0.2.0/24'), 'documentation'],
  [networkOf('192.88.99.0/24'), 'relay'],
  [networkOf('192.168.0.0/16'), 'private'],
  [networkOf('198.18.0.0/15'), 'benchmarking'],
  [networkOf('198.51.100.0/24'), 'documentation'],
  [networkOf('203.0.113.0/24'), 'documentation'],
  [networkOf('224.0.0.0/4'), 'multicast'],
  [networkOf('240.0.0.0/4'), 'reserved'],
];

const UNSPECIFIED = networkOf('::/128');
const LOOPBACK = networkOf('::1/128');
/** All that is handed out for use between networks. */
const GLOBAL_UNICAST = networkOf('2000::/3');

/** The registry of special-purpose IPv6 addresses. What is outside global unicast is refused anyway; here it gets its name. */
const IPV6: Listed = [
  [UNSPECIFIED, 'unspecified'],
  [LOOPBACK, 'loopback'],
  // A network of its own choice translates these, and where the IPv4 address stands in one is its choice, too.
  [networkOf('64:ff9b:1::/48'), 'local-nat64'],
  [networkOf('100::/63'), 'discard'],
  [networkOf('2001::/23'), 'protocol-assignments'],
  [networkOf('2001:db8::/32'), 'documentation'],
  [networkOf('3fff::/20'), 'documentation'],
  [networkOf('5f00::/16'), 'segment-routing'],
  [networkOf('fc00::/7'), 'private'],
  [networkOf('fe80::/10'), 'link-local'],
  [networkOf('fec0::/10'), 'site-local'],
  [networkOf('ff00::/8'), 'multicast'],
];

interface Carrier {
  readonly network: Network;
  readonly carried: (address: Bytes) => readonly Bytes[];
}

const lastFour = (address: Bytes): readonly Bytes[] => [address.slice(12)];

const CARRIERS: readonly Carrier[] = [
  { network: networkOf('::ffff:0:0/96'), carried: lastFour },
  { network: networkOf('::/96'), carried: lastFour },
  { network: networkOf('64:ff9b::/96'), carried: lastFour },
  { network: networkOf('2002::/16'), carried: (address) => [address.slice(2, 6)] },
  // Teredo: the server, and the client with all its bits turned over (RFC 4380).
  {
    network: networkOf('2001::/32'),
    carried: (address) => [address.slice(4, 8), address.slice(12).map((byte) => byte ^ 0xff)],
  },
];

function listed(address: Bytes, list: Listed): NotPublic | undefined {
  return list.find(([network]) => isIn(address, network))?.[1];
}

function isIn(address: Bytes, { bytes, bits }: Network): boolean {
  return bytes.every((byte, index) => {
    const significant = Math.min(8, Math.max(0, bits - index * 8));
    const mask = (0xff << (8 - significant)) & 0xff;
    return ((address[index] ?? 0) & mask) === (byte & mask);
  });
}

function networkOf(cidr: string): Network {
  const [address = '', bits] = cidr.split('/');
  return { bytes: bytesOf(address) ?? [], bits: Number(bits) };
}

function bytesOf(address: string): Bytes | undefined {
  return address.includes(':') ? ipv6Bytes(address) : ipv4Bytes(address);
}

function ipv4Bytes(address: string): Bytes | undefined {
  const numbers = address.split('.');
  const plain = numbers.length === 4 && numbers.every((number) => /^(0|[1-9]\d{0,2})$/.test(number));
  const bytes = numbers.map(Number);
  return plain && bytes.every((byte) => byte <= 0xff) ? bytes : undefined;
}

function ipv6Bytes(address: string): Bytes | undefined {
  const halves = address.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map((half, index) => groupBytes(half, index === halves.length - 1));
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  if (tail === undefined) return head.length === 16 ? head : undefined;
  const missing = 16 - head.length - tail.length;
  // `::` stands for one group at least (RFC 4291).
  return missing < 2 ? undefined : [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Groups of four hexadecimal digits; at the very end two of them may be an IPv4 address. */
function groupBytes(text: string, isLast: boolean): Bytes | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const dotted = isLast && index === groups.length - 1 && group.includes('.') ? ipv4Bytes(group) : undefined;
    if (dotted !== undefined) bytes.push(...dotted);
    else if (/^[\da-f]{1,4}$/i.test(group))
      bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}
