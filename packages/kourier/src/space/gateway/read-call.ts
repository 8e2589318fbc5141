import { askedVersionOf } from '@agentkourier/a2a/asked-version';
import { parseExact } from '@agentkourier/a2a/exact-json';
import { arrayOf, idOf, isObject, isWithinDepth, type JsonObject } from '@agentkourier/a2a/json-value';
import type { WireVersion } from '@agentkourier/a2a/wire-version';
import type { Endpoint } from '../../core/directory/registered-agent.ts';
import { SPACE_LIMITS } from '../limits.ts';
import type { GatewayRequest } from './exchange.ts';
import { hasFewContainers } from './few-containers.ts';
import { isCarried, isSend, isStreaming, meaningOf, type Operation, restMeaningOf } from './operations.ts';
import type { Words } from './print-refusal.ts';
import {
  bodyTypeNotSupported,
  invalidParams,
  invalidRequest,
  noSuchMethod,
  parseError,
  type Refusal,
  versionNotSupported,
} from './refusal.ts';
import { disguisedName, fold, hasRepeatedMember } from './two-readings.ts';

/** The message of a send, as far as the gateway has business with it. */
export interface AskedMessage {
  readonly messageId: string;
  readonly taskId?: string;
  readonly contextId?: string;
  /** Other tasks that it refers to. */
  readonly taskIds: readonly string[];
  readonly source: JsonObject;
}

/** One call of an agent, read but not judged. */
export interface AskedCall {
  readonly words: Words;
  readonly operation: Operation;
  /** Of a send; of none else. */
  readonly message?: AskedMessage;
  /** The task that an operation is about; not that of a message, nor of what is never carried. */
  readonly taskId?: string;
  /** JSON-RPC: the whole request. HTTP+JSON: its body. Absent where there is none. */
  readonly json?: JsonObject;
  /** The bytes that `json` was read from. */
  readonly body?: Uint8Array;
}

/** A call, or why it is none, with the words to say so. */
export type ReadCall = AskedCall | { readonly refused: Refusal; readonly words: Words };

/** Where the bindings stand below an agent's base: as the SDK serves them. */
const JSON_RPC_PATHS: readonly string[] = ['', '/', '/a2a/jsonrpc', '/a2a/jsonrpc/'];
const REST_PREFIX = '/a2a/v1';

/**
 * Reads a request to an agent that is called at these endpoints, or tells that there is nothing at its path or for its
 * method. Rejects when the connection breaks.
 */
export async function readCall(
  request: GatewayRequest,
  endpoints: readonly Endpoint[],
): Promise<ReadCall | 'no-such-path' | 'no-such-verb'> {
  if (JSON_RPC_PATHS.includes(request.path)) {
    return request.method === 'POST' ? readJsonRpc(request, endpoints) : 'no-such-verb';
  }
  if (!request.path.startsWith(`${REST_PREFIX}/`)) return 'no-such-path';
  return readRest(request, request.path.slice(REST_PREFIX.length), endpoints);
}

