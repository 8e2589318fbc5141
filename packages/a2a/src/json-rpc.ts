import { isObject, type Loose, objectOf } from './json-value.ts';

/** The codes of JSON-RPC, of A2A, and the two that kagent's contract adds. */
export const RPC_ERROR = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  taskNotFound: -32_001,
  taskNotCancelable: -32_002,
  pushNotSupported: -32_003,
  unsupportedOperation: -32_004,
  contentTypeNotSupported: -32_005,
  invalidAgentResponse: -32_006,
  extendedCardNotConfigured: -32_007,
  extensionRequired: -32_008,
  versionNotSupported: -32_009,
  unauthenticated: -31_401,
  forbidden: -31_403,
} as const;

export interface RpcError {
  /** `undefined` when the peer sent none that is a number. */
  readonly code: number | undefined;
  readonly message: string;
  readonly data: unknown;
}

/**
 * A response, read leniently: any id, `"error": null` beside a result, an error that is no object. `versioned` is false
 * when `jsonrpc` is not "2.0"; what that means is the caller's to say (case C029). `none`: no response at all.
 */
export type RpcReply =
  | { readonly kind: 'result'; readonly result: unknown; readonly versioned: boolean }
  | { readonly kind: 'error'; readonly error: RpcError; readonly versioned: boolean }
  | { readonly kind: 'none' };

export interface RpcRequest {
  /** A string: numbers come back as strings from some peers (case C031). */
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
}

export function encodeRequest({ id, method, params }: RpcRequest): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

const NO_REPLY: RpcReply = Object.freeze({ kind: 'none' });

/** The answer to a call that has no result: there, `null` is one, and so is none (the Python SDK leaves it out). */
export function readEmptyResponse(value: unknown): RpcReply {
  const response = objectOf<'jsonrpc' | 'result'>(value);
  const reply = readResponse(value);
  if (reply.kind !== 'none' || response === undefined) return reply;
  const versioned = response.jsonrpc === '2.0';
  return versioned || 'result' in response ? { kind: 'result', result: undefined, versioned } : reply;
}

export function readResponse(value: unknown): RpcReply {
  const response = objectOf<'jsonrpc' | 'result' | 'error'>(value);
  if (response === undefined) return NO_REPLY;
  const versioned = response.jsonrpc === '2.0';
  if (response.error !== undefined && response.error !== null) {
    return { kind: 'error', error: readError(response.error), versioned };
  }
  if (response.result === undefined || response.result === null) return NO_REPLY;
  return { kind: 'result', result: response.result, versioned };
}

/** Whether a response answers a request, by the ids' string form: the peer may have changed the type (case C031). */
export function answers(value: unknown, requestId: string): boolean {
  const id = objectOf<'id'>(value)?.id;
  return (typeof id === 'string' || typeof id === 'number') && String(id) === requestId;
}

/** What is wrong with a response by the letter of JSON-RPC 2.0: one sentence each, none when it is right. */
export function judgeResponse(value: unknown, requestId: string): readonly string[] {
  if (!isObject(value)) return ['the response is no object'];
  const response: Loose<'jsonrpc' | 'id' | 'result' | 'error'> = value;
  const faults: string[] = [];
  if (response.jsonrpc !== '2.0') faults.push('`jsonrpc` is not "2.0"');
  if (response.id !== requestId && !(response.id === null && isObject(response.error))) {
    faults.push('`id` is not the id of the request');
  }
  if ('result' in value === 'error' in value) faults.push('there is not exactly one of `result` and `error`');
  if ('error' in value) faults.push(...judgeError(response.error));
  return faults;
}

function judgeError(value: unknown): readonly string[] {
  const error = objectOf<'code' | 'message'>(value);
  if (error === undefined) return ['`error` is no object'];
  const faults: string[] = [];
  if (!Number.isInteger(error.code)) faults.push('`error.code` is no integer');
  if (typeof error.message !== 'string') faults.push('`error.message` is no string');
  return faults;
}

export function readError(value: unknown): RpcError {
  const error = objectOf<'code' | 'message' | 'data'>(value);
  if (error === undefined) return { code: undefined, message: typeof value === 'string' ? value : '', data: undefined };
  const message = typeof error.message === 'string' ? error.message : '';
  return { code: codeOf(error.code), message, data: error.data };
}

function codeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^-?\d{1,9}$/.test(value)) return Number(value);
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
