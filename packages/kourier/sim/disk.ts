import { LIMITS } from '../src/core/limits.ts';
import type { Entry, ThreadStatus } from '../src/core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import { type Message, messageEntry } from '../src/core/thread/message.ts';
import type { Thread } from '../src/core/thread/thread.ts';
import type {
  Accepted,
  AuditQuery,
  Claim,
  Commit,
  Committed,
  Delivery,
  Held,
  Key,
  Lease,
  Lost,
  Missing,
  NewThread,
  NumberedAuditRecord,
  Timeline,
} from '../src/ports/store.ts';

/** What the auditor sees of the disk: every write, at the moment at which it is durable. */
export interface DiskWatcher {
  accepted(thread: ThreadId, binding: string, message: Message): void;
  claimed(thread: ThreadId, owner: string): void;
  released(thread: ThreadId): void;
  committed(commit: Commit, revision: number): void;
}

interface Row {
  readonly id: ThreadId;
  readonly binding: string;
  readonly platform: string;
  thread: Thread;
  status: ThreadStatus;
  owes: boolean;
  /** When its debt began, in the order of debts. */
  debt: number | undefined;
  revision: number;
  lease: Lease | undefined;
  readonly timeline: { readonly id: EntryId; entry: Entry; revision: number }[];
  pending: Message[];
  readonly places: string[];
  delivery: Delivery | undefined;
  /** When the debt of its delivery began, in the order of debts. */
  undelivered: number | undefined;
}

/** What survives every crash. Each method is one transaction, done or not done; slowness and loss are the sim store's. */
export class Disk {
  readonly #rows = new Map<ThreadId, Row>();
  readonly #firstTimes = new Map<string, { readonly thread: ThreadId; readonly turnId?: TurnId }>();
  readonly #places = new Map<string, ThreadId>();
  readonly #audit: NumberedAuditRecord[] = [];
  readonly watchers: Partial<DiskWatcher>[] = [];
  #debts = 0;
  /** Planted: a commit is taken whoever holds the lease. */
  fenced = true;
  /** Planted: the same of a delivery. */
  deliveriesFenced = true;

