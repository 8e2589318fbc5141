interface Meaning {
  /** The other side may have got the request. */
  readonly sent: boolean;
  /** The same may go well later, with nothing changed on this side. */
  readonly retryable: boolean;
  readonly text: string;
}

const never = (text: string): Meaning => ({ sent: false, retryable: false, text });
const later = (text: string): Meaning => ({ sent: false, retryable: true, text });
const answeredBadly = (text: string): Meaning => ({ sent: true, retryable: false, text });
const lost = (text: string): Meaning => ({ sent: true, retryable: true, text });

/** Every way in which the guarded transport ends an operation (rule A4). The names are promises. */
export const EGRESS_CODES = {
  A2A_EGRESS_TRANSPORT_REQUIRED: never('no way out is set up: give a policy'),
  A2A_PUBLIC_EGRESS_DISABLED: never('calls to public agents are off: enable public egress in the policy'),
  A2A_VPC_EGRESS_DIALER_REQUIRED: never(
    'the route vpc has no dialer: give the policy one; the public way is not taken',
  ),
  A2A_VPC_EGRESS_HOST_REFUSED: never('the host is not among those that the dialer may be asked for: allow it there'),
  A2A_EGRESS_URL_REFUSED: never('not an absolute URL: write https://host/path'),
  A2A_EGRESS_SCHEME_REFUSED: never('not https: use https, or name host and port among the trusted hosts of the policy'),
  A2A_EGRESS_USERINFO_REFUSED: never('the URL holds a user or a password: send credentials as a header'),
  A2A_EGRESS_HOST_REFUSED: never('not a host name that can be looked up: correct the URL'),
  A2A_EGRESS_PORT_REFUSED: never('the port is not among those of the policy: add it there'),
  A2A_EGRESS_ADDRESS_REFUSED: never(
    'the host has an address that is not public: if it is meant, name host and port among the trusted hosts of the policy',
  ),
  A2A_CREDENTIAL_INJECTION_CONFLICT: never('a credential would replace a header of the request: send one of the two'),
  A2A_EGRESS_DNS_FAILED: later('the host name could not be looked up: check it, or try again'),
  A2A_EGRESS_CONNECT_FAILED: later('no connection to the host: check that it is up, or try again'),
  A2A_EGRESS_TLS_FAILED: never('no trusted TLS connection: check the certificate, its name and who signed it'),
  A2A_EGRESS_REDIRECT_REFUSED: answeredBadly(
    'redirects are not followed: use the address that it names, if it is right',
  ),
  A2A_EGRESS_ENCODING_REFUSED: answeredBadly(
    'the response is compressed though none was asked for: turn that off there',
  ),
  A2A_EGRESS_RESPONSE_TOO_LARGE: answeredBadly('the response is larger than the limit: ask for less, or raise it'),
  A2A_EGRESS_RESPONSE_REFUSED: answeredBadly('the response is not HTTP/1.1 as it should be: ask whoever runs the host'),
  A2A_EGRESS_JSON_REFUSED: answeredBadly('the body is not JSON within the limits: ask whoever runs the host'),
  A2A_EGRESS_HEADERS_TIMEOUT: lost('the response headers did not come in time: try again, or raise the limit'),
  A2A_EGRESS_IDLE_TIMEOUT: lost('nothing came for too long: take the stream up again, or raise the limit'),
  A2A_EGRESS_TOTAL_TIMEOUT: lost('the operation took longer than its limit: try again, or raise the limit'),
  A2A_EGRESS_CONNECTION_LOST: lost('the connection broke: find out what became of the request before it is repeated'),
} as const satisfies Readonly<Record<string, Meaning>>;

export type EgressCode = keyof typeof EGRESS_CODES;

/**
 * Thrown for every operation that the guarded transport did not carry to its end: refused by a rule, past a limit, or
 * broken. `message` is the code and a constant text that says what to do; nothing of the other side is in it.
 */
export class EgressRefused extends Error {
  override readonly name = 'EgressRefused';
  readonly code: EgressCode;
  /** `message` without the code. */
  readonly text: string;
  /** Whether the other side may have got the request; `false` is certain. */
  readonly sent: boolean;
  /** Whether the same may go well later, with nothing changed on this side. */
  readonly retryable: boolean;
  /**
   * For the log, not for callers: why an address is not public, the port, where a redirect points (host and path, at
   * most 200 characters), the code of what failed below.
   */
  readonly detail: string | undefined;
  /** Of a response that was refused for its status or its headers. */
  readonly status: number | undefined;

  constructor(code: EgressCode, detail?: string, options: ErrorOptions & { readonly status?: number } = {}) {
    const { sent, retryable, text } = EGRESS_CODES[code];
    super(`${code}: ${text}`, options);
    this.code = code;
    this.text = text;
    this.sent = sent;
    this.retryable = retryable;
    this.detail = detail;
    this.status = options.status;
  }
}

/** `error` as the cause of a refusal, and its code (`ECONNREFUSED`) as the detail. */
export function refusedBecause(code: EgressCode, error: unknown): EgressRefused {
  return new EgressRefused(code, codeOf(error), { cause: error });
}

export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
