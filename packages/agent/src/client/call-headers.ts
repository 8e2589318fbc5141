import type { Encoder } from '@agentkourier/a2a/outgoing';
import { CredentialsError } from './client-error.ts';
import { checkedHeaders } from './header.ts';
import type { CallOptions, WireOptions } from './wire.ts';

/** The headers of one call before it is signed: the client's, its own, and what A2A has there. */
export function callHeaders(
  { url, headers, trusted, extensions }: WireOptions,
  { version, extensionHeaders }: Encoder,
  call: CallOptions,
): Readonly<Record<string, string>> {
  const own = call.headers ?? {};
  if (!trusted && Object.keys(own).length > 0) {
    throw new CredentialsError(
      `The card has calls go to ${url.origin}, another origin than its own: allow it headers with credentialOrigins.`,
    );
  }
  const named = [...extensions, ...(call.extensions ?? [])];
  const naming = named.length === 0 ? [] : extensionHeaders.map((name) => [name, named.join(', ')]);
  return { ...headers, ...checkedHeaders(own), 'a2a-version': version, ...Object.fromEntries(naming) };
}
