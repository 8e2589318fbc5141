import { RPC_ERROR, type RpcError, readError } from './json-rpc.ts';
import { arrayOf, objectOf, textOf } from './json-value.ts';

/** The errors of A2A by the `reason` of their `google.rpc.ErrorInfo` (specification 1.0, 5.4). */
const CODES: ReadonlyMap<string, number> = new Map([
  ['TASK_NOT_FOUND', RPC_ERROR.taskNotFound],
  ['TASK_NOT_CANCELABLE', RPC_ERROR.taskNotCancelable],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', RPC_ERROR.pushNotSupported],
  ['UNSUPPORTED_OPERATION', RPC_ERROR.unsupportedOperation],
  ['CONTENT_TYPE_NOT_SUPPORTED', RPC_ERROR.contentTypeNotSupported],
  ['INVALID_AGENT_RESPONSE', RPC_ERROR.invalidAgentResponse],
  ['EXTENDED_AGENT_CARD_NOT_CONFIGURED', RPC_ERROR.extendedCardNotConfigured],
  ['EXTENSION_SUPPORT_REQUIRED', RPC_ERROR.extensionRequired],
  ['VERSION_NOT_SUPPORTED', RPC_ERROR.versionNotSupported],
]);

/** What JSON-RPC has for a `google.rpc.Code` without such a reason, where it can mean one thing only. */
const BY_STATUS: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', RPC_ERROR.invalidParams],
  ['INTERNAL', RPC_ERROR.internalError],
]);

/**
 * The error of an HTTP+JSON body or frame, with the code that JSON-RPC has for it: `{ error: { code, status, message,
 * details } }` of 1.0, a bare `{ code, message, data }` as servers of 0.3 write it. `undefined` for anything else.
 */
export function readRestError(value: unknown): RpcError | undefined {
  const outer = objectOf<'error' | 'code' | 'message'>(value);
  if (outer === undefined) return undefined;
  const inner = objectOf<'code' | 'status' | 'message' | 'details' | 'data'>(outer.error);
  if (inner === undefined) {
    const bare = typeof outer.code === 'number' && typeof outer.message === 'string';
    return bare ? readError(value) : undefined;
  }
  const { code, message, data } = readError(inner);
  const details = inner.details ?? data;
  // An HTTP status stands in `code`, which is no code of JSON-RPC.
  const own = code !== undefined && code < 0 ? code : undefined;
  return { code: codeOf(details) ?? own ?? BY_STATUS.get(textOf(inner.status) ?? ''), message, data: details };
}

function codeOf(details: unknown): number | undefined {
  for (const item of arrayOf(details).slice(0, DETAILS)) {
    const code = CODES.get(textOf(objectOf<'reason'>(item)?.reason) ?? '');
    if (code !== undefined) return code;
  }
  return undefined;
}

const DETAILS = 16;

/** HTTP status and google.rpc.Code of each error (A2A 1.0.1, section 5.4). */
const STATUS: ReadonlyMap<number | undefined, readonly [status: number, name: string]> = new Map([
  [RPC_ERROR.taskNotFound, [404, 'NOT_FOUND']],
  [RPC_ERROR.methodNotFound, [404, 'NOT_FOUND']],
  [RPC_ERROR.taskNotCancelable, [400, 'FAILED_PRECONDITION']],
  [RPC_ERROR.pushNotSupported, [400, 'FAILED_PRECONDITION']],
  [RPC_ERROR.unsupportedOperation, [400, 'FAILED_PRECONDITION']],
  [RPC_ERROR.extendedCardNotConfigured, [400, 'FAILED_PRECONDITION']],
  [RPC_ERROR.versionNotSupported, [400, 'FAILED_PRECONDITION']],
  [RPC_ERROR.internalError, [500, 'INTERNAL']],
]);

/** How the HTTP+JSON binding answers with an error of JSON-RPC. */
export function restStatusOf(code: number): readonly [status: number, name: string] {
  return STATUS.get(code) ?? [400, 'INVALID_ARGUMENT'];
}
