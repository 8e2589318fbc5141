import { problemOf } from './problem.ts';
import type { Actor, AuditRecord, Binding, Given, Timeline } from './wire.ts';

/** A call without an answer by then counts as a lost connection. */
const CALL_TIMEOUT_MS = 30_000;

export interface NewMessage {
  readonly text: string;
  readonly actor: Actor;
  /** The same key again is the same turn, whatever became of the first call. */
  readonly idempotencyKey: string;
}

/** Throws a `Problem` when the server refuses, and fetch's own error when the connection is lost. */
async function call<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`/api/v1${path}`, {
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await problemOf(response);
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as Answer;
}

const threadPath = (thread: string): string => `/threads/${encodeURIComponent(thread)}`;

export async function listBindings(): Promise<readonly Binding[]> {
  return (await call<{ bindings: readonly Binding[] }>('/bindings')).bindings;
}

export function readThread(thread: string): Promise<Timeline> {
  return call<Timeline>(threadPath(thread));
}

export function startThread(binding: string, message: NewMessage): Promise<{ thread: string; turnId?: string }> {
  return call('/threads', { binding, ...message });
}

export function postMessage(thread: string, message: NewMessage): Promise<{ turnId?: string }> {
  return call(`${threadPath(thread)}/messages`, message);
}

export async function stopThread(thread: string, actor: Actor): Promise<void> {
  await call(`${threadPath(thread)}/stop`, { actor });
}

/** Safe to repeat: a request is decided once. */
export async function answerRequest(request: string, given: Given & { readonly actor: Actor }): Promise<void> {
  await call(`/requests/${encodeURIComponent(request)}/answer`, given);
}

/** The newest decisions of a thread. */
export async function readAudit(thread: string): Promise<readonly AuditRecord[]> {
  const query = new URLSearchParams({ thread, limit: '200' });
  return (await call<{ records: readonly AuditRecord[] }>(`/audit?${query}`)).records;
}

export function eventsUrl(thread: string): string {
  return `/api/v1${threadPath(thread)}/events`;
}
