import type { Backend, Identity } from '../../../ports/registry.ts';
import type { Wire } from './wire.ts';

export type Headers = Readonly<Record<string, string>>;

/**
 * What a static header may not say: it is ours, or it would change how the message is framed. Everything else that the
 * backend names goes out, after the identity (rule S7).
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...['accept', 'accept-encoding', 'content-type', 'host', 'traceparent'],
  ...['a2a-version', 'a2a-extensions', 'x-a2a-extensions'],
  ...['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The headers of every call of a binding; `undefined` when one of them cannot be sent (a line end would forge others). */
export function standingHeaders(
  identity: Identity | undefined,
  backend: Pick<Backend, 'headers'>,
): Headers | undefined {
  const own = identityHeaders(identity);
  if (!Object.values(own).every((value) => VALUE.test(value))) return undefined;
  const headers: Record<string, string> = { ...own };
  for (const header of backend.headers) {
    const lower = header.name.toLowerCase();
    if (!NAME.test(lower) || !VALUE.test(header.value)) return undefined;
    if (!RESERVED.has(lower) && !Object.hasOwn(own, lower)) headers[lower] = header.value;
  }
  return headers;
}

function identityHeaders(identity: Identity | undefined): Headers {
  if (identity === undefined) return {};
  return 'token' in identity ? { authorization: `Bearer ${identity.token}` } : { 'x-user-id': identity.userId };
}

/** One span of a turn's trace (rule S7). */
export function traceHeaders(traceId: string, spanId: string): Headers {
  return { traceparent: `00-${traceId}-${spanId}-01` };
}

/** Names an extension in every spelling that the version reads (decision 10). */
export function extensionHeaders(wire: Wire, uri: string | undefined): Headers {
  return uri === undefined ? {} : Object.fromEntries(wire.extensionHeaders.map((name) => [name, uri]));
}
