import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import {
  isRunning,
  type StreamResult,
  type WireArtifact,
  type WireMessage,
  type WirePart,
  type WireState,
  type WireStatus,
  type WireTask,
} from '../../task/wire.ts';
import type { Moment } from '../format.ts';
import { printPushConfig } from './push-config.ts';
import { WRAPPED_VALUE_KEY } from './read-message.ts';

/** The JSON of A2A 0.3 over JSON-RPC: every object has its `kind`, states and roles are in small letters. */
export function printTask({ status, artifacts, history, ...rest }: WireTask): JsonObject {
  return {
    kind: 'task',
    ...rest,
    status: printStatus(status),
    ...(artifacts === undefined ? {} : { artifacts: artifacts.map(printArtifact) }),
    ...(history === undefined ? {} : { history: history.map(printMessage) }),
  };
}

export function printEvent(event: StreamResult): JsonObject {
  if ('task' in event) return printTask(event.task);
  if ('statusUpdate' in event) {
    const { status, ...ids } = event.statusUpdate;
    return { kind: 'status-update', ...ids, status: printStatus(status), final: !isRunning(status.state) };
  }
  const { artifact, ...rest } = event.artifactUpdate;
  return { kind: 'artifact-update', ...rest, artifact: printArtifact(artifact) };
}

/**
 * The events of a 0.3 stream for one of 1.0. Clients of 0.3 stop reading at the status that is `final`, and there are
 * some that break when they are told a whole task twice. So the status that settles a task comes last, in the place of
 * the whole task, and who was behind is told the artifacts instead.
 */
export function eventsOf(event: StreamResult, moment: Moment): readonly StreamResult[] {
  if ('statusUpdate' in event) return isRunning(event.statusUpdate.status.state) ? [event] : [];
  if (!('task' in event)) return [event];
  const { id: taskId, contextId, status, artifacts = [] } = event.task;
  const statusUpdate = { taskId, contextId, status };
  if (moment === 'start') return isRunning(status.state) ? [event] : [event, { statusUpdate }];
  if (moment === 'end') return [{ statusUpdate }];
  const whole = artifacts.map((artifact) => ({ artifactUpdate: { taskId, contextId, artifact, append: false } }));
  return [...whole, { statusUpdate }];
}

function printMessage(message: WireMessage): JsonObject {
  const { role, parts, ...rest } = message as Record<string, unknown>;
  return {
    kind: 'message',
    ...rest,
    role: role === 'ROLE_AGENT' ? 'agent' : 'user',
    parts: (parts as readonly WirePart[]).map(printPart),
  };
}

/** What a push configuration is called in 0.3. */
export const printTaskPushConfig = ({ taskId, ...config }: Record<string, unknown>): JsonObject => ({
  taskId,
  pushNotificationConfig: printPushConfig(config),
});

function printStatus({ state, message, ...rest }: WireStatus): JsonObject {
  return {
    state: printState(state),
    ...rest,
    ...(message === undefined ? {} : { message: printMessage(message) }),
  };
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
function printState(state: WireState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replaceAll('_', '-');
}

const printArtifact = ({ parts, ...rest }: WireArtifact): JsonObject => ({ ...rest, parts: parts.map(printPart) });

function printPart(part: WirePart): JsonObject {
  const { metadata } = part;
  const common = metadata === undefined ? {} : { metadata };
  if ('text' in part) return { kind: 'text', text: part.text, ...common };
  if (!('data' in part)) return { kind: 'file', file: printFile(part), ...common };
  if (isObject(part.data)) return { kind: 'data', data: part.data, ...common };
  return { kind: 'data', data: { value: part.data }, metadata: { ...metadata, [WRAPPED_VALUE_KEY]: true } };
}

function printFile(part: Extract<WirePart, { url: string } | { raw: string }>): JsonObject {
  const { mediaType, filename } = part;
  return {
    ...('url' in part ? { uri: part.url } : { bytes: part.raw }),
    ...(mediaType === undefined ? {} : { mimeType: mediaType }),
    ...(filename === undefined ? {} : { name: filename }),
  };
}
