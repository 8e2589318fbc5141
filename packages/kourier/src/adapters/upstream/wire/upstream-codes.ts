import { UpstreamFailed } from '../../../ports/space/upstream.ts';

interface Meaning {
  readonly sent: boolean;
  readonly retryable: boolean;
  readonly text: string;
}

const never = (text: string): Meaning => ({ sent: false, retryable: false, text });
const later = (text: string): Meaning => ({ sent: false, retryable: true, text });
const answeredBadly = (text: string): Meaning => ({ sent: true, retryable: false, text });
const lost = (text: string): Meaning => ({ sent: true, retryable: true, text });

/** Every way in which a call that is not guarded fails. The names are promises; those of guarded calls are the SDK's. */
export const UPSTREAM_CODES = {
  A2A_UPSTREAM_ADDRESS_REFUSED: never('not an address that was given for this agent: register it there'),
  A2A_UPSTREAM_REQUEST_REFUSED: never('the request cannot be sent as it is: look at its path and headers'),
  A2A_UPSTREAM_CONNECT_FAILED: later('no connection to the agent: check that it is up, or try again'),
  A2A_UPSTREAM_TLS_FAILED: never('no trusted TLS connection: check the certificate, its name and who signed it'),
  A2A_UPSTREAM_REDIRECT_REFUSED: answeredBadly('redirects are not followed: register the address that it names'),
  A2A_UPSTREAM_ENCODING_REFUSED: answeredBadly(
    'the response is compressed though none was asked for: turn that off there',
  ),
  A2A_UPSTREAM_RESPONSE_TOO_LARGE: answeredBadly('the response is larger than the limit: ask for less, or raise it'),
  A2A_UPSTREAM_RESPONSE_REFUSED: answeredBadly(
    'the response is not HTTP/1.1 as it should be: ask whoever runs the agent',
  ),
  A2A_UPSTREAM_CANCELED: answeredBadly('the body was let go of on this side: nothing is wrong'),
  A2A_UPSTREAM_HEADERS_TIMEOUT: lost('the response headers did not come in time: try again, or raise the limit'),
  A2A_UPSTREAM_IDLE_TIMEOUT: lost('nothing came for too long: take the stream up again, or raise the limit'),
  A2A_UPSTREAM_CONNECTION_LOST: lost('the connection broke: find out what became of the request before it is repeated'),
} as const satisfies Readonly<Record<string, Meaning>>;

export type UpstreamCode = keyof typeof UPSTREAM_CODES;

export function upstreamFailed(code: UpstreamCode, detail?: string, options?: ErrorOptions): UpstreamFailed {
  return new UpstreamFailed({ code, ...UPSTREAM_CODES[code], detail }, options);
}
