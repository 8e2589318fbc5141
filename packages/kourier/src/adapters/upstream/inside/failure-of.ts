import { errors } from 'undici';
import type { UpstreamFailed } from '../../../ports/space/upstream.ts';
import { upstreamFailed } from '../wire/upstream-codes.ts';

/**
 * Why undici gave a call up. `hasConnection`: the request was about to be written, so the agent may have it; without one
 * it certainly has nothing. Only the error's code is told: its message may quote the agent.
 */
export function failureOf(error: unknown, hasConnection: boolean): UpstreamFailed {
  const code = codeOf(error) ?? '';
  const detail = code === '' ? undefined : code;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return upstreamFailed('A2A_UPSTREAM_RESPONSE_TOO_LARGE', detail);
  if (error instanceof errors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return upstreamFailed('A2A_UPSTREAM_RESPONSE_REFUSED', detail);
  if (hasConnection) return upstreamFailed('A2A_UPSTREAM_CONNECTION_LOST', detail, { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') return upstreamFailed('A2A_UPSTREAM_REQUEST_REFUSED', detail);
  const isTls = code.startsWith('ERR_TLS_') || code.startsWith('ERR_SSL_') || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
  const failed = isTls ? 'A2A_UPSTREAM_TLS_FAILED' : 'A2A_UPSTREAM_CONNECT_FAILED';
  return upstreamFailed(failed, detail, { cause: error });
}

/** Of an error, of its cause, or of the first address that was tried. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code.slice(0, 64);
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}
