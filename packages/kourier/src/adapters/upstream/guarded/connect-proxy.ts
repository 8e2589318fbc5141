import { request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Dial } from '@agentkourier/agent';
import { UPSTREAM_LIMITS } from '../wire/limits.ts';

/** So that a connection whose other side is gone is told of, however quiet it may be. */
const PROBE_AFTER_MS = 60_000;

/**
 * Asks an HTTP proxy for a connection to each host (`CONNECT`, RFC 9110 section 9.3.6). Names are looked up by the proxy. What
 * goes through is TLS between the caller and the host: the proxy sees the host's name and port, nothing else.
 */
export function connectProxy(proxy: string): Dial {
  const place = URL.canParse(proxy) ? new URL(proxy) : undefined;
  const isBare = place?.pathname === '/' && place.search === '' && place.username === '' && place.password === '';
  if (place?.protocol !== 'http:' || !isBare)
    throw new Error('the address of the proxy is none: write it as http://proxy.inside:3128');
  const at = { host: place.hostname.replace(/^\[|\]$/g, ''), port: Number(place.port || 80) };
  return ({ hostname, port }, signal) => {
    const to = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
    return new Promise((resolve, reject) => {
      const socket = connect({ ...at, keepAlive: true, keepAliveInitialDelay: PROBE_AFTER_MS });
      signal.addEventListener('abort', () => socket.destroy(), { once: true });
      if (signal.aborted) socket.destroy();
      const asked = request({
        // Given, so that neither an agent nor a proxy of the environment has a say.
        ...{ createConnection: () => socket, method: 'CONNECT', path: to, headers: { host: to } },
        maxHeaderSize: UPSTREAM_LIMITS.responseHeaderBytes,
      });
      const refuse = (code: string): void => {
        socket.destroy();
        reject(Object.assign(new Error('the proxy made no connection'), { code }));
      };
      asked.once('connect', ({ statusCode = 0 }, connection: Duplex, early: Buffer) => {
        if (statusCode < 200 || statusCode > 299) return refuse(`PROXY_${statusCode}`);
        if (early.length > 0) connection.unshift(early);
        resolve(connection);
      });
      // An answer that is no tunnel: whatever it is, it is not of the host.
      asked.once('response', ({ statusCode }) => refuse(`PROXY_${statusCode}`));
      asked.on('error', reject);
      asked.once('close', () => reject(new Error('the proxy closed the connection')));
      asked.end();
    });
  };
}
