import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import type { StreamResult, WireTask } from '../../task/wire.ts';
import { protoNames } from '../proto-names.ts';
import { printEvent, printTask } from './print-json.ts';
import { printPushConfig } from './push-config.ts';

type Loose = Record<string, unknown>;

/**
 * The JSON of A2A 0.3 over HTTP is that of its protocol buffers: `content` for `parts`, a part's kind is the name of its
 * member, states and roles are in capitals, and members are spelt as in `task_id` or as in `taskId`. Both ways go
 * through the JSON of 0.3 over JSON-RPC; a body that already is such JSON is taken as it is.
 */
export function readSendBody(body: JsonObject): JsonObject {
  const { request, ...named } = body as Loose;
  const { message, configuration, metadata } = protoNames({ message: request, ...named }) as Loose;
  return present({
    message: isObject(message) ? readMessage(message as Loose) : message,
    configuration: isObject(configuration) ? readConfiguration(configuration as Loose) : configuration,
    metadata,
  });
}

function present(members: Loose): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function readMessage({ content, ...message }: Loose): JsonObject {
  const { role, parts = content } = message;
  return present({
    ...message,
    role: role === 'ROLE_USER' || role === 1 ? 'user' : role,
    parts: Array.isArray(parts) ? parts.map(readPart) : parts,
  });
}

/** A part that names its kind is one of JSON-RPC already. */
function readPart(part: unknown): unknown {
  if (!isObject(part) || 'kind' in part) return part;
  const { metadata, text, file, data } = part as Loose;
  if (text !== undefined) return present({ kind: 'text', text, metadata });
  if (isObject(data)) return present({ kind: 'data', data: data['data'] ?? data, metadata });
  if (!isObject(file)) return part;
  const { fileWithUri: uri, fileWithBytes: bytes, mimeType, name } = protoNames(file) as Loose;
  // The form of a protocol buffer may come with its other choice empty.
  const held = typeof bytes === 'string' && bytes !== '' ? { bytes } : { uri };
  return present({ kind: 'file', file: present({ ...held, mimeType, name }), metadata });
}

/** The JSON of protocol buffers leaves out what is false, so that a configuration without `blocking` says not to wait. */
function readConfiguration({ pushNotification, ...configuration }: Loose): JsonObject {
  return present({ blocking: false, pushNotificationConfig: pushNotification, ...configuration });
}

/** What creates a push configuration: bare, or within the request that the protocol buffers have for it. */
export function readPushBody(body: JsonObject): unknown {
  const { config = body } = body as Loose;
  if (!isObject(config)) return config;
  const { pushNotificationConfig = config } = protoNames(config) as Loose;
  return pushNotificationConfig;
}

export const printTaskProto = (task: WireTask): JsonObject => fromJson(printTask(task));

export function printEventProto(event: StreamResult): JsonObject {
  const [name = ''] = Object.keys(event);
  return { [name]: fromJson(printEvent(event)) };
}

export const printPushProto = ({ taskId, ...config }: Loose): JsonObject => ({
  name: `tasks/${taskId}/pushNotificationConfigs/${config['id']}`,
  pushNotificationConfig: printPushConfig(config),
});

/** A task or an event of one, from its JSON over JSON-RPC. */
function fromJson({ kind: _, status, artifacts, artifact, history, ...rest }: Loose): JsonObject {
  return present({
    ...rest,
    status: status === undefined ? undefined : fromStatus(status as Loose),
    artifact: artifact === undefined ? undefined : fromArtifact(artifact as Loose),
    artifacts: (artifacts as Loose[] | undefined)?.map(fromArtifact),
    history: (history as Loose[] | undefined)?.map(fromMessage),
  });
}

function fromStatus({ state, message, ...rest }: Loose): JsonObject {
  const name = String(state).toUpperCase().replaceAll('-', '_');
  return present({
    // The protocol buffers of 0.3 spell it with two l's.
    state: `TASK_STATE_${name === 'CANCELED' ? 'CANCELLED' : name}`,
    ...rest,
    message: message === undefined ? undefined : fromMessage(message as Loose),
  });
}

const fromArtifact = ({ parts, ...rest }: Loose): JsonObject => ({ ...rest, parts: (parts as Loose[]).map(fromPart) });

function fromMessage({ kind: _, role, parts, ...rest }: Loose): JsonObject {
  return { ...rest, role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER', content: (parts as Loose[]).map(fromPart) };
}

function fromPart({ kind, file, data, ...rest }: Loose): JsonObject {
  if (kind === 'text') return rest;
  if (kind === 'data') return { data: { data }, ...rest };
  const { uri, bytes, ...named } = file as Loose;
  return { file: present({ fileWithUri: uri, fileWithBytes: bytes, ...named }), ...rest };
}
