export const THREADS = `
CREATE TABLE threads (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  binding TEXT NOT NULL,
  place TEXT,
  status TEXT NOT NULL,
  revision INTEGER NOT NULL,
  -- Null while nothing is owed; else a count that grows, so that the oldest debt has the smallest.
  owing_since INTEGER,
  -- A Thread as JSON; null until the first commit. Last, so that the columns before it are read without it.
  state TEXT
) STRICT;
CREATE UNIQUE INDEX threads_by_place ON threads (binding, place) WHERE place IS NOT NULL;
CREATE INDEX threads_owing ON threads (owing_since) WHERE owing_since IS NOT NULL;

-- "number" is the position: entries are never deleted, so it grows in the order in which they began.
CREATE TABLE entries (
  number INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL REFERENCES threads (number),
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  json TEXT NOT NULL,
  UNIQUE (thread, id)
) STRICT;
CREATE INDEX entries_by_revision ON entries (thread, revision);

-- Messages that no commit has taken yet, whole. The highest number is always the newest.
CREATE TABLE pending (
  number INTEGER PRIMARY KEY,
  thread INTEGER NOT NULL REFERENCES threads (number),
  id TEXT NOT NULL,
  with_turn INTEGER NOT NULL,
  json TEXT NOT NULL,
  UNIQUE (thread, id)
) STRICT;
CREATE INDEX pending_turns ON pending (thread) WHERE with_turn;

-- Idempotency keys: "scope" is a binding's for a message that opens, a thread's for one that follows.
CREATE TABLE keys (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  thread INTEGER NOT NULL REFERENCES threads (number),
  turn TEXT,
  at_ms REAL NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
`;
