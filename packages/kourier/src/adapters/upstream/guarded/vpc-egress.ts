import { BlockList, isIP, isIPv6 } from 'node:net';
import type { VpcEgress } from '@agentkourier/agent';
import { connectProxy } from './connect-proxy.ts';

/** How agents of a private network are reached, as configuration has it. */
export interface VpcDialer {
  readonly kind: 'connect-proxy';
  /** `http://proxy.inside:3128` */
  readonly proxy: string;
  /** What the proxy may be asked for; anything else is refused here. */
  readonly allow: {
    /** Names as they are called (`agents.corp`), or all below one (`*.agents.corp`). */
    readonly hosts: readonly string[];
    /** For agents that are called by their address: `10.20.0.0/16`, `fd00:20::/32`. */
    readonly cidrs: readonly string[];
  };
  /** 443 alone unless given. */
  readonly ports?: readonly number[];
}

/**
 * The route `vpc` through what is configured. Without a dialer every call is refused (`A2A_VPC_EGRESS_DIALER_REQUIRED`): the
 * public way is never taken. Throws an Error for a proxy or a range that is none, with what to write.
 */
export function vpcEgress(dialer: VpcDialer | undefined): VpcEgress {
  if (dialer === undefined) return { route: 'vpc' };
  const { proxy, allow, ports } = dialer;
  const ranges = rangesOf(allow.cidrs);
  const names = allow.hosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
  return {
    route: 'vpc',
    dial: connectProxy(proxy),
    admits: ({ hostname }) => (isIP(hostname) === 0 ? isNamed(names, hostname) : isWithin(ranges, hostname)),
    ...(ports === undefined ? {} : { ports }),
  };
}

function isNamed(names: readonly string[], hostname: string): boolean {
  return names.some((name) => (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name));
}

function isWithin(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function rangesOf(cidrs: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits = '', more] = cidr.split('/');
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    if (more !== undefined || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
      throw new Error(`${cidr} is no range of addresses: write it as 10.20.0.0/16 or fd00:20::/32`);
    ranges.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return ranges;
}
