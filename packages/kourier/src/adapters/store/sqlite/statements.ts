import type { Database } from 'better-sqlite3';
import type { ThreadStatus } from '../../../core/thread/entry.ts';
import type { ThreadId, TurnId } from '../../../core/thread/ids.ts';

export interface ThreadRow {
  readonly number: number;
  readonly id: ThreadId;
  readonly binding: string;
  readonly status: ThreadStatus;
  readonly revision: number;
  /** 1 while a message with a turn is pending. */
  readonly queued: 0 | 1;
}

interface LeaseRow {
  readonly owner: string;
  readonly untilMs: number;
}

interface AuditRow {
  readonly number: number;
  readonly json: string;
}

interface FirstTimeRow {
  readonly thread: ThreadId;
  readonly turnId: TurnId | null;
}

/**
 * Leases stand in a temporary table: they go with the process, as the lock of the file does, and yet belong to the
 * same transactions. They cost no wait for the disk.
 */
const LEASES = `
CREATE TEMP TABLE leases (
  thread INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  until_ms REAL NOT NULL
) STRICT;
CREATE INDEX temp.leases_by_owner ON leases (owner);
`;

const QUEUED = 'EXISTS (SELECT 1 FROM pending WHERE pending.thread = threads.number AND with_turn)';
const THREAD = `SELECT number, id, binding, status, revision, ${QUEUED} AS queued FROM threads`;
const NEXT_DEBT = '(SELECT coalesce(max(owing_since), 0) + 1 FROM threads WHERE owing_since IS NOT NULL)';

/** After all that this platform is owed. */
const NEXT_DELIVERY = `(SELECT coalesce(max(owed.owed_since), 0) + 1 FROM deliveries AS owed
  WHERE owed.platform = deliveries.platform AND owed.owed_since IS NOT NULL)`;

export type Statements = ReturnType<typeof prepareStatements>;

/** Everything that is asked of the database, prepared once. */
export function prepareStatements(db: Database) {
  db.exec(LEASES);
  return {
    ...threadStatements(db),
    ...messageStatements(db),
    ...leaseStatements(db),
    ...auditStatements(db),
    ...placeStatements(db),
    ...deliveryStatements(db),
  };
}

function threadStatements(db: Database) {
  return {
    thread: db.prepare<[id: string], ThreadRow>(`${THREAD} WHERE id = ?`),
    addThread: db.prepare<[id: string, binding: string]>(
      "INSERT INTO threads (id, binding, status, revision) VALUES (?, ?, 'idle', 0)",
    ),
    state: db.prepare<[thread: number], string | null>('SELECT state FROM threads WHERE number = ?').pluck(),
    writeThread: db.prepare<[revision: number, status: string, state: string, owes: 0 | 1, thread: number]>(
      `UPDATE threads SET revision = ?, status = ?, state = ?,
        owing_since = CASE WHEN ? OR ${QUEUED} THEN coalesce(owing_since, ${NEXT_DEBT}) END
        WHERE number = ?`,
    ),
    writeMessage: db.prepare<[revision: number, withTurn: 0 | 1, thread: number]>(
      `UPDATE threads SET revision = ?,
        owing_since = CASE WHEN ? THEN coalesce(owing_since, ${NEXT_DEBT}) ELSE owing_since END
        WHERE number = ?`,
    ),
    owing: db
      .prepare<[limit: number], ThreadId>(
        'SELECT id FROM threads WHERE owing_since IS NOT NULL ORDER BY owing_since LIMIT ?',
      )
      .pluck(),
    entries: db
      .prepare<[thread: number, afterRevision: number], string>(
        'SELECT json FROM entries WHERE thread = ? AND revision > ? ORDER BY number',
      )
      .pluck(),
    /** Ids are a store's; should two threads share one, the first has it. */
    threadOf: db
      .prepare<[id: string], ThreadId>(
        `SELECT threads.id FROM entries JOIN threads ON threads.number = entries.thread
          WHERE entries.id = ? ORDER BY entries.number LIMIT 1`,
      )
      .pluck(),
    putEntry: db.prepare<[thread: number, id: string, revision: number, json: string]>(
      `INSERT INTO entries (thread, id, revision, json) VALUES (?, ?, ?, ?)
        ON CONFLICT (thread, id) DO UPDATE SET revision = excluded.revision, json = excluded.json`,
    ),
  };
}

