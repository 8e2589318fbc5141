import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { ProblemCode } from './problem.ts';

export interface Refusal {
  readonly code: ProblemCode;
  readonly detail: string;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** A name or an address that is this machine for itself: `localhost`, 127.0.0.0/8, ::1. */
export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return version === 0 ? host === 'localhost' : loopback.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/**
 * Local mode knows no callers, so it must know that a caller is on this machine and no other site's page. A page whose
 * name was rebound to 127.0.0.1 sends its own name as Host; a page that calls across sites sends its Origin, or
 * `Sec-Fetch-Site`. A link to a thread from elsewhere may be followed. The port is not compared: it may be forwarded.
 */
export function localRefusal({
  headers,
  method,
  url,
}: Pick<IncomingMessage, 'headers' | 'method' | 'url'>): Refusal | undefined {
  if (url === undefined || !url.startsWith('/')) {
    return { code: 'malformed-request', detail: 'Ask for a path that begins with "/".' };
  }
  const host = headers.host ?? '';
  if (!isLoopback(hostName(host))) {
    return { code: 'host-refused', detail: 'Call this server as localhost, 127.0.0.1 or [::1].' };
  }
  const foreign = 'Call this server from its own page, or from a program that sends no Origin.';
  if (headers.origin !== undefined && !isSameOrigin(headers.origin, host))
    return { code: 'origin-refused', detail: foreign };
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none' || isLink(headers, method)) return undefined;
  return { code: 'origin-refused', detail: foreign };
}

/** Without the port and the brackets; empty when it is no host. */
function hostName(host: string): string {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(host);
  return (found?.[1] ?? found?.[2] ?? '').toLowerCase().replace(/\.$/, '');
}

function isSameOrigin(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host.toLowerCase()}`;
}

function isLink(headers: IncomingMessage['headers'], method: string | undefined): boolean {
  const reads = method === 'GET' || method === 'HEAD';
  return reads && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}
