import { isWithinDepth, type JsonObject } from '@agentkourier/a2a/json-value';
import type * as wire from '@agentkourier/a2a/model';
import { LIMITS } from '../../../core/limits.ts';
import type {
  AgentEvent,
  AgentMessage,
  Artifact,
  ArtifactEvent,
  Part,
  Status,
  TaskSnapshot,
} from '../../../core/reply/agent-event.ts';
import type { ContextId, MessageId, TaskId } from '../../../core/thread/ids.ts';

/** From either version of the wire to the core's words. */
export function toAgentEvent(event: wire.StreamEvent): AgentEvent {
  switch (event.kind) {
    case 'artifact-update':
      return artifactEvent(event);
    case 'status-update': {
      const status = toStatus(event.status, event.metadata);
      return { kind: 'status', ...idsOf(event.taskId, event.contextId), status, final: event.final };
    }
    case 'task':
      return { kind: 'task', task: toSnapshot(event.task) };
    case 'message':
      return { kind: 'message', message: toMessage(event.message) };
  }
}

export function toSnapshot(task: wire.Task): TaskSnapshot {
  const { taskId, contextId } = idsOf(task.id, task.contextId);
  return {
    ...(taskId === undefined ? {} : { id: taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    status: toStatus(task.status, task.metadata),
    artifacts: task.artifacts.map(toArtifact),
    history: task.history.map(toMessage),
  };
}

/** The hot path: one event for each token of an answer. */
function artifactEvent({ taskId, contextId, append, artifact }: wire.ArtifactUpdate): ArtifactEvent {
  const read = toArtifact(artifact);
  if (isId(taskId) && isId(contextId)) {
    return {
      kind: 'artifact',
      taskId: taskId as TaskId,
      contextId: contextId as ContextId,
      append,
      artifact: read,
    };
  }
  return { kind: 'artifact', ...idsOf(taskId, contextId), append, artifact: read };
}

function toArtifact({ artifactId, parts }: wire.Artifact): Artifact {
  return { artifactId: isId(artifactId) ? artifactId : '', parts: parts.map(toPart) };
}

/**
 * Text whose part ADK marks as partial stands in an artifact that each piece replaces and that is emptied at the end,
 * without a text part; the whole text comes in another one. So it is no answer, or its last piece would stay.
 */
function toPart(part: wire.Part): Part {
  if (part.kind === 'text') {
    if (part.metadata?.['adk_partial'] === true) return OTHER;
    return { kind: 'text', text: part.text, thought: part.metadata !== undefined && isThought(part.metadata) };
  }
  if (part.kind !== 'data' || !isWithinDepth(part.data, LIMITS.jsonDepth)) return OTHER;
  if (part.metadata === undefined) return { kind: 'data', data: part.data };
  if (!isWithinDepth(part.metadata, LIMITS.jsonDepth)) return OTHER;
  return { kind: 'data', data: part.data, metadata: part.metadata };
}

const OTHER: Part = Object.freeze({ kind: 'other' });

/** Decision 11. */
function isThought(metadata: JsonObject): boolean {
  return metadata['adk_thought'] === true || metadata['kagent_thought'] === true || metadata['thought'] === true;
}

function toMessage(message: wire.Message): AgentMessage {
  const { messageId, metadata } = message;
  return {
    ...(isId(messageId) ? { messageId: messageId as MessageId } : {}),
    role: roleOf(message),
    ...idsOf(message.taskId, message.contextId),
    parts: message.parts.map(toPart),
    extensions: message.extensions,
    ...(metadata !== undefined && isWithinDepth(metadata, LIMITS.jsonDepth) ? { metadata } : {}),
  };
}

/** Whoever leaves the role out is the agent that we called; a role that we do not know is nobody's answer (rule R10). */
function roleOf({ role, roleText }: wire.Message): AgentMessage['role'] {
  if (role === 'unknown') return roleText === '' ? 'agent' : 'user';
  return role;
}

function toStatus(status: wire.TaskStatus, metadata: JsonObject | undefined): Status {
  const { state, message, timestamp } = status;
  return {
    state,
    ...(message === undefined ? {} : { message: toMessage(message) }),
    ...(isId(timestamp) ? { timestamp } : {}),
    codes: codesOf(message?.metadata, metadata),
  };
}

const CODE_KEYS = ['code', 'error_code', 'kagent_error_code'] as const;
const NO_CODES: readonly string[] = Object.freeze([]);

/** Where a failure's code may stand (rule E8): of the status message, then of the update or task. */
function codesOf(...sources: readonly (JsonObject | undefined)[]): readonly string[] {
  let codes: string[] | undefined;
  for (const metadata of sources) {
    if (metadata === undefined) continue;
    for (const key of CODE_KEYS) {
      const value = metadata[key];
      const code = typeof value === 'number' ? String(value) : value;
      if (isId(code)) {
        codes ??= [];
        codes.push(code);
      }
    }
  }
  return codes ?? NO_CODES;
}

interface Ids {
  readonly taskId?: TaskId;
  readonly contextId?: ContextId;
}

function idsOf(taskId: string | undefined, contextId: string | undefined): Ids {
  return {
    ...(isId(taskId) ? { taskId: taskId as TaskId } : {}),
    ...(isId(contextId) ? { contextId: contextId as ContextId } : {}),
  };
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LIMITS.idCharacters;
}
