import { Pool, type PoolClient } from 'pg';
import { POSTGRES } from '../sql/dialect.ts';
import { migrations } from '../sql/migrations.ts';
import { POSTGRES_LIMITS } from './postgres-limits.ts';
import { explain, PostgresStoreError } from './postgres-store-error.ts';

/** Whoever changes the schema holds this lock; the number is ours and means nothing. */
const SCHEMA_LOCK = 0x41_67_53_70;

/** In the table that says whose tables these are. */
const APPLICATION = 'agent-kourier';

/**
 * Connects, and brings the schema up to date. Rejects with a `PostgresStoreError` when the database cannot be had, has tables
 * of these names that are another program's, or was written by a newer version.
 */
export async function openPool(url: string, steps = migrations(POSTGRES)): Promise<Pool> {
  const { connections, statementMs, idleInTransactionMs } = POSTGRES_LIMITS;
  const pool = new Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: statementMs,
    statement_timeout: statementMs,
    // The server gives up first, so that it is told what became of the statement.
    query_timeout: statementMs + idleInTransactionMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
    application_name: APPLICATION,
  });
  // A connection that breaks is told by what was asked of it, and an idle one is replaced when it is wanted: without
  // anybody who listens either would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  try {
    await migrate(pool, steps);
    return pool;
  } catch (error) {
    await pool.end();
    throw explain(error);
  }
}

async function migrate(pool: Pool, steps: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    const version = await versionOf(client);
    if (version > steps.length) {
      const found = `its schema is ${version}, this program knows ${steps.length}`;
      const remedy = 'Start that version or a newer one, or name another database.';
      throw new PostgresStoreError('newer', `The Space was written by a newer version (${found}). ${remedy}`);
    }
    for (const step of steps.slice(version)) await client.query(step);
    await client.query('UPDATE space_schema SET version = $1', [steps.length]);
    await client.query('COMMIT');
  } finally {
    // Whatever was not committed goes with the connection.
    client.release(true);
  }
}

/** How many steps were taken; makes the table that says so in a database that has nothing of these names. */
async function versionOf(client: PoolClient): Promise<number> {
  const columns = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = 'space_schema'`,
  );
  if (columns.rows.some(({ column_name }) => column_name === 'application')) {
    const { rows } = await client.query<{ application: string; version: number }>('SELECT * FROM space_schema');
    if (rows.length !== 1 || rows[0]?.application !== APPLICATION) throw foreign();
    return rows[0].version;
  }
  const others = await client.query(
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = current_schema() AND table_name LIKE 'space\\_%' LIMIT 1`,
  );
  if (others.rows.length > 0) throw foreign();
  await client.query('CREATE TABLE space_schema (application TEXT NOT NULL, version INTEGER NOT NULL)');
  await client.query('INSERT INTO space_schema (application, version) VALUES ($1, 0)', [APPLICATION]);
  return 0;
}

function foreign(): PostgresStoreError {
  const remedy = 'Name another database, or another schema with search_path.';
  return new PostgresStoreError('foreign', `The tables that begin with space_ belong to another program. ${remedy}`);
}
