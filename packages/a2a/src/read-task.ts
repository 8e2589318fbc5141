import { arrayOf, idOf, isObject, type JsonObject, type Loose, objectOf, textOf } from './json-value.ts';
import type { Artifact, Message, Task, TaskStatus } from './model.ts';
import { messageOf, readMessage } from './read-message.ts';
import { readParts } from './read-part.ts';
import { enumText, readState } from './read-state.ts';

type WireTask = Loose<'id' | 'taskId' | 'contextId' | 'context_id' | 'status' | 'artifacts' | 'history' | 'metadata'>;

/** The result of GetTask or CancelTask: a task, bare or wrapped. `undefined` when it is neither. */
export function readTask(value: unknown): Task | undefined {
  if (!isObject(value)) return undefined;
  const wrapped = value['task'];
  if (isObject(wrapped)) return taskOf(wrapped);
  return looksLikeTask(value) ? taskOf(value) : undefined;
}

/** A task has an id or a status; an empty object, or a message, is none. */
function looksLikeTask(value: WireTask & JsonObject): boolean {
  if (value['kind'] === 'message' || 'parts' in value) return false;
  return idOf(value.id) !== undefined || isObject(value.status);
}

export function taskOf(source: JsonObject): Task {
  const task: WireTask = source;
  return {
    id: idOf(task.id ?? task.taskId),
    contextId: idOf(task.contextId ?? task.context_id),
    status: readStatus(task.status),
    artifacts: readArtifacts(task.artifacts),
    history: readHistory(task.history),
    metadata: isObject(task.metadata) ? task.metadata : undefined,
    source,
  };
}

/** Some agents write the bare state where an object with `state` belongs. */
export function readStatus(value: unknown): TaskStatus {
  const status = objectOf<'state' | 'message' | 'timestamp'>(value) ?? { state: value };
  return {
    state: readState(status.state),
    stateText: enumText(status.state),
    message: readMessage(status.message),
    timestamp: textOf(status.timestamp),
  };
}

export function artifactOf(source: JsonObject): Artifact {
  const artifact: Loose<'artifactId' | 'artifact_id' | 'parts' | 'metadata'> = source;
  return {
    artifactId: idOf(artifact.artifactId ?? artifact.artifact_id) ?? '',
    parts: readParts(artifact.parts),
    metadata: isObject(artifact.metadata) ? artifact.metadata : undefined,
    source,
  };
}

function readArtifacts(value: unknown): readonly Artifact[] {
  const artifacts: Artifact[] = [];
  for (const item of arrayOf(value)) {
    if (isObject(item)) artifacts.push(artifactOf(item));
  }
  return artifacts;
}

function readHistory(value: unknown): readonly Message[] {
  const history: Message[] = [];
  for (const item of arrayOf(value)) {
    if (isObject(item)) history.push(messageOf(item));
  }
  return history;
}
