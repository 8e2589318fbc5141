/** The end of a status that holds: the largest number that every driver reads exactly. An index names it. */
export const STILL = Number.MAX_SAFE_INTEGER;

/** What the databases say differently. */
export interface Dialect {
  /** Text that is compared byte by byte. */
  readonly id: string;
  /** An expression that names a new store. */
  readonly newIdentity: string;
}

export const SQLITE: Dialect = { id: 'TEXT', newIdentity: 'lower(hex(randomblob(16)))' };
export const POSTGRES: Dialect = { id: 'TEXT COLLATE "C"', newIdentity: 'gen_random_uuid()::text' };

/**
 * The steps of the schema, the oldest first; how many were taken is the version of a store. A step that was published
 * is not changed: what it wrote is opened by every later version.
 */
export const migrations = (dialect: Dialect): readonly string[] => [firstTables(dialect), webhookTable(dialect)];

/** JSON is kept as text: a journal is compared as text, so the order of its keys counts. */
const firstTables = ({ id, newIdentity }: Dialect): string => `
  CREATE TABLE agent_store (identity TEXT NOT NULL, sequence BIGINT NOT NULL);
  INSERT INTO agent_store (identity, sequence) VALUES (${newIdentity}, 0);
  CREATE TABLE agent_tasks (
    id ${id} PRIMARY KEY,
    owner TEXT NOT NULL,
    context TEXT NOT NULL,
    head TEXT NOT NULL,
    status TEXT NOT NULL,
    state TEXT NOT NULL,
    running INTEGER NOT NULL,
    version BIGINT NOT NULL,
    characters BIGINT NOT NULL,
    process TEXT NOT NULL,
    shelf TEXT,
    shelved BIGINT
  );
  CREATE INDEX agent_tasks_context ON agent_tasks (context);
  CREATE INDEX agent_tasks_state ON agent_tasks (owner, state);
  CREATE INDEX agent_tasks_running ON agent_tasks (process) WHERE running = 1;
  CREATE INDEX agent_tasks_shelf ON agent_tasks (shelf, shelved) WHERE shelf IS NOT NULL;
  CREATE TABLE agent_entries (
    task ${id} NOT NULL REFERENCES agent_tasks (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    nth INTEGER NOT NULL,
    kind TEXT NOT NULL,
    artifact TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task, version, nth)
  );
  CREATE INDEX agent_entries_artifact ON agent_entries (task, artifact) WHERE kind = 'artifact';
  CREATE TABLE agent_stamps (
    task ${id} NOT NULL REFERENCES agent_tasks (id) ON DELETE CASCADE,
    since BIGINT NOT NULL,
    until BIGINT NOT NULL,
    owner TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (task, since)
  );
  CREATE INDEX agent_stamps_owner ON agent_stamps (owner, until, at, task, since);
  CREATE INDEX agent_stamps_until ON agent_stamps (until) WHERE until < ${STILL};
  CREATE TABLE agent_messages (
    key TEXT PRIMARY KEY,
    task ${id} NOT NULL REFERENCES agent_tasks (id) ON DELETE CASCADE
  );
  CREATE INDEX agent_messages_task ON agent_messages (task);
  CREATE TABLE agent_memories (context TEXT PRIMARY KEY, body TEXT NOT NULL, sequence BIGINT NOT NULL);
  CREATE INDEX agent_memories_sequence ON agent_memories (sequence);
`;

const webhookTable = ({ id }: Dialect): string => `
  CREATE TABLE agent_webhooks (
    task ${id} NOT NULL REFERENCES agent_tasks (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    since BIGINT NOT NULL,
    settled BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task, key)
  );
`;
