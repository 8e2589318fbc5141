import { parseExact } from '@agentkourier/a2a/exact-json';
import { arrayOf, idOf, isObject, isWithinDepth, type JsonObject } from '@agentkourier/a2a/json-value';
import { type WireVersion, wireVersionOf } from '@agentkourier/a2a/wire-version';
import { SPACE_LIMITS } from '../limits.ts';
import type { GatewayRequest } from './exchange.ts';
import { hasFewContainers } from './few-containers.ts';
import { isSend, meaningOf, type Operation, restMeaningOf } from './operations.ts';
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
  /** The task that an operation is about; not that of a message. */
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

/** Reads a request, or tells that there is nothing at its path or for its method. Rejects when the connection breaks. */
export async function readCall(request: GatewayRequest): Promise<ReadCall | 'no-such-path' | 'no-such-verb'> {
  if (JSON_RPC_PATHS.includes(request.path)) {
    return request.method === 'POST' ? readJsonRpc(request) : 'no-such-verb';
  }
  if (!request.path.startsWith(`${REST_PREFIX}/`)) return 'no-such-path';
  return readRest(request, request.path.slice(REST_PREFIX.length));
}

async function readJsonRpc(request: GatewayRequest): Promise<ReadCall> {
  let words: Words = { binding: 'JSONRPC', version: '1.0', id: 'null' };
  const read = await readBody(request);
  if ('refused' in read) return { ...read, words };
  const { value, bytes } = read;
  if (!isObject(value)) return { refused: invalidRequest('The body must be an object.'), words };
  const { id, method, params = {} } = value as Record<string, unknown>;
  const meaning = typeof method === 'string' ? meaningOf(method) : undefined;
  words = { ...words, version: meaning?.version ?? '1.0', id: printedId(id, bytes) };
  if (disguisedName(value, ENVELOPE_NAMES) !== undefined)
    return { refused: invalidRequest('A member of JSON-RPC is written in other letters.'), words };
  if (value['jsonrpc'] !== '2.0') return { refused: invalidRequest('jsonrpc must be "2.0".'), words };
  if (typeof method !== 'string') return { refused: invalidRequest('method must be a string.'), words };
  if (!('id' in value)) return { refused: invalidRequest('id is missing: the agent takes no notifications.'), words };
  if (words.id === 'null' && id !== null) return { refused: invalidRequest('id must be a string or a number.'), words };
  if (meaning === undefined) return { refused: noSuchMethod(), words };
  if (!isObject(params)) return { refused: invalidParams('params must be an object.'), words };
  const call = { words, operation: meaning.operation, json: value, body: bytes };
  return withSubject(call, params, taskIdOf(meaning.operation, meaning.version, params));
}

async function readRest(request: GatewayRequest, path: string): Promise<ReadCall> {
  const asked = request.header('a2a-version')?.trim() || new URLSearchParams(request.query).get('A2A-Version') || '';
  // Whoever names no version speaks 0.3 (case C139).
  const version: WireVersion | undefined = asked === '' ? '0.3' : wireVersionOf(asked);
  const words: Words = { binding: 'HTTP+JSON', version: version ?? '1.0', id: 'null' };
  const meaning = restMeaningOf(request.method, path);
  if (meaning === undefined) return { refused: noSuchMethod(), words };
  const { operation, taskId, takesBody } = meaning;
  if (version === undefined) return { refused: versionNotSupported(['1.0', '0.3']), words };
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
  if (operation === 'ListTasks' || operation === 'GetExtendedAgentCard') return call;
  const id = boundedId(taskId);
  return id === undefined
    ? { refused: invalidParams('The id of the task is missing, or is no id.'), words }
    : { ...call, taskId: id };
}

function taskIdOf(operation: Operation, version: WireVersion, params: JsonObject): unknown {
  const isPush = operation.includes('PushNotification');
  if (!isPush) return params['id'];
  // In 0.3 only the call that makes one names the task `taskId`.
  return version === '1.0' || operation.startsWith('Create') ? params['taskId'] : params['id'];
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
