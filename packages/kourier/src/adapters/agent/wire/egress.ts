import { type LookupAddress, lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { whyNotPublic } from '@agentkourier/a2a/public-address';
import { buildConnector } from 'undici';

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
    if (isIP(host) !== 0 && whyNotPublic(host) !== undefined) return callback(refused('not a public address'), null);
    connect(target, callback);
  };
}

const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error !== null) return callback(error, []);
    const good = addresses.length > 0 && addresses.every(({ address }) => whyNotPublic(address) === undefined);
    if (!good) return callback(refused('not a public address'), []);
    callback(null, addresses);
  });
};

function refused(why: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`egress: ${why}`), { code: 'EGRESS_REFUSED' });
}