  open({ id, binding, platform }: NewThread, message: Message, options: { key?: Key; place?: string }): Accepted {
    const keys = namesOf(options.key, 'open', binding);
    const { place } = options;
    const first = this.#firstTime(keys);
    if (first) return { kind: 'repeated', ...first };
    const at = place === undefined ? undefined : this.threadAt(binding, place);
    const there = at === undefined ? undefined : this.#rows.get(at);
    if (there) return this.#take(there, message, keys);
    if (this.#rows.has(id)) throw new Error('There is a thread with this id.');
    const row: Row = {
      ...{ id, binding, platform, thread: { id, binding }, status: 'idle', owes: false, debt: undefined, revision: 0 },
      ...{ lease: undefined, timeline: [], pending: [], places: [], delivery: undefined, undelivered: undefined },
    };
    this.#rows.set(id, row);
    if (place !== undefined) this.#putPlace(row, place);
    return this.#take(row, message, keys);
  }

  accept(id: ThreadId, message: Message, options: { key?: Key }): Accepted | Missing {
    const row = this.#rows.get(id);
    if (!row) return { kind: 'missing' };
    const keys = namesOf(options.key, 'accept', id);
    const first = this.#firstTime(keys);
    return first ? { kind: 'repeated', ...first } : this.#take(row, message, keys);
  }

  claim(id: ThreadId, lease: Lease, nowMs: number): Claim | Held | Missing {
    const row = this.#rows.get(id);
    if (!row) return { kind: 'missing' };
    const { lease: held } = row;
    if (held && held.owner !== lease.owner && held.untilMs > nowMs) return { kind: 'held', untilMs: held.untilMs };
    row.lease = lease;
    for (const watcher of this.watchers) watcher.claimed?.(id, lease.owner);
    return { kind: 'claimed', thread: copy(row.thread), pending: row.pending.map(copy), revision: row.revision };
  }

  pending(id: ThreadId): readonly Message[] {
    return (this.#rows.get(id)?.pending ?? []).map(copy);
  }

  commit(commit: Commit): Committed | Lost {
    const row = this.#rows.get(commit.thread.id);
    if (!row || (this.fenced && row.lease?.owner !== commit.owner)) return { kind: 'lost' };
    const revision = ++row.revision;
    row.thread = commit.thread;
    row.status = commit.status;
    row.owes = commit.owes;
    for (const entry of commit.entries) this.#write(row, entry, revision);
    row.pending = row.pending.filter(({ id }) => !commit.taken.includes(id));
    for (const record of commit.audit ?? []) this.#audit.push({ ...record, number: this.#audit.length + 1 });
    this.#account(row);
    this.#accountDelivery(row);
    for (const watcher of this.watchers) watcher.committed?.(commit, revision);
    return { kind: 'committed', revision };
  }

  extend({ owner, untilMs }: Lease): void {
    for (const row of this.#rows.values()) if (row.lease?.owner === owner) row.lease = { owner, untilMs };
  }

  release(id: ThreadId, owner: string): void {
    const row = this.#rows.get(id);
    if (row?.lease?.owner !== owner) return;
    row.lease = undefined;
    for (const watcher of this.watchers) watcher.released?.(id);
  }

  owing(limit: number): readonly ThreadId[] {
    const owing = [...this.#rows.values()].filter(({ debt }) => debt !== undefined);
    owing.sort((one, other) => (one.debt ?? 0) - (other.debt ?? 0));
    return owing.slice(0, limit).map(({ id }) => id);
  }

  changes(id: ThreadId, afterRevision: number): Timeline | undefined {
    const row = this.#rows.get(id);
    if (!row) return undefined;
    const status = row.status === 'idle' && hasTurn(row) ? 'queued' : row.status;
    const changed = row.timeline.filter(({ revision }) => revision > afterRevision);
    return {
      id,
      binding: row.binding,
      status,
      entries: changed.map(({ entry }) => copy(entry)),
      revision: row.revision,
    };
  }

  threadOf(entry: EntryId): ThreadId | undefined {
    return [...this.#rows.values()].find(({ timeline }) => timeline.some(({ id }) => id === entry))?.id;
  }

  audit({ limit, before = Number.POSITIVE_INFINITY, thread }: AuditQuery): readonly NumberedAuditRecord[] {
    const asked = this.#audit.filter(
      (record) => record.number < before && (thread === undefined || record.thread === thread),
    );
    return asked.reverse().slice(0, limit).map(copy);
  }

  threadAt(binding: string, place: string): ThreadId | undefined {
    return this.#places.get(JSON.stringify([binding, place]));
  }

  addPlace(id: ThreadId, place: string): 'added' | 'taken' {
    const row = this.#mustBeThere(id);
    const there = this.threadAt(row.binding, place);
    if (there === undefined) this.#putPlace(row, place);
    return there === undefined || there === id ? 'added' : 'taken';
  }

  placesOf(id: ThreadId): readonly string[] {
    return [...(this.#rows.get(id)?.places ?? [])];
  }

  delivery(id: ThreadId): Delivery | undefined {
    const delivery = this.#rows.get(id)?.delivery;
    return delivery && copy(delivery);
  }

  deliver(id: ThreadId, delivery: Delivery): void {
    const row = this.#mustBeThere(id);
    row.delivery = delivery;
    this.#accountDelivery(row);
  }

  /** If the thread is the owner's, by the rule of a commit. */
  deliverAs(owner: string, id: ThreadId, delivery: Delivery): 'delivered' | 'lost' {
    if (this.deliveriesFenced && this.#rows.get(id)?.lease?.owner !== owner) return 'lost';
    this.deliver(id, delivery);
    return 'delivered';
  }

  undelivered(platform: string, limit: number): readonly ThreadId[] {
    const rows = [...this.#rows.values()].filter((row) => row.platform === platform && row.undelivered !== undefined);
    rows.sort((one, other) => (one.undelivered ?? 0) - (other.undelivered ?? 0));
    return rows.slice(0, limit).map(({ id }) => id);
  }

  /** For the auditor, which looks at the disk itself. */
  look(id: ThreadId): Readonly<Row> | undefined {
    return this.#rows.get(id);
  }

  threads(): Iterable<Readonly<Row>> {
    return this.#rows.values();
  }

  #firstTime(keys: readonly string[]) {
    return this.#firstTimes.get(keys.find((key) => this.#firstTimes.has(key)) ?? '');
  }

  #take(row: Row, message: Message, keys: readonly string[]): Accepted {
    const isAside = message.turnId === undefined;
    const alike = row.pending.filter(({ turnId }) => (turnId === undefined) === isAside);
    if (!isAside && alike.length >= LIMITS.pendingMessages) return { kind: 'full' };
    if (row.timeline.some(({ id }) => id === message.id)) throw new Error('There is an entry with this id.');
    const revision = ++row.revision;
    this.#write(row, messageEntry(message), revision);
    if (isAside && alike.length >= LIMITS.pendingAsides)
      row.pending = row.pending.filter((other) => other !== alike[0]);
    row.pending.push(message);
    this.#account(row);
    this.#accountDelivery(row);
    const first = { thread: row.id, ...(message.turnId === undefined ? {} : { turnId: message.turnId }) };
    for (const key of keys) this.#firstTimes.set(key, first);
    for (const watcher of this.watchers) watcher.accepted?.(row.id, row.binding, message);
    return { kind: 'accepted', ...first, revision };
  }

  #write({ timeline }: Row, entry: Entry, revision: number): void {
    const known = timeline.find(({ id }) => id === entry.id);
    if (known) Object.assign(known, { entry, revision });
    else timeline.push({ id: entry.id, entry, revision });
  }

  #account(row: Row): void {
    if (!row.owes && !hasTurn(row)) row.debt = undefined;
    else row.debt ??= ++this.#debts;
  }

  #accountDelivery(row: Row): void {
    if (row.revision <= (row.delivery?.revision ?? 0)) row.undelivered = undefined;
    else row.undelivered ??= ++this.#debts;
  }

  #putPlace({ id, binding, places }: Row, place: string): void {
    this.#places.set(JSON.stringify([binding, place]), id);
    places.push(place);
  }

  #mustBeThere(id: ThreadId): Row {
    const row = this.#rows.get(id);
    if (!row) throw new Error('There is no thread with this id.');
    return row;
  }
}

const hasTurn = ({ pending }: Row): boolean => pending.some(({ turnId }) => turnId !== undefined);

/** What goes over the border of the disk is a copy, so that nobody can change what is written. */
export function copy<Value>(value: Value): Value {
  try {
    return JSON.parse(JSON.stringify(value)) as Value;
  } catch {
    throw new TypeError('Only plain JSON is durable.');
  }
}

const namesOf = (key: Key = [], ...scope: readonly string[]): readonly string[] =>
  [key].flat().map((each) => JSON.stringify([...scope, each]));
