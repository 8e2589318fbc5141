import { isObject, type JsonObject, type Loose } from '@agentkourier/a2a/json-value';
import { AGENT_LIMITS } from '../limits.ts';
import { invalidParams } from '../rpc-error.ts';
import type { WireMessage, WireState } from '../task/wire.ts';

/** Readers of params: each names what is wrong, and an empty string or null counts as absent, as in ProtoJSON. */
export interface SendParams {
  readonly message: WireMessage;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly historyLength: number | undefined;
  readonly returnImmediately: boolean;
  /** Which skill is to answer (rule P6). */
  readonly skillId: string | undefined;
  /** A webhook that the task is to have, as it was written. */
  readonly webhook: JsonObject | undefined;
}

const NOTHING: JsonObject = {};

export function readSendParams(params: JsonObject): SendParams {
  const { message, configuration } = params as { message?: unknown; configuration?: unknown };
  if (!isObject(params['metadata'] ?? NOTHING)) throw invalidParams('metadata must be an object.');
  if (!isObject(message)) throw invalidParams('message must be an object.');
  const messageId = readId(message, 'messageId', 'message.messageId');
  if (messageId === undefined) throw invalidParams('message.messageId must be a non-empty string.');
  if (message['role'] !== 'ROLE_USER') throw invalidParams('message.role must be ROLE_USER.');
  const settings = configuration ?? NOTHING;
  if (!isObject(settings)) throw invalidParams('configuration must be an object.');
  const returnImmediately = settings['returnImmediately'] ?? false;
  if (typeof returnImmediately !== 'boolean') throw invalidParams('configuration.returnImmediately must be a boolean.');
  checkTexts(settings, 'acceptedOutputModes', 'configuration.acceptedOutputModes');
  const webhook = settings['taskPushNotificationConfig'] ?? undefined;
  if (webhook !== undefined && !isObject(webhook)) {
    throw invalidParams('configuration.taskPushNotificationConfig must be an object.');
  }
  checkParts(message['parts']);
  const metadata = message['metadata'] ?? NOTHING;
  if (!isObject(metadata)) throw invalidParams('message.metadata must be an object.');
  checkTexts(message, 'extensions', 'message.extensions');
  checkTexts(message, 'referenceTaskIds', 'message.referenceTaskIds');
  return {
    message: knownMessage(message),
    contextId: readId(message, 'contextId', 'message.contextId'),
    taskId: readId(message, 'taskId', 'message.taskId'),
    historyLength: readCount(settings, 'historyLength'),
    returnImmediately,
    skillId: readId(metadata, 'skillId', 'message.metadata.skillId'),
    webhook,
  };
}

export function readTaskParams(params: JsonObject): { id: string; historyLength: number | undefined } {
  return { id: requireId(params, 'id'), historyLength: readCount(params, 'historyLength') };
}

/** An id that must be there. */
export function requireId(params: JsonObject, key: string): string {
  const id = readId(params, key, key);
  if (id === undefined) throw invalidParams(`${key} must be a non-empty string.`);
  return id;
}

export interface ListParams {
  readonly contextId: string | undefined;
  readonly status: WireState | undefined;
  readonly pageSize: number;
  readonly pageToken: string | undefined;
  readonly historyLength: number | undefined;
  readonly includeArtifacts: boolean;
  /** Milliseconds since the epoch; tasks whose status is as new or newer. */
  readonly changedSince: number | undefined;
}

/** Every state of A2A 1.0: a filter may name one that no task of this agent comes to. */
const STATES: ReadonlySet<string> = new Set(
  [
    ...['SUBMITTED', 'WORKING', 'COMPLETED', 'FAILED', 'CANCELED', 'REJECTED', 'INPUT_REQUIRED', 'AUTH_REQUIRED'],
    // The protocol buffers' word for a filter that is not set.
    'UNSPECIFIED',
  ].map((name) => `TASK_STATE_${name}`),
);

