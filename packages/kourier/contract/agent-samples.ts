import assert from 'node:assert/strict';
import type { AgentEvent, Status, StatusEvent, TaskSnapshot } from '../src/core/reply/agent-event.ts';
import type { ContextId, MessageId, TaskId } from '../src/core/thread/ids.ts';
import type { Timings } from '../src/core/timings.ts';
import type { Agent, CallOptions, Failure, StreamEnd } from '../src/ports/agent.ts';

export type AgentMethod = 'send' | 'subscribe' | 'get' | 'cancel' | 'list';

/** What the agent on the other side does with one call. */
export type Reply =
  /** Events, and then the stream ends cleanly, is lost, or stays open. */
  | { readonly kind: 'events'; readonly events: readonly AgentEvent[]; readonly then: 'end' | 'lose' | 'hold' }
  /** Events, and then a JSON-RPC error in the stream. */
  | { readonly kind: 'events-error'; readonly events: readonly AgentEvent[]; readonly code: number }
  | { readonly kind: 'task'; readonly task: TaskSnapshot }
  | { readonly kind: 'page'; readonly tasks: readonly TaskSnapshot[]; readonly next?: string }
  | { readonly kind: 'error'; readonly code: number; readonly retryAfterMs?: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfterSeconds?: number }
  /** The connection is lost before there are response headers. */
  | { readonly kind: 'lost' }
  /** There are never any. */
  | { readonly kind: 'silent' };

/** What an implementation of `Agent` brings for its contract: itself, and the agent on the other side. */
export interface AgentUnderTest {
  readonly agent: Agent;
  /** What the next calls of a method get, in order. */
  script(method: AgentMethod, ...replies: readonly Reply[]): void;
  /** How often the other side was asked. */
  asked(method: AgentMethod): number;
  close(): Promise<void>;
}

export interface AgentTraits {
  /** The other side has ListTasks (A2A 1.0). */
  readonly lists: boolean;
}

export type OpenAgent = (timings: Partial<Timings>) => Promise<AgentUnderTest>;

/** One test on an agent that is opened for it and closed after it. */
export type On = (what: string, body: (under: AgentUnderTest) => Promise<void>, timings?: Partial<Timings>) => void;

export const TASK = 'task-1' as TaskId;
export const CONTEXT = 'context-1' as ContextId;
export const MESSAGE = 'message-1' as MessageId;
export const OUTGOING = { messageId: MESSAGE, text: 'Hi' };

export const status = (state: Status['state']): Status => ({ state, codes: [] });
const ids = { taskId: TASK, contextId: CONTEXT };
export const working: StatusEvent = { kind: 'status', ...ids, status: status('working'), final: false };
export const chunk = (text: string): AgentEvent => ({
  kind: 'artifact',
  ...ids,
  append: true,
  artifact: { artifactId: 'a', parts: [{ kind: 'text', text, thought: false }] },
});
export const task: TaskSnapshot = {
  id: TASK,
  contextId: CONTEXT,
  status: { ...status('completed'), timestamp: '2026-01-01T00:00:00Z' },
  artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'Hi', thought: true }] }],
  history: [
    { messageId: MESSAGE, role: 'user', parts: [{ kind: 'text', text: 'Hi', thought: false }], extensions: [] },
  ],
};
export const events = (items: readonly AgentEvent[], then: 'end' | 'lose' | 'hold'): Reply => ({
  kind: 'events',
  events: items,
  then,
});

export const options = (signal = new AbortController().signal): CallOptions => ({
  signal,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
});

/** What a failure says to a program; that it says something to a person too is checked here. */
export function withoutWhy(end: StreamEnd | Failure | { readonly kind: string }): object {
  const { why, ...rest } = end as { why?: unknown; kind: string };
  if (end.kind !== 'closed') assert.equal(typeof why, 'string', 'a failure says why');
  return rest;
}
