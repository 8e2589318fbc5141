import { LIMITS } from '../../../core/limits.ts';
import type { AuditRecord } from '../../../core/request/audit-record.ts';
import type { Entry, ThreadStatus } from '../../../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../../../core/thread/ids.ts';
import { type Message, messageEntry } from '../../../core/thread/message.ts';
import type { Thread } from '../../../core/thread/thread.ts';
import type * as port from '../../../ports/store.ts';

/** The oracle: what every other store must answer. Keeps nothing beyond the process; use it for tests and the simulator. */
export function memoryStore(): port.Store {
  return new MemoryStore();
}

/** Values are kept as JSON, so that no caller can change what is stored. */
type Json = string;

interface StoredThread {
  readonly id: ThreadId;
  readonly binding: string;
  readonly platform: string;
  state: Json;
  status: ThreadStatus;
  revision: number;
  lease?: port.Lease;
  /** A map keeps the place of a key that is set again: the order of the timeline. */
  readonly entries: Map<EntryId, { readonly revision: number; readonly json: Json }>;
  readonly pending: Map<EntryId, { readonly withTurn: boolean; readonly json: Json }>;
  readonly places: string[];
  delivery?: { readonly revision: number; readonly json: Json };
}

interface FirstTime {
  readonly thread: ThreadId;
  readonly turnId?: TurnId;
}

/** Each method checks everything before it writes anything, and runs without a pause: that is its transaction. */
class MemoryStore implements port.Store {
  readonly #threads = new Map<ThreadId, StoredThread>();
  readonly #keys = new Map<string, FirstTime>();
  readonly #places = new Map<string, ThreadId>();
  readonly #threadsOf = new Map<EntryId, ThreadId>();
  readonly #audit: { readonly thread: ThreadId; readonly json: Json }[] = [];
  /** In the order in which they began to owe. */
  readonly #owing = new Set<ThreadId>();
  /** Of every platform, in the order in which they began to owe this. */
  readonly #undelivered = new Set<StoredThread>();
  #closed = false;

