import { frame } from '../../contract/http-agent.ts';
import { renderEvent, renderTask, type WireVersion } from '../../contract/render-wire.ts';
import type { AgentEvent, AgentMessage, Part, TaskSnapshot, TaskState } from '../../src/core/reply/agent-event.ts';
import type { ContextId, MessageId, TaskId } from '../../src/core/thread/ids.ts';

export const KIB = 1_024;
export const MIB = 1_024 * KIB;

const ids = { taskId: 'task' as TaskId, contextId: 'context' as ContextId };

export const text = (words: string): Part => ({ kind: 'text', text: words, thought: false });

export function tool(kind: 'call' | 'response', id: string, content: unknown, name = 'look'): Part {
  const data = { id, name, [kind === 'call' ? 'args' : 'response']: content };
  return { kind: 'data', data, metadata: { adk_type: `function_${kind}` } };
}

export const message = (parts: readonly Part[], role: 'agent' | 'user' = 'agent', id = ''): AgentMessage => ({
  role,
  parts,
  extensions: [],
  ...(id === '' ? {} : { messageId: id as MessageId }),
});

/** An agent's words on one wire, as frames of a stream. */
export function speaker(wire: WireVersion) {
  const say = (event: AgentEvent): string => frame(renderEvent(event, wire));
  const status = (state: TaskState, said?: AgentMessage) => ({ state, codes: [], ...(said && { message: said }) });
  const task = (state: TaskState, more: Partial<TaskSnapshot> = {}): TaskSnapshot => ({
    id: ids.taskId,
    contextId: ids.contextId,
    status: status(state),
    artifacts: [],
    history: [],
    ...more,
  });
  return {
    say,
    task: (state: TaskState, more: Partial<TaskSnapshot> = {}) => say({ kind: 'task', task: task(state, more) }),
    status: (state: TaskState, said?: AgentMessage) =>
      say({ kind: 'status', ...ids, status: status(state, said), final: state !== 'working' }),
    chunk: (parts: string | readonly Part[], { append = true, artifactId = 'answer' } = {}) =>
      say({
        ...{ kind: 'artifact', ...ids, append },
        artifact: { artifactId, parts: typeof parts === 'string' ? [text(parts)] : parts },
      }),
    message: (said: AgentMessage) => say({ kind: 'message', message: said }),
    /** Of GetTask and CancelTask: one JSON-RPC response. */
    result: (state: TaskState, more: Partial<TaskSnapshot> = {}) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: renderTask(task(state, more), wire) }),
  };
}

export function* times<Value>(count: number, make: (index: number) => Value): Generator<Value> {
  for (let index = 0; index < count; index += 1) yield make(index);
}

export function* forEver<Value>(make: (index: number) => Value): Generator<Value> {
  for (let index = 0; ; index += 1) yield make(index);
}

/** A JSON text of arrays in arrays. */
export const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
