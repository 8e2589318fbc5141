import { idOf, isObject, type JsonObject, type Loose } from './json-value.ts';
import type { ArtifactUpdate, StatusUpdate, StreamEvent } from './model.ts';
import { messageOf } from './read-message.ts';
import { artifactOf, readStatus, taskOf } from './read-task.ts';

type WireEvent = Loose<
  | 'artifactUpdate'
  | 'artifact_update'
  | 'statusUpdate'
  | 'status_update'
  | 'task'
  | 'message'
  | 'msg'
  | 'kind'
  | 'artifact'
  | 'status'
  | 'id'
  | 'taskId'
  | 'final'
  | 'parts'
>;

/**
 * One result of a stream, of either version: wrapped by name (1.0), told by `kind` (0.3), or by its shape. `undefined`
 * for what is none of them. Never throws, copies nothing that it only passes on.
 */
export function readEvent(value: unknown): StreamEvent | undefined {
  if (!isObject(value)) return undefined;
  const event: WireEvent = value;
  const artifact = event.artifactUpdate ?? event.artifact_update;
  if (isObject(artifact)) return artifactUpdateOf(artifact);
  const status = event.statusUpdate ?? event.status_update;
  if (isObject(status)) return statusUpdateOf(status);
  return byKind(value, event) ?? (isObject(event.task) ? taskEvent(event.task) : undefined) ?? byMessage(value, event);
}

function byKind(source: JsonObject, event: WireEvent): StreamEvent | undefined {
  switch (event.kind) {
    case 'artifact-update':
      return artifactUpdateOf(source);
    case 'status-update':
      return statusUpdateOf(source);
    case 'task':
      return isObject(event.task) ? undefined : taskEvent(source);
    case 'message':
      return isObject(event.message) ? undefined : { kind: 'message', message: messageOf(source) };
    default:
      return undefined;
  }
}

function byMessage(source: JsonObject, event: WireEvent): StreamEvent | undefined {
  const message = event.message ?? event.msg;
  if (isObject(message)) return { kind: 'message', message: messageOf(message) };
  return byShape(source, event);
}

function byShape(source: JsonObject, event: WireEvent): StreamEvent | undefined {
  if (isObject(event.artifact)) return artifactUpdateOf(source);
  if (Array.isArray(event.parts)) return { kind: 'message', message: messageOf(source) };
  if (event.status === undefined || event.status === null) return undefined;
  const isUpdate = event.taskId !== undefined || event.final !== undefined;
  return isUpdate ? statusUpdateOf(source) : taskEvent(source);
}

const taskEvent = (source: JsonObject): StreamEvent => ({ kind: 'task', task: taskOf(source) });

type WireUpdate = Loose<
  | 'taskId'
  | 'task_id'
  | 'id'
  | 'contextId'
  | 'context_id'
  | 'artifact'
  | 'append'
  | 'lastChunk'
  | 'status'
  | 'final'
  | 'metadata'
>;

const NO_ARTIFACT: JsonObject = Object.freeze({});

function artifactUpdateOf(source: JsonObject): ArtifactUpdate {
  const update: WireUpdate = source;
  return {
    kind: 'artifact-update',
    taskId: idOf(update.taskId ?? update.task_id ?? update.id),
    contextId: idOf(update.contextId ?? update.context_id),
    artifact: artifactOf(isObject(update.artifact) ? update.artifact : NO_ARTIFACT),
    append: update.append === true,
    lastChunk: update.lastChunk === true,
    metadata: isObject(update.metadata) ? update.metadata : undefined,
    source,
  };
}

function statusUpdateOf(source: JsonObject): StatusUpdate {
  const update: WireUpdate = source;
  return {
    kind: 'status-update',
    taskId: idOf(update.taskId ?? update.task_id ?? update.id),
    contextId: idOf(update.contextId ?? update.context_id),
    status: readStatus(update.status),
    final: update.final === true,
    metadata: isObject(update.metadata) ? update.metadata : undefined,
    source,
  };
}