  async open(
    { id, binding, platform }: port.NewThread,
    message: Message,
    options: { key?: port.Key; place?: string } = {},
  ) {
    this.#mustBeOpen();
    const keys = namesOf(options.key, 'binding', binding);
    const repeated = this.#repeated(keys);
    if (repeated !== undefined) return repeated;
    const { place } = options;
    const there = place === undefined ? undefined : this.#threadAt(binding, place);
    if (there !== undefined) return this.#take(there, message, keys);
    if (this.#threads.has(id)) throw new Error('A thread with this id exists already.');
    const thread: StoredThread = {
      id,
      binding,
      platform,
      state: toJson({ id, binding } satisfies Thread),
      status: 'idle',
      revision: 0,
      entries: new Map(),
      pending: new Map(),
      places: [],
    };
    const accepted = this.#take(thread, message, keys);
    this.#threads.set(id, thread);
    if (place !== undefined) this.#putPlace(thread, place);
    return accepted;
  }

  async accept(id: ThreadId, message: Message, options: { key?: port.Key } = {}) {
    this.#mustBeOpen();
    const thread = this.#threads.get(id);
    if (thread === undefined) return { kind: 'missing' } as const;
    const keys = namesOf(options.key, 'thread', id);
    return this.#repeated(keys) ?? this.#take(thread, message, keys);
  }

  async claim(id: ThreadId, { owner, untilMs }: port.Lease, nowMs: number) {
    this.#mustBeOpen();
    const thread = this.#threads.get(id);
    if (thread === undefined) return { kind: 'missing' } as const;
    const { lease } = thread;
    if (lease !== undefined && lease.owner !== owner && lease.untilMs > nowMs) {
      return { kind: 'held', untilMs: lease.untilMs } as const;
    }
    thread.lease = { owner, untilMs };
    const { revision } = thread;
    return { kind: 'claimed', thread: fromJson<Thread>(thread.state), pending: messagesOf(thread), revision } as const;
  }

  async pending(id: ThreadId) {
    this.#mustBeOpen();
    const thread = this.#threads.get(id);
    return thread === undefined ? [] : messagesOf(thread);
  }

  async commit(commit: port.Commit) {
    this.#mustBeOpen();
    const state = toJson(commit.thread);
    const entries = commit.entries.map((entry) => ({ id: entry.id, json: toJson(entry) }));
    const audit = (commit.audit ?? []).map((record) => ({ thread: record.thread, json: toJson(record) }));
    const thread = this.#threads.get(commit.thread.id);
    if (thread === undefined || thread.lease?.owner !== commit.owner) return { kind: 'lost' } as const;
    const revision = ++thread.revision;
    thread.state = state;
    thread.status = commit.status;
    for (const { id, json } of entries) this.#put(thread, id, { revision, json });
    for (const id of commit.taken) thread.pending.delete(id);
    this.#audit.push(...audit);
    this.#account(thread, commit.owes);
    this.#accountDelivery(thread);
    return { kind: 'committed', revision } as const;
  }

  async extend({ owner, untilMs }: port.Lease) {
    this.#mustBeOpen();
    for (const thread of this.#threads.values()) {
      if (thread.lease?.owner === owner) thread.lease = { owner, untilMs };
    }
  }

  async release(id: ThreadId, owner: string) {
    this.#mustBeOpen();
    const thread = this.#threads.get(id);
    if (thread?.lease?.owner === owner) delete thread.lease;
  }

  async owing(limit: number) {
    this.#mustBeOpen();
    return [...this.#owing].slice(0, limit);
  }

  async timeline(id: ThreadId) {
    return this.changes(id, 0);
  }

  async changes(id: ThreadId, afterRevision: number): Promise<port.Timeline | undefined> {
    this.#mustBeOpen();
    const thread = this.#threads.get(id);
    if (thread === undefined) return undefined;
    const { binding, revision } = thread;
    const changed = [...thread.entries.values()].filter((entry) => entry.revision > afterRevision);
    const status = thread.status === 'idle' && hasTurn(thread) ? 'queued' : thread.status;
    return { id, binding, status, entries: changed.map(({ json }) => fromJson<Entry>(json)), revision };
  }

  async threadOf(entry: EntryId) {
    this.#mustBeOpen();
    return this.#threadsOf.get(entry);
  }

  async audit({ limit, before = Number.POSITIVE_INFINITY, thread }: port.AuditQuery) {
    this.#mustBeOpen();
    const numbered = this.#audit.map((kept, index) => ({ ...kept, number: index + 1 }));
    const asked = numbered.filter((kept) => kept.number < before && (thread === undefined || kept.thread === thread));
    const newest = asked.reverse().slice(0, limit);
    return newest.map(({ number, json }) => ({ ...fromJson<AuditRecord>(json), number }));
  }

  async threadAt(binding: string, place: string) {
    this.#mustBeOpen();
    return this.#threadAt(binding, place)?.id;
  }

  async addPlace(id: ThreadId, place: string) {
    this.#mustBeOpen();
    const thread = this.#mustBeThere(id);
    const there = this.#threadAt(thread.binding, place);
    if (there !== undefined) return there === thread ? 'added' : 'taken';
    this.#putPlace(thread, place);
    return 'added';
  }

  async placesOf(id: ThreadId) {
    this.#mustBeOpen();
    return [...(this.#threads.get(id)?.places ?? [])];
  }

  async delivery(id: ThreadId) {
    this.#mustBeOpen();
    const delivery = this.#threads.get(id)?.delivery;
    return delivery === undefined ? undefined : fromJson<port.Delivery>(delivery.json);
  }

  async deliver(id: ThreadId, delivery: port.Delivery) {
    this.#mustBeOpen();
    const json = toJson(delivery);
    const thread = this.#mustBeThere(id);
    thread.delivery = { revision: delivery.revision, json };
    this.#accountDelivery(thread);
  }

  async undelivered(platform: string, limit: number) {
    this.#mustBeOpen();
    const owed = [...this.#undelivered].filter((thread) => thread.platform === platform);
    return owed.slice(0, limit).map(({ id }) => id);
  }

  async close() {
    this.#closed = true;
  }

  #repeated(keys: readonly string[]) {
    const first = this.#keys.get(keys.find((key) => this.#keys.has(key)) ?? '');
    return first === undefined ? undefined : ({ kind: 'repeated', ...first } as const);
  }

  #threadAt(binding: string, place: string) {
    const id = this.#places.get(name(binding, place));
    return id === undefined ? undefined : this.#threads.get(id);
  }

  #putPlace({ id, binding, places }: StoredThread, place: string) {
    this.#places.set(name(binding, place), id);
    places.push(place);
  }

  #take(thread: StoredThread, message: Message, keys: readonly string[]): port.Accepted {
    const { id, turnId } = message;
    const withTurn = turnId !== undefined;
    const alike = [...thread.pending].filter(([, waiting]) => waiting.withTurn === withTurn);
    if (withTurn && alike.length >= LIMITS.pendingMessages) return { kind: 'full' };
    if (thread.entries.has(id)) throw new Error('An entry with this id exists already.');
    const [oldest] = alike;
    if (!withTurn && oldest && alike.length >= LIMITS.pendingAsides) thread.pending.delete(oldest[0]);
    const json = toJson(message);
    const entry = toJson(messageEntry(message));
    const revision = ++thread.revision;
    this.#put(thread, id, { revision, json: entry });
    thread.pending.set(id, { withTurn, json });
    this.#account(thread, this.#owing.has(thread.id));
    this.#accountDelivery(thread);
    const first: FirstTime = { thread: thread.id, ...(turnId === undefined ? {} : { turnId }) };
    for (const key of keys) this.#keys.set(key, first);
    return { kind: 'accepted', ...first, revision };
  }

  #put(thread: StoredThread, id: EntryId, entry: { readonly revision: number; readonly json: Json }) {
    thread.entries.set(id, entry);
    if (!this.#threadsOf.has(id)) this.#threadsOf.set(id, thread.id);
  }

  #account(thread: StoredThread, owes: boolean) {
    if (owes || hasTurn(thread)) this.#owing.add(thread.id);
    else this.#owing.delete(thread.id);
  }

  #accountDelivery(thread: StoredThread) {
    if (thread.revision > (thread.delivery?.revision ?? 0)) this.#undelivered.add(thread);
    else this.#undelivered.delete(thread);
  }

  #mustBeThere(id: ThreadId) {
    const thread = this.#threads.get(id);
    if (thread === undefined) throw new Error('There is no thread with this id.');
    return thread;
  }

  #mustBeOpen() {
    if (this.#closed) throw new Error('The store is closed.');
  }
}

function hasTurn({ pending }: StoredThread): boolean {
  return [...pending.values()].some(({ withTurn }) => withTurn);
}

function messagesOf({ pending }: StoredThread): readonly Message[] {
  return [...pending.values()].map(({ json }) => fromJson<Message>(json));
}

/** One string for several, which no other several give. */
function name(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

const namesOf = (key: port.Key = [], ...scope: string[]) => [key].flat().map((each) => name(...scope, each));

function toJson(value: Thread | Entry | Message | AuditRecord | port.Delivery): Json {
  try {
    return JSON.stringify(value);
  } catch {
    // The engine's own words would quote what is inside.
    throw new TypeError('Only plain JSON can be stored.');
  }
}

function fromJson<Value>(json: Json): Value {
  return JSON.parse(json);
}