async function readJsonRpc(request: GatewayRequest, endpoints: readonly Endpoint[]): Promise<ReadCall> {
  let words: Words = { binding: 'JSONRPC', version: '1.0', id: 'null', isStream: false };
  const read = await readBody(request);
  if ('refused' in read) return { ...read, words };
  const { value, bytes } = read;
  if (!isObject(value)) return { refused: invalidRequest('The body must be an object.'), words };
  const { id, method, params = {} } = value as Record<string, unknown>;
  const meaning = typeof method === 'string' ? meaningOf(method) : undefined;
  const isStream = meaning !== undefined && isStreaming(meaning.operation);
  words = { ...words, version: meaning?.version ?? '1.0', id: printedId(id, bytes), isStream };
  if (disguisedName(value, ENVELOPE_NAMES) !== undefined)
    return { refused: invalidRequest('A member of JSON-RPC is written in other letters.'), words };
  if (value['jsonrpc'] !== '2.0') return { refused: invalidRequest('jsonrpc must be "2.0".'), words };
  if (typeof method !== 'string') return { refused: invalidRequest('method must be a string.'), words };
  if ('id' in value && words.id === 'null' && id !== null)
    return { refused: invalidRequest('id must be a string or a number.'), words };
  const asked = askedVersion(request);
  if (asked === 'unknown') return { refused: versionNotSupported(endpoints, 'JSONRPC'), words };
  // Whoever names no version is told by the method: none is in both.
  if (meaning === undefined || (asked ?? meaning.version) !== meaning.version) {
    return { refused: noSuchMethod(), words };
  }
  if (!isCarried(meaning.operation)) return { words, operation: meaning.operation };
  if (!isObject(params)) return { refused: invalidParams('params must be an object.'), words };
  const call = { words, operation: meaning.operation, json: value, body: bytes };
  const asking = withSubject(call, params, params['id']);
  // Last, as an agent of the SDK has it: whoever forgot the id as well is told first what else would be in the way.
  if ('id' in value || 'refused' in asking) return asking;
  return { refused: invalidRequest('id is missing: the agent takes no notifications.'), words };
}

async function readRest(request: GatewayRequest, path: string, endpoints: readonly Endpoint[]): Promise<ReadCall> {
  // Whoever names no version speaks 0.3 (case C139).
  const asked = askedVersion(request) ?? '0.3';
  const version: WireVersion = asked === 'unknown' ? '1.0' : asked;
  const words: Words = { binding: 'HTTP+JSON', version, id: 'null', isStream: false };
  const meaning = restMeaningOf(request.method, path);
  if (meaning === undefined) return { refused: noSuchMethod(), words };
  const { operation, taskId, takesBody } = meaning;
  if (asked === 'unknown') return { refused: versionNotSupported(endpoints, 'HTTP+JSON'), words };
  if (!isCarried(operation)) return { words, operation };
  const unjudged = [...new URLSearchParams(request.query).keys()].find((name) => PATH_NAMES.has(fold(name)));
  if (unjudged !== undefined)
    return { refused: invalidParams('The query names a task or a tenant: leave it out.'), words };
  if (!takesBody) return { words, operation, ...(taskId === undefined ? {} : { taskId }) };
  const read = await readBody(request, taskId !== undefined);
  if ('refused' in read) return { ...read, words };
  const { value, bytes } = read;
  if (!isObject(value)) return { refused: invalidParams('The body must be an object.'), words };
  const isSame = taskId === undefined || ['id', 'taskId'].every((name) => (value[name] ?? taskId) === taskId);
  if (!isSame) return { refused: invalidParams('The body names another task than the path.'), words };
  const body = bytes.length === 0 ? {} : { json: value, body: bytes };
  return withSubject({ words, operation, ...body }, value, taskId);
}

/** By the header, else by the query; `undefined` when neither names one. */
const askedVersion = (request: GatewayRequest): WireVersion | 'unknown' | undefined =>
  askedVersionOf(request.header('a2a-version')?.trim() || new URLSearchParams(request.query).get('A2A-Version') || '');

/** What the path of HTTP+JSON says, or the gateway. */
const PATH_NAMES: ReadonlySet<string> = new Set(['tenant', 'id', 'taskid', 'name'].map(fold));

const ENVELOPE_NAMES = ['jsonrpc', 'id', 'method', 'params'];
const PARAMS_NAMES = ['id', 'taskId', 'tenant', 'message', 'configuration'];
const MESSAGE_NAMES = ['messageId', 'taskId', 'contextId', 'referenceTaskIds'];

