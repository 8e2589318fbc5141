import { idOf, isObject, type JsonObject, parseJson } from '@agentkourier/a2a/json-value';
import { readEvent } from '@agentkourier/a2a/read-event';
import type { PlatformState } from '../../ports/space/task-ledger.ts';
import type { Words } from './print-refusal.ts';

/** What the gateway takes from one answer or event of an agent: whose it is, and how far the task is. */
export interface Heard {
  readonly taskId?: string;
  readonly contextId?: string;
  /** Of a bare message: `completed`, since nothing comes after it. */
  readonly state?: PlatformState;
}

/** Of one JSON text as it came; `undefined` when it tells nothing of a task: an error, an empty result, what is no JSON. */
export function heardIn(text: string, { binding }: Pick<Words, 'binding'>): Heard | undefined {
  const value = parseJson(text);
  return heardOf(isEnvelope(value, { binding }) ? value['result'] : value);
}

/** Whether a result stands in an envelope of JSON-RPC. Some agents write one over HTTP+JSON, too, and callers take it off. */
export function isEnvelope(value: unknown, { binding }: Pick<Words, 'binding'>): value is JsonObject {
  return isObject(value) && (binding === 'JSONRPC' || 'jsonrpc' in value);
}

function heardOf(value: unknown): Heard | undefined {
  if (!isObject(value)) return undefined;
  // Nearly every event is a piece of an artifact, of which nothing is read but its ids.
  const artifact = value['artifactUpdate'] ?? (value['kind'] === 'artifact-update' ? value : undefined);
  if (isObject(artifact)) return idsOf(artifact);
  const event = readEvent(value);
  switch (event?.kind) {
    case 'task':
      return { ...ids(event.task.id, event.task.contextId), state: event.task.status.state };
    case 'status-update':
      return { ...ids(event.taskId, event.contextId), state: event.status.state };
    case 'artifact-update':
      return ids(event.taskId, event.contextId);
    case 'message':
      return event.message.taskId === undefined
        ? { ...ids(undefined, event.message.contextId), state: 'completed' }
        : ids(event.message.taskId, event.message.contextId);
    default:
      return undefined;
  }
}

function idsOf(update: JsonObject): Heard {
  return ids(idOf(update['taskId']), idOf(update['contextId']));
}

function ids(taskId: string | undefined, contextId: string | undefined): Heard {
  return { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
}
