import type { AuditRecord } from '../src/core/request/audit-record.ts';
import type { AnswerEntry, Entry } from '../src/core/thread/entry.ts';
import type { ContextId, EntryId, MessageId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { Commit, Lease, NewThread, Store } from '../src/ports/store.ts';

/** One test on one fresh store. */
export type OnStore = (what: string, body: (store: Store) => Promise<void>) => void;

export const T1 = 'thread-1' as ThreadId;
export const T2 = 'thread-2' as ThreadId;
export const T3 = 'thread-3' as ThreadId;

export function entryId(id: string): EntryId {
  return id as EntryId;
}

export function turnId(id: string): TurnId {
  return id as TurnId;
}

/** Of platform `web`, unless it is another's. */
export function newThread(id: ThreadId, binding = 'ops', platform = 'web'): NewThread {
  return { id, binding, platform };
}

/** A person's message that starts the turn `turn-<id>`. */
export function message(id: string, more: Partial<Message> = {}): Message {
  return { ...aside(id), turnId: turnId(`turn-${id}`), ...more };
}

/** A person's message that starts no turn. */
export function aside(id: string): Message {
  return { id: entryId(id), actor: { id: 'u1', name: 'Ada' }, text: `text of ${id}`, atMs: 1_700_000_000_000 };
}

export function answer(id: string, text = `answer ${id}`): AnswerEntry {
  return { kind: 'answer', id: entryId(id), turnId: turnId('turn-m1'), text, streaming: false };
}

/** An approval of one tool in thread 1, with changes. */
export function auditRecord(request: string, more: Partial<AuditRecord> = {}): AuditRecord {
  return {
    atMs: 1_700_000_000_000,
    binding: 'ops',
    thread: T1,
    turn: turnId('turn-m1'),
    request: entryId(request),
    type: 'tool-approval',
    decision: 'approved',
    actor: { id: 'u1', name: 'Ada' },
    tools: [{ id: 'call-1', name: 'delete_pod', args: { pod: 'web-0', force: true } }],
    answers: [],
    approvals: [{ id: 'call-1', approved: true }],
    messageId: `answer-${request}` as MessageId,
    ...more,
  };
}

export function lease(owner: string, untilMs: number): Lease {
  return { owner, untilMs };
}

/** A commit of owner `a` to thread 1 that settles everything and writes nothing, with changes. */
export function commit(more: Partial<Commit> = {}): Commit {
  const thread = { id: T1, binding: 'ops', contextId: 'context-1' as ContextId };
  return { owner: 'a', thread, status: 'idle', owes: false, entries: [], taken: [], ...more };
}

/** Thread 1 of binding `ops` with message `m1`, claimed by owner `a` until 1,000. */
export async function openClaimed(store: Store): Promise<void> {
  await store.open(newThread(T1), message('m1'));
  await store.claim(T1, lease('a', 1_000), 0);
}

/** What stands in the timeline, in short. */
export async function idsIn(store: Store, thread: ThreadId = T1): Promise<readonly string[]> {
  return idsOf((await store.timeline(thread))?.entries ?? []);
}

export function idsOf(items: readonly (Entry | Message)[]): readonly string[] {
  return items.map(({ id }) => id);
}

/** Everything that a thread shows and keeps, to see that nothing of it changed. */
export async function everythingOf(store: Store, thread: ThreadId = T1): Promise<unknown> {
  return {
    timeline: await store.timeline(thread),
    pending: await store.pending(thread),
    owing: await store.owing(1_000),
    places: await store.placesOf(thread),
    delivery: await store.delivery(thread),
    undelivered: await store.undelivered('web', 1_000),
    audit: await store.audit({ limit: 1_000 }),
  };
}