/** What a call is about: a message, a task, or neither. */
function withSubject(call: Omit<AskedCall, 'message' | 'taskId'>, params: JsonObject, taskId: unknown): ReadCall {
  const { words, operation } = call;
  const { message = {} } = params;
  const disguised = disguisedName(params, PARAMS_NAMES) ?? (isObject(message) && disguisedName(message, MESSAGE_NAMES));
  if (typeof disguised === 'string')
    return {
      refused: invalidParams('A member is written as some readers alone take it: write it as A2A has it.'),
      words,
    };
  if (typeof params['tenant'] === 'string' && params['tenant'] !== '') {
    // The card names none, and the agent behind may have several: which one is the gateway's to say.
    return { refused: invalidParams('tenant is not for callers: leave it out.'), words };
  }
  if (isSend(operation)) {
    const message = readMessage(params['message']);
    return typeof message === 'string' ? { refused: invalidParams(message), words } : { ...call, message };
  }
  if (operation === 'ListTasks') return call;
  const id = boundedId(taskId);
  return id === undefined
    ? { refused: invalidParams('The id of the task is missing, or is no id.'), words }
    : { ...call, taskId: id };
}

/** A message, or what is wrong with it. */
function readMessage(value: unknown): AskedMessage | string {
  if (!isObject(value)) return 'message must be an object.';
  const messageId = boundedId(value['messageId']);
  if (messageId === undefined) return 'message.messageId is missing, or is no id.';
  const [taskId, contextId] = [value['taskId'], value['contextId']].map((id) =>
    id === undefined || id === null || id === '' ? '' : boundedId(id),
  );
  if (taskId === undefined) return 'message.taskId is no id.';
  if (contextId === undefined) return 'message.contextId is no id.';
  const references = arrayOf(value['referenceTaskIds']);
  const taskIds = references.flatMap((id) => boundedId(id) ?? []);
  if (taskIds.length !== references.length) return 'message.referenceTaskIds holds what is no id.';
  if (taskIds.length > SPACE_LIMITS.referencedTasks) {
    return `message.referenceTaskIds holds more than ${SPACE_LIMITS.referencedTasks}.`;
  }
  return {
    messageId,
    ...(taskId === '' ? {} : { taskId }),
    ...(contextId === '' ? {} : { contextId }),
    taskIds,
    source: value,
  };
}

/** `undefined` for what is no text, is empty, or is too long to be an id. */
function boundedId(value: unknown): string | undefined {
  const id = idOf(value);
  return id === undefined || id.length > SPACE_LIMITS.idCharacters ? undefined : id;
}

type ReadBody = { readonly value: unknown; readonly bytes: Uint8Array } | { readonly refused: Refusal };

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `isOptional`: a POST that says all in its path may bring nothing, and then names no type either. */
async function readBody(request: GatewayRequest, isOptional = false): Promise<ReadBody> {
  const type = (request.header('content-type') ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    return { refused: bodyTypeNotSupported() };
  }
  const bytes = await request.body(SPACE_LIMITS.callBytes);
  if (bytes === undefined) return { refused: invalidRequest('The body is too large.', 413) };
  if (isOptional && bytes.length === 0) return { value: {}, bytes };
  try {
    const text = UTF8.decode(bytes);
    if (!hasFewContainers(text)) return { refused: invalidRequest('The body holds too many objects and arrays.') };
    const value: unknown = JSON.parse(text);
    if (hasRepeatedMember(text)) return { refused: invalidRequest('A member stands there twice.') };
    if (isWithinDepth(value, SPACE_LIMITS.jsonDepth)) return { value, bytes };
  } catch {
    return { refused: parseError() };
  }
  return { refused: invalidRequest('The body is nested too deeply.') };
}

/** The id of a JSON-RPC request as JSON, its digits as they came; `null` when it is none. `bytes`: what it was read from. */
function printedId(id: unknown, bytes: Uint8Array): string {
  if (typeof id === 'string') return id.length > SPACE_LIMITS.idCharacters ? 'null' : JSON.stringify(id);
  if (typeof id !== 'number') return 'null';
  if (Number.isSafeInteger(id)) return String(id);
  const exact = parseExact(UTF8.decode(bytes));
  const printed = JSON.stringify(isObject(exact) ? exact['id'] : null);
  return printed.length > SPACE_LIMITS.idCharacters ? 'null' : printed;
}