function messageStatements(db: Database) {
  return {
    addEntry: db.prepare<[thread: number, id: string, revision: number, json: string]>(
      'INSERT INTO entries (thread, id, revision, json) VALUES (?, ?, ?, ?)',
    ),
    addPending: db.prepare<[thread: number, id: string, withTurn: 0 | 1, json: string]>(
      'INSERT INTO pending (thread, id, with_turn, json) VALUES (?, ?, ?, ?)',
    ),
    countPending: db
      .prepare<[thread: number, withTurn: 0 | 1], number>(
        'SELECT count(*) FROM pending WHERE thread = ? AND with_turn = ?',
      )
      .pluck(),
    /** The oldest. */
    dropAside: db.prepare<[thread: number]>(
      'DELETE FROM pending WHERE number = (SELECT min(number) FROM pending WHERE thread = ? AND NOT with_turn)',
    ),
    pending: db.prepare<[thread: number], string>('SELECT json FROM pending WHERE thread = ? ORDER BY number').pluck(),
    takePending: db.prepare<[thread: number, id: string]>('DELETE FROM pending WHERE thread = ? AND id = ?'),
    firstTime: db.prepare<[scope: string, key: string], FirstTimeRow>(
      `SELECT threads.id AS thread, keys.turn AS turnId FROM keys JOIN threads ON threads.number = keys.thread
        WHERE scope = ? AND key = ?`,
    ),
    addKey: db.prepare<[scope: string, key: string, thread: number, turn: string | null, atMs: number]>(
      'INSERT INTO keys (scope, key, thread, turn, at_ms) VALUES (?, ?, ?, ?, ?)',
    ),
    /** Older than the newest by more than this. */
    pruneKeys: db.prepare<[ageMs: number]>('DELETE FROM keys WHERE at_ms < (SELECT max(at_ms) FROM keys) - ?'),
  };
}

function leaseStatements(db: Database) {
  return {
    lease: db.prepare<[thread: number], LeaseRow>('SELECT owner, until_ms AS untilMs FROM leases WHERE thread = ?'),
    takeLease: db.prepare<[thread: number, owner: string, untilMs: number]>('REPLACE INTO leases VALUES (?, ?, ?)'),
    extendLeases: db.prepare<[untilMs: number, owner: string]>('UPDATE leases SET until_ms = ? WHERE owner = ?'),
    dropLease: db.prepare<[id: string, owner: string]>(
      'DELETE FROM leases WHERE thread = (SELECT number FROM threads WHERE id = ?) AND owner = ?',
    ),
    held: db.prepare<[id: string, owner: string], { number: number; revision: number }>(
      `SELECT threads.number, threads.revision FROM threads JOIN leases ON leases.thread = threads.number
        WHERE threads.id = ? AND leases.owner = ?`,
    ),
  };
}

function auditStatements(db: Database) {
  return {
    addAudit: db.prepare<[thread: string, json: string]>('INSERT INTO audit (thread, json) VALUES (?, ?)'),
    audit: db.prepare<[before: number, limit: number], AuditRow>(
      'SELECT number, json FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?',
    ),
    auditOf: db.prepare<[thread: string, before: number, limit: number], AuditRow>(
      'SELECT number, json FROM audit WHERE thread = ? AND number < ? ORDER BY number DESC LIMIT ?',
    ),
  };
}

function placeStatements(db: Database) {
  return {
    threadAt: db.prepare<[binding: string, place: string], ThreadRow>(
      `${THREAD} WHERE number = (SELECT thread FROM places WHERE places.binding = ? AND places.place = ?)`,
    ),
    addPlace: db.prepare<[thread: number, binding: string, place: string]>(
      'INSERT INTO places (thread, binding, place) VALUES (?, ?, ?)',
    ),
    placesOf: db
      .prepare<[id: string], string>(
        'SELECT place FROM places WHERE thread = (SELECT number FROM threads WHERE id = ?) ORDER BY number',
      )
      .pluck(),
  };
}

function deliveryStatements(db: Database) {
  return {
    addDelivery: db.prepare<[thread: number, platform: string]>(
      'INSERT INTO deliveries (thread, platform) VALUES (?, ?)',
    ),
    /** With the thread's new revision. */
    oweDelivery: db.prepare<[thread: number, revision: number]>(
      `UPDATE deliveries SET owed_since = ${NEXT_DELIVERY} WHERE thread = ? AND owed_since IS NULL AND revision < ?`,
    ),
    /** With the thread's revision. */
    deliver: db.prepare<{ thread: number; upTo: number; delivered: number; json: string }>(
      `UPDATE deliveries SET revision = @delivered, json = @json,
        owed_since = CASE WHEN @delivered < @upTo THEN coalesce(owed_since, ${NEXT_DELIVERY}) END
        WHERE thread = @thread`,
    ),
    delivery: db
      .prepare<[id: string], string | null>(
        'SELECT json FROM deliveries WHERE thread = (SELECT number FROM threads WHERE id = ?)',
      )
      .pluck(),
    undelivered: db
      .prepare<[platform: string, limit: number], ThreadId>(
        `SELECT threads.id FROM deliveries JOIN threads ON threads.number = deliveries.thread
          WHERE platform = ? AND owed_since IS NOT NULL ORDER BY owed_since LIMIT ?`,
      )
      .pluck(),
  };
}
