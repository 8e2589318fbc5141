import { type IncomingMessage, request as requestHttp } from 'node:http';
import type { Duplex } from 'node:stream';
import { EGRESS_LIMITS } from '../limits.ts';
import { bracketed, type Target } from './egress-policy.ts';
import { codeOf, EgressRefused, refusedBecause } from './egress-refused.ts';

export interface OutgoingRequest {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, so that its length is told; `undefined` for none. */
  readonly body: Uint8Array | undefined;
}

/** What belongs to a connection and not to a request, or is ours to say. */
const OURS = [
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'transfer-encoding', 'te'],
  ...['trailer', 'upgrade', 'expect', 'content-length', 'accept-encoding'],
];

/**
 * One HTTP/1.1 request on a connection of its own, up to the headers of its response, which then keep the rules: no
 * redirect, no encoding. The connection is given, so neither an agent nor a proxy of the environment has a say.
 */
export async function exchange(
  connection: Duplex,
  target: Target,
  outgoing: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const response = await send(connection, target, outgoing, signal);
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400 && status !== 304) {
    throw new EgressRefused('A2A_EGRESS_REDIRECT_REFUSED', placeOf(headers.location, target.url), { status });
  }
  if (status < 200 || status > 599) throw new EgressRefused('A2A_EGRESS_RESPONSE_REFUSED', `status ${status}`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new EgressRefused('A2A_EGRESS_ENCODING_REFUSED', undefined, { status });
  return response;
}

function send(
  connection: Duplex,
  { url, hostname, port, tls }: Target,
  { method, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !OURS.includes(name)));
    const request = requestHttp({
      createConnection: () => connection,
      method,
      path: url.pathname + url.search,
      headers: {
        ...own,
        host: port === (tls ? 443 : 80) ? bracketed(hostname) : `${bracketed(hostname)}:${port}`,
        connection: 'close',
        'accept-encoding': 'identity',
        ...(body === undefined ? {} : { 'content-length': body.length }),
      },
      maxHeaderSize: EGRESS_LIMITS.responseHeaderBytes,
      insecureHTTPParser: false,
    });
    request.once('response', resolve);
    // Not only once: what breaks in the body is told here as well.
    request.on('error', (error) => reject(signal.aborted ? signal.reason : brokenBy(error)));
    // An upgrade that nobody asked for closes it without an error.
    request.once('close', () => reject(new EgressRefused('A2A_EGRESS_CONNECTION_LOST')));
    request.end(body);
  });
}

/** What ended a response before its end, from the error that Node has for it. */
export function brokenBy(error: unknown): EgressRefused {
  const code = codeOf(error) ?? '';
  if (code === 'HPE_HEADER_OVERFLOW') return refusedBecause('A2A_EGRESS_RESPONSE_TOO_LARGE', error);
  if (code.startsWith('HPE_')) return refusedBecause('A2A_EGRESS_RESPONSE_REFUSED', error);
  return refusedBecause('A2A_EGRESS_CONNECTION_LOST', error);
}

/** Where a redirect points, for the log: its path, with its host when that is another (case C113). */
function placeOf(location: string | undefined, from: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const { origin, pathname } = new URL(location, from);
  return (origin === from.origin ? pathname : origin + pathname).slice(0, 200);
}
