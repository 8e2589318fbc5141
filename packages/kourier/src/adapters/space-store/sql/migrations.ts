import type { Dialect } from './dialect.ts';

/**
 * The steps of the schema, the oldest first; how many were taken is the version of a store. A step is never changed once
 * it is released, only followed by another, and only adds to what is kept.
 */
export const migrations = (dialect: Dialect): readonly string[] => [
  directoryTables(dialect) + ledgerTables(dialect) + outboxTables(dialect),
  outboxBySink(dialect),
];

const directoryTables = ({ id, whole, strict }: Dialect): string => `
CREATE TABLE space_changes (sequence ${whole} NOT NULL)${strict};
INSERT INTO space_changes (sequence) VALUES (0);

-- One row for each id that was ever used, its last change. "body" is the agent as JSON, without its revisions; null once
-- it was removed.
CREATE TABLE space_agents (
  space ${id} NOT NULL,
  id ${id} NOT NULL,
  sequence ${whole} NOT NULL,
  current_revision ${whole},
  pending_revision ${whole},
  body TEXT,
  PRIMARY KEY (space, id)
)${strict};
CREATE UNIQUE INDEX space_agents_by_sequence ON space_agents (sequence);
CREATE INDEX space_agents_removed ON space_agents (sequence) WHERE body IS NULL;

-- "head" and "card" are JSON, and never change.
CREATE TABLE space_revisions (
  space ${id} NOT NULL,
  agent ${id} NOT NULL,
  number ${whole} NOT NULL,
  state TEXT NOT NULL,
  decided_by TEXT,
  decided_at ${whole},
  head TEXT NOT NULL,
  card TEXT NOT NULL,
  PRIMARY KEY (space, agent, number)
)${strict};
`;

const ledgerTables = ({ id, whole, strict }: Dialect): string => `
-- "caller" is a digest; "body" is JSON: the caller, the version, and what the agent calls the task and its context.
CREATE TABLE space_tasks (
  id ${id} PRIMARY KEY,
  space ${id} NOT NULL,
  agent ${id} NOT NULL,
  caller TEXT NOT NULL,
  state TEXT,
  settled ${whole} NOT NULL,
  created_at ${whole} NOT NULL,
  updated_at ${whole} NOT NULL,
  body TEXT NOT NULL
)${strict};
CREATE INDEX space_tasks_of_space ON space_tasks (space, created_at, id);
CREATE INDEX space_tasks_of_caller ON space_tasks (space, caller, created_at, id);
CREATE INDEX space_tasks_by_age ON space_tasks (settled, updated_at);

-- "key" is the digest of a Space, an agent and what that calls its task.
CREATE TABLE space_remote_tasks (
  key TEXT PRIMARY KEY,
  task ${id} NOT NULL REFERENCES space_tasks (id) ON DELETE CASCADE
)${strict};
CREATE INDEX space_remote_tasks_of_task ON space_remote_tasks (task);

-- "key" is the digest of a Space, a caller and its token. It is written before its task.
CREATE TABLE space_tokens (
  key TEXT PRIMARY KEY,
  task ${id} NOT NULL REFERENCES space_tasks (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  request_sha256 TEXT NOT NULL,
  at ${whole} NOT NULL
)${strict};
CREATE INDEX space_tokens_of_task ON space_tokens (task);
CREATE INDEX space_tokens_by_age ON space_tokens (at);

-- "key" is the digest of a Space, an agent and a context, "caller" that of whose it is.
CREATE TABLE space_contexts (key TEXT PRIMARY KEY, caller TEXT NOT NULL)${strict};

CREATE TABLE space_permits (key TEXT PRIMARY KEY, expires_at ${whole} NOT NULL)${strict};
CREATE INDEX space_permits_by_age ON space_permits (expires_at);
`;

const outboxTables = ({ id, whole, growing, strict }: Dialect): string => `
-- One row for each task and sink while something is owed. "due_at" is when it may be claimed, or when its hold ends.
-- "sink" is JSON text, "sink_key" its digest.
CREATE TABLE space_queues (
  number ${growing},
  task ${id} NOT NULL,
  sink_key TEXT NOT NULL,
  sink TEXT NOT NULL,
  space ${id} NOT NULL,
  events ${whole} NOT NULL,
  attempts ${whole} NOT NULL,
  last_error TEXT,
  hold ${whole} NOT NULL,
  due_at ${whole} NOT NULL,
  died_at ${whole},
  UNIQUE (task, sink_key)
)${strict};
CREATE INDEX space_queues_due ON space_queues (due_at) WHERE died_at IS NULL;
CREATE INDEX space_queues_dead ON space_queues (space, died_at, number) WHERE died_at IS NOT NULL;
CREATE INDEX space_queues_by_death ON space_queues (died_at) WHERE died_at IS NOT NULL;

CREATE TABLE space_events (
  number ${growing},
  queue ${whole} NOT NULL REFERENCES space_queues (number) ON DELETE CASCADE,
  payload TEXT NOT NULL,
  owed_at ${whole} NOT NULL
)${strict};
CREATE INDEX space_events_of_queue ON space_events (queue, number);
`;

const outboxBySink = ({ whole }: Dialect): string => `
-- Since when a queue is held; null when nobody holds it.
ALTER TABLE space_queues ADD COLUMN held_since ${whole};
ALTER TABLE space_queues ADD COLUMN refusals ${whole} NOT NULL DEFAULT 0;

-- Queues are claimed for one sink at a time; nothing asks for the first due of all any more.
CREATE INDEX space_queues_of_sink ON space_queues (space, sink_key, due_at) WHERE died_at IS NULL;
DROP INDEX space_queues_due;
`;
