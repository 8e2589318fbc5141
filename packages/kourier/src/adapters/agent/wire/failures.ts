import { RPC_ERROR, type RpcError } from '@agentkourier/a2a/json-rpc';
import { EgressRefused } from '@agentkourier/agent';
import type { Failure } from '../../../ports/agent.ts';
import { retryAfterData } from './retry-after.ts';

export type CallName = 'card' | 'send' | 'subscribe' | 'get' | 'cancel' | 'list';

export const notSent = (why: string, retryAfterMs?: number): Failure => later('not-sent', why, retryAfterMs);

export const unknown = (why: string, retryAfterMs?: number): Failure => later('unknown', why, retryAfterMs);

/** An HTTP status that is no success, by itself (rules D5, E1, E5, E6). `target` is where a redirect pointed. */
export function statusFailure(status: number, retryAfterMs: number | undefined, target?: string): Failure {
  if (status === 401 || status === 403) return { kind: 'credentials', why: `HTTP ${status}` };
  if (status >= 300 && status < 400) {
    return notSent(
      `HTTP ${status}: redirects are not followed${target === undefined ? '' : `; it pointed to ${target}`}`,
    );
  }
  const certain = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return (certain ? notSent : unknown)(`HTTP ${status}`, retryAfterMs);
}

/** A body in an encoding that was not asked for: an unbounded inflation is a risk of its own. */
export function encodingFailure(status: number): Failure {
  if (status === 401 || status === 403) return { kind: 'credentials', why: `HTTP ${status}` };
  const failed = status >= 200 && status < 300 ? unknown : notSent;
  return failed(`HTTP ${status} with a content encoding that was not asked for`);
}

/** A JSON-RPC error, by its code; what a code means may depend on the call (rules E1 to E4, M3). */
export function rpcFailure({ code, data }: RpcError, call: CallName, headerMs?: number): Failure {
  const retryAfterMs = retryAfterData(data) ?? headerMs;
  if (code === undefined) return unknown('a JSON-RPC error without a code', retryAfterMs);
  const why = `JSON-RPC error ${code}`;
  switch (code) {
    case RPC_ERROR.unauthenticated:
      return { kind: 'credentials', why };
    case RPC_ERROR.forbidden:
      return { kind: 'identity', why };
    case RPC_ERROR.taskNotFound:
      return { kind: 'not-found', why };
    case RPC_ERROR.taskNotCancelable:
      return call === 'cancel' ? { kind: 'not-cancelable', why } : { kind: 'rejected', code, why };
    case RPC_ERROR.unsupportedOperation:
      return call === 'send' ? later('busy', why, retryAfterMs) : { kind: 'unsupported', why };
    case RPC_ERROR.methodNotFound:
      return { kind: 'unsupported', why };
    case RPC_ERROR.internalError:
      return { ...unknown(why, retryAfterMs), kind: 'unknown', code };
    default:
      return { kind: 'rejected', code, why };
  }
}

/** The codes that say more than the HTTP status that they come with (the contract's own; case C026 for all others). */
export function outranksStatus({ code }: RpcError): boolean {
  return (
    code === RPC_ERROR.unsupportedOperation ||
    code === RPC_ERROR.unauthenticated ||
    code === RPC_ERROR.forbidden ||
    code === RPC_ERROR.taskNotFound ||
    code === RPC_ERROR.taskNotCancelable
  );
}

/** What only a connection that was never made ends in: nothing was sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  ...['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_URL', 'ERR_SSL_WRONG_VERSION_NUMBER'],
]);

/** A call that threw before there were headers. Only the error's code is told: its message may quote the peer. */
export function thrownFailure(error: unknown): Failure {
  if (error instanceof EgressRefused) return refusedFailure(error);
  const code = errorCode(error);
  if (NO_CONNECTION.has(code) || code.startsWith('ERR_TLS_') || /CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    return notSent(`no connection (${code})`);
  }
  return unknown(`the connection was lost (${code || 'no code'})`);
}

/**
 * What the guarded transport refused or lost, in the same words as of a direct call. What is refused before anything is sent
 * is tried again for as long as any agent that cannot be reached: a name may lead elsewhere the next time (rule E5).
 */
function refusedFailure({ code, detail, sent, status }: EgressRefused): Failure {
  if (status !== undefined && code === 'A2A_EGRESS_REDIRECT_REFUSED') return statusFailure(status, undefined, detail);
  if (status !== undefined && code === 'A2A_EGRESS_ENCODING_REFUSED') return encodingFailure(status);
  const named = detail === undefined ? code : `${code}: ${detail}`;
  if (code === 'A2A_EGRESS_RESPONSE_TOO_LARGE') return { kind: 'too-large', why: `the answer is too large (${named})` };
  return sent ? unknown(`the connection was lost (${named})`) : notSent(`no connection (${named})`);
}

/** The code of an error, of its cause, or of the first that was tried when several addresses failed. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const own = (error as { readonly code?: unknown }).code;
  if (typeof own === 'string') return own.slice(0, 64);
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}

function later(kind: 'not-sent' | 'unknown' | 'busy', why: string, retryAfterMs: number | undefined): Failure {
  return retryAfterMs === undefined ? { kind, why } : { kind, retryAfterMs, why };
}