/** RFC 3339, as protocol buffers write a timestamp. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

export function readListParams(params: JsonObject): ListParams {
  const pageSize = readCount(params, 'pageSize') ?? 50;
  if (pageSize < 1 || pageSize > AGENT_LIMITS.pageTasks) {
    throw invalidParams(`pageSize must be from 1 to ${AGENT_LIMITS.pageTasks}.`);
  }
  const status = readId(params, 'status', 'status');
  if (status !== undefined && !STATES.has(status)) {
    throw invalidParams('status must be a task state of A2A 1.0, such as TASK_STATE_WORKING.');
  }
  const includeArtifacts = params['includeArtifacts'] ?? false;
  if (typeof includeArtifacts !== 'boolean') throw invalidParams('includeArtifacts must be a boolean.');
  const since = readId(params, 'statusTimestampAfter', 'statusTimestampAfter');
  const changedSince = since === undefined ? undefined : Date.parse(TIMESTAMP.test(since) ? since : '');
  if (Number.isNaN(changedSince)) {
    throw invalidParams('statusTimestampAfter must be a timestamp such as 2026-01-31T12:00:00Z.');
  }
  return {
    contextId: readId(params, 'contextId', 'contextId'),
    status: status === 'TASK_STATE_UNSPECIFIED' ? undefined : (status as WireState | undefined),
    pageSize,
    pageToken: readId(params, 'pageToken', 'pageToken'),
    historyLength: readCount(params, 'historyLength'),
    includeArtifacts,
    changedSince,
  };
}

function readId(from: JsonObject, key: string, path: string): string | undefined {
  const value = from[key] ?? '';
  if (typeof value !== 'string') throw invalidParams(`${path} must be a string.`);
  if (value.length > AGENT_LIMITS.idCharacters) {
    throw invalidParams(`${path} must have at most ${AGENT_LIMITS.idCharacters} characters.`);
  }
  return value === '' ? undefined : value;
}

function readCount(from: JsonObject, key: string): number | undefined {
  const value = from[key] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw invalidParams(`${key} must be a whole number, 0 or more.`);
  }
  return value;
}

/** The parts, of which each holds exactly one of text, data, url and raw (A2A 1.0, Part). */
function checkParts(parts: unknown): void {
  if (!Array.isArray(parts) || parts.length === 0) throw invalidParams('message.parts must be a non-empty array.');
  if (parts.length > AGENT_LIMITS.messageParts) {
    throw invalidParams(`message.parts must have at most ${AGENT_LIMITS.messageParts} entries.`);
  }
  parts.forEach(checkPart);
}

function checkPart(part: unknown): void {
  if (!isObject(part)) throw invalidParams('each of message.parts must be an object.');
  const { text, url, raw, metadata } = part as Loose<'text' | 'url' | 'raw' | 'metadata'>;
  // `null` is what an absent member may be written as; as data it is JSON too.
  const held = Number(isSet(text)) + Number(isSet(url)) + Number(isSet(raw)) + Number('data' in part);
  if (held !== 1) throw invalidParams('each part must hold one of text, data, url and raw.');
  PART_TEXTS.forEach(checkText, part);
  if (isSet(metadata) && !isObject(metadata)) throw invalidParams('metadata of a part must be an object.');
  if (isSet(raw) && !isBase64(raw)) throw invalidParams('raw of a part must be base64.');
}

function checkText(this: JsonObject, key: string): void {
  if (typeof (this[key] ?? '') !== 'string') throw invalidParams(`${key} of a part must be a string.`);
}

const isSet = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * Both alphabets, with and without padding, as ProtoJSON has it; line breaks, because some encoders write them. They are
 * taken out first: an expression that lets them stand in two places tries every way to share them out.
 */
function isBase64(text: unknown): boolean {
  const plain = typeof text === 'string' ? text.replace(/[\r\n]/g, '') : '!';
  return /^[\w+/-]*={0,2}$/.test(plain) && plain.replace(/=/g, '').length % 4 !== 1;
}

/** A message is repeated in its task: what is no list of texts would make the task unreadable for others. */
function checkTexts(from: JsonObject, key: string, path: string): void {
  const value = from[key];
  if (!isSet(value)) return;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw invalidParams(`${path} must be an array of strings.`);
  }
}

const PART_TEXTS = ['text', 'url', 'raw', 'mediaType', 'filename'] as const;
const PART_MEMBERS: ReadonlySet<string> = new Set([...PART_TEXTS, 'data', 'metadata']);
const MESSAGE_MEMBERS: ReadonlySet<string> = new Set([
  'messageId',
  'contextId',
  'taskId',
  'role',
  'parts',
  'metadata',
  'extensions',
  'referenceTaskIds',
]);

/** The message, whose parts were checked, with what is known of it and of them. Where that is all, nothing is copied. */
function knownMessage(message: JsonObject): WireMessage {
  const named = known(message, MESSAGE_MEMBERS) as WireMessage;
  const parts = message['parts'] as readonly JsonObject[];
  return parts.every(isKnownWhole) ? named : { ...named, parts: parts.map(knownPart) };
}

const knownPart = (part: JsonObject): JsonObject => known(part, PART_MEMBERS);

const isKnownWhole = (part: JsonObject): boolean => knownPart(part) === part;

/**
 * What the protocol knows and the sender has set: a message is repeated in its task, whose schema takes nothing else.
 * Where that is all, it is not copied.
 */
function known(from: JsonObject, members: ReadonlySet<string>): JsonObject {
  for (const key in from) {
    if (!isKnown(key, from[key], members))
      return Object.fromEntries(Object.entries(from).filter(([name, value]) => isKnown(name, value, members)));
  }
  return from;
}

/** Data may be `null`, which is JSON too. */
const isKnown = (name: string, value: unknown, members: ReadonlySet<string>): boolean =>
  members.has(name) && (isSet(value) || name === 'data');
