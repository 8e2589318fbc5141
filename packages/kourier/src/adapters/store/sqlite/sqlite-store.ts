import { resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { LIMITS } from '../../../core/limits.ts';
import type { AuditRecord } from '../../../core/request/audit-record.ts';
import type { Entry } from '../../../core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../../../core/thread/ids.ts';
import { type Message, messageEntry } from '../../../core/thread/message.ts';
import type { Thread } from '../../../core/thread/thread.ts';
import type * as port from '../../../ports/store.ts';
import { GroupCommit } from '../../sqlite/group-commit.ts';
import { openDatabase } from '../../sqlite/open-database.ts';
import { explain } from '../../sqlite/store-error.ts';
import { KOURIER_FILE } from './migrations/migrations.ts';
import { prepareStatements, type Statements, type ThreadRow } from './statements.ts';

/** A message that is repeated later than this is a new one. */
const KEY_AGE_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * One file, owned by one process: every write is on the disk before its promise resolves. `path` names the file; its
 * folder is made. Rejects with a `StoreError` that says what to do: a `StoreInUse` when another process has it open.
 */
export async function sqliteStore({ path }: { readonly path: string }): Promise<port.Store> {
  const file = resolve(path);
  return storeOn(openDatabase(file, KOURIER_FILE), file);
}

/** The store on a database that is open and up to date. The database is the store's from then on: it closes it. */
export function storeOn(db: Database, path: string): port.Store {
  try {
    return new SqliteStore(db, path);
  } catch (error) {
    db.close();
    throw explain(error, path);
  }
}

/** A message as it is written. Made when it is asked for, so that no caller can change it on its way. */
interface Letter {
  readonly id: EntryId;
  readonly turnId: TurnId | undefined;
  readonly atMs: number;
  readonly entry: string;
  readonly message: string;
  /** Each names it within the scope. */
  readonly keys: ReadonlySet<string>;
  readonly scope: string;
}

class SqliteStore implements port.Store {
  readonly #db: Database;
  readonly #path: string;
  readonly #sql: Statements;
  readonly #writes: GroupCommit;
  #closed = false;

  constructor(db: Database, path: string) {
    this.#db = db;
    this.#path = path;
    this.#sql = prepareStatements(db);
    this.#writes = new GroupCommit(db, (error) => explain(error, path));
    this.#sql.pruneKeys.run(KEY_AGE_MS);
  }

  async open(thread: port.NewThread, message: Message, { key, place }: { key?: port.Key; place?: string } = {}) {
    const letter = letterOf(message, `binding ${thread.binding}`, key);
    const { id, binding, platform } = thread;
    return this.#write(() => {
      const repeated = this.#repeated(letter);
      if (repeated !== undefined) return repeated;
      const there = place === undefined ? undefined : this.#sql.threadAt.get(binding, place);
      if (there !== undefined) return this.#take(there, letter);
      const number = Number(this.#sql.addThread.run(id, binding).lastInsertRowid);
      this.#sql.addDelivery.run(number, platform);
      if (place !== undefined) this.#sql.addPlace.run(number, binding, place);
      return this.#take({ number, id, revision: 0 }, letter);
    });
  }

  async accept(id: ThreadId, message: Message, { key }: { key?: port.Key } = {}) {
    const letter = letterOf(message, `thread ${id}`, key);
    return this.#write(() => {
      const thread = this.#sql.thread.get(id);
      if (thread === undefined) return { kind: 'missing' } as const;
      return this.#repeated(letter) ?? this.#take(thread, letter);
    });
  }

  async claim(id: ThreadId, { owner, untilMs }: port.Lease, nowMs: number) {
    return this.#write(() => {
      const row = this.#sql.thread.get(id);
      if (row === undefined) return { kind: 'missing' } as const;
      const { number, binding, revision } = row;
      const lease = this.#sql.lease.get(number);
      if (lease !== undefined && lease.owner !== owner && lease.untilMs > nowMs) {
        return { kind: 'held', untilMs: lease.untilMs } as const;
      }
      this.#sql.takeLease.run(number, owner, untilMs);
      const state = this.#sql.state.get(number);
      const thread: Thread = typeof state === 'string' ? fromJson(state) : { id, binding };
      return { kind: 'claimed', thread, pending: this.#messages(number), revision } as const;
    });
  }

  async pending(id: ThreadId) {
    return this.#read(() => {
      const thread = this.#sql.thread.get(id);
      return thread === undefined ? [] : this.#messages(thread.number);
    });
  }

  async commit({ owner, thread, status, owes, entries, taken, audit = [] }: port.Commit) {
    const { id } = thread;
    const state = toJson(thread);
    const written = entries.map((entry) => ({ id: entry.id, json: toJson(entry) }));
    const done = [...taken];
    const decided = audit.map((record) => ({ thread: record.thread, json: toJson(record) }));
    return this.#write(() => {
      const held = this.#sql.held.get(id, owner);
      if (held === undefined) return { kind: 'lost' } as const;
      const revision = held.revision + 1;
      for (const entry of written) this.#sql.putEntry.run(held.number, entry.id, revision, entry.json);
      for (const message of done) this.#sql.takePending.run(held.number, message);
      for (const record of decided) this.#sql.addAudit.run(record.thread, record.json);
      this.#sql.writeThread.run(revision, status, state, owes ? 1 : 0, held.number);
      this.#sql.oweDelivery.run(held.number, revision);
      return { kind: 'committed', revision } as const;
    });
  }

  async extend({ owner, untilMs }: port.Lease) {
    await this.#write(() => this.#sql.extendLeases.run(untilMs, owner));
  }

  async release(id: ThreadId, owner: string) {
    await this.#write(() => this.#sql.dropLease.run(id, owner));
  }

  async owing(limit: number) {
    return this.#read(() => this.#sql.owing.all(limit));
  }

  async timeline(id: ThreadId) {
    return this.changes(id, 0);
  }

  async changes(id: ThreadId, afterRevision: number) {
    return this.#read((): port.Timeline | undefined => {
      const thread = this.#sql.thread.get(id);
      if (thread === undefined) return undefined;
      const { number, binding, revision, queued } = thread;
      const status = thread.status === 'idle' && queued ? 'queued' : thread.status;
      const entries = this.#sql.entries.all(number, afterRevision).map((json) => fromJson<Entry>(json));
      return { id, binding, status, entries, revision };
    });
  }

  async threadOf(entry: EntryId) {
    return this.#read(() => this.#sql.threadOf.get(entry));
  }

  async audit({ limit, before = Number.MAX_SAFE_INTEGER, thread }: port.AuditQuery) {
    return this.#read(() => {
      const { audit, auditOf } = this.#sql;
      const rows = thread === undefined ? audit.all(before, limit) : auditOf.all(thread, before, limit);
      return rows.map(({ number, json }) => ({ ...fromJson<AuditRecord>(json), number }));
    });
  }

  async threadAt(binding: string, place: string) {
    return this.#read(() => this.#sql.threadAt.get(binding, place)?.id);
  }

  async addPlace(id: ThreadId, place: string) {
    return this.#write(() => {
      const { number, binding } = this.#mustBeThere(id);
      const there = this.#sql.threadAt.get(binding, place);
      if (there !== undefined) return there.number === number ? 'added' : 'taken';
      this.#sql.addPlace.run(number, binding, place);
      return 'added';
    });
  }

  async placesOf(id: ThreadId) {
    return this.#read(() => this.#sql.placesOf.all(id));
  }

  async delivery(id: ThreadId) {
    return this.#read(() => {
      const json = this.#sql.delivery.get(id);
      return typeof json === 'string' ? fromJson<port.Delivery>(json) : undefined;
    });
  }

  async deliver(id: ThreadId, delivery: port.Delivery) {
    const json = toJson(delivery);
    const { revision: delivered } = delivery;
    await this.#write(() => {
      const { number: thread, revision: upTo } = this.#mustBeThere(id);
      this.#sql.deliver.run({ thread, upTo, delivered, json });
    });
  }

  async undelivered(platform: string, limit: number) {
    return this.#read(() => this.#sql.undelivered.all(platform, limit));
  }

  async close() {
    if (this.#closed) return;
    this.#closed = true;
    this.#writes.drain();
    this.#db.close();
  }

  #repeated({ scope, keys }: Letter) {
    for (const key of keys) {
      const first = this.#sql.firstTime.get(scope, key);
      if (first !== undefined) return { kind: 'repeated', thread: first.thread, ...turnOf(first.turnId) } as const;
    }
    return undefined;
  }

  #take({ number, id, revision }: { number: number; id: ThreadId; revision: number }, letter: Letter): port.Accepted {
    const { turnId, scope, keys } = letter;
    const withTurn = turnId === undefined ? 0 : 1;
    const waiting = this.#sql.countPending.get(number, withTurn) ?? 0;
    if (withTurn && waiting >= LIMITS.pendingMessages) return { kind: 'full' };
    if (!withTurn && waiting >= LIMITS.pendingAsides) this.#sql.dropAside.run(number);
    const next = revision + 1;
    this.#sql.addEntry.run(number, letter.id, next, letter.entry);
    this.#sql.addPending.run(number, letter.id, withTurn, letter.message);
    this.#sql.writeMessage.run(next, withTurn, number);
    this.#sql.oweDelivery.run(number, next);
    for (const key of keys) this.#sql.addKey.run(scope, key, number, turnId ?? null, letter.atMs);
    return { kind: 'accepted', thread: id, ...turnOf(turnId), revision: next };
  }

  #messages(number: number): readonly Message[] {
    return this.#sql.pending.all(number).map((json) => fromJson<Message>(json));
  }

  #write<Value>(work: () => Value): Promise<Value> {
    this.#mustBeOpen();
    return this.#writes.run(work);
  }

  #read<Value>(work: () => Value): Value {
    this.#mustBeOpen();
    try {
      return work();
    } catch (error) {
      throw explain(error, this.#path);
    }
  }

  #mustBeThere(id: ThreadId): ThreadRow {
    const thread = this.#sql.thread.get(id);
    if (thread === undefined) throw new Error('There is no thread with this id.');
    return thread;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }
}

function letterOf(message: Message, scope: string, key: port.Key = []): Letter {
  return {
    id: message.id,
    turnId: message.turnId,
    atMs: message.atMs,
    entry: toJson(messageEntry(message)),
    message: toJson(message),
    keys: new Set(typeof key === 'string' ? [key] : key),
    scope,
  };
}

function turnOf(turnId: TurnId | null | undefined): { readonly turnId?: TurnId } {
  return turnId === null || turnId === undefined ? {} : { turnId };
}

function toJson(value: Thread | Entry | Message | AuditRecord | port.Delivery): string {
  try {
    return JSON.stringify(value);
  } catch {
    // The engine's own words would quote what is inside.
    throw new TypeError('Only plain JSON can be stored.');
  }
}

function fromJson<Value>(json: string): Value {
  return JSON.parse(json);
}
