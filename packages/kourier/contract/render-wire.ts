import type { AgentEvent, AgentMessage, Artifact, Part, Status, TaskSnapshot } from '../src/core/reply/agent-event.ts';

export type WireVersion = '1.0' | '0.3';

type Json = Record<string, unknown>;

/** The core's words on one version of the wire, as a well-behaved agent would send them. */
export function renderEvent(event: AgentEvent, wire: WireVersion): Json {
  const modern = wire === '1.0';
  if (event.kind === 'task') return modern ? { task: renderTask(event.task, wire) } : renderTask(event.task, wire);
  if (event.kind === 'message') {
    const message = renderMessage(event.message, wire);
    return modern ? { message } : message;
  }
  const ids = { taskId: event.taskId, contextId: event.contextId };
  if (event.kind === 'status') {
    const status = renderStatus(event.status, wire);
    return modern
      ? { statusUpdate: { ...ids, status } }
      : { kind: 'status-update', ...ids, status, final: event.final };
  }
  const update = { ...ids, append: event.append, artifact: renderArtifact(event.artifact, wire) };
  return modern ? { artifactUpdate: update } : { kind: 'artifact-update', ...update };
}

export function renderTask({ id, contextId, status, artifacts, history }: TaskSnapshot, wire: WireVersion): Json {
  return {
    ...(wire === '0.3' ? { kind: 'task' } : {}),
    id,
    contextId,
    status: renderStatus(status, wire),
    artifacts: artifacts.map((artifact) => renderArtifact(artifact, wire)),
    history: history.map((message) => renderMessage(message, wire)),
  };
}

export function renderCard(wire: WireVersion, changes: Json = {}): Json {
  const common = {
    name: 'Contract agent',
    description: 'Answers what its script says.',
    version: '1.0.0',
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  };
  // Nothing is ever called there (rule D7).
  const url = 'http://127.0.0.1:9/elsewhere';
  const modern = { supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }] };
  return { ...common, ...(wire === '1.0' ? modern : { url, protocolVersion: '0.3.0' }), ...changes };
}

function renderStatus({ state, message, timestamp }: Status, wire: WireVersion): Json {
  return {
    state: wire === '1.0' ? `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}` : state,
    timestamp,
    ...(message === undefined ? {} : { message: renderMessage(message, wire) }),
  };
}

function renderArtifact({ artifactId, parts }: Artifact, wire: WireVersion): Json {
  return { artifactId, parts: parts.map((part) => renderPart(part, wire)) };
}

function renderMessage({ role, parts, extensions, ...rest }: AgentMessage, wire: WireVersion): Json {
  return {
    ...(wire === '0.3' ? { kind: 'message' } : {}),
    ...rest,
    ...(extensions.length === 0 ? {} : { extensions }),
    role: wire === '1.0' ? `ROLE_${role.toUpperCase()}` : role,
    parts: parts.map((part) => renderPart(part, wire)),
  };
}

function renderPart(part: Part, wire: WireVersion): Json {
  const old = wire === '0.3';
  if (part.kind === 'text') {
    const metadata = part.thought ? { metadata: { adk_thought: true } } : {};
    return { ...(old ? { kind: 'text' } : {}), text: part.text, ...metadata };
  }
  if (part.kind === 'data') return { ...(old ? { kind: 'data' } : {}), data: part.data, metadata: part.metadata };
  return old ? { kind: 'file', file: { uri: 'http://h/f' } } : { url: 'http://h/f', mediaType: 'text/plain' };
}
