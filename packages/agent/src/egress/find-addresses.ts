import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { whyNotPublic } from '@agentkourier/a2a/public-address';
import type { Target } from './egress-policy.ts';
import { EgressRefused, refusedBecause } from './egress-refused.ts';

/** All addresses of a name, found anew at every call. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** As the machine resolves names; nothing of it is kept. */
export const resolveHere: Resolve = async (hostname) => {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * The addresses of a target that is not behind a dialer. All of them must be public: a name that has one private address
 * among others is refused whole, since nobody can say which of them is meant (cases C175, C178).
 */
export async function findAddresses({ hostname, trusted }: Target, resolve: Resolve): Promise<readonly string[]> {
  const addresses = isIP(hostname) === 0 ? await look(hostname, resolve) : [hostname];
  if (addresses.length === 0) throw new EgressRefused('A2A_EGRESS_DNS_FAILED', 'no address');
  for (const address of trusted ? [] : addresses) {
    const reason = whyNotPublic(address);
    if (reason !== undefined) throw new EgressRefused('A2A_EGRESS_ADDRESS_REFUSED', reason);
  }
  return addresses;
}

async function look(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return [...new Set(await resolve(hostname))];
  } catch (error) {
    throw refusedBecause('A2A_EGRESS_DNS_FAILED', error);
  }
}
