import type { Pool } from 'pg';
import { AGENT_LIMITS, CHANGE_MS, STATEMENT_MS } from '../../limits.ts';
import { migrations, POSTGRES } from '../sql/migrations.ts';

/** Whoever changes the schema holds this lock; the number is ours and means nothing. */
const SCHEMA_LOCK = 0x41_67_54_73;

/** Of a process that shares the tasks: when it was last heard of, by the clock of the database. */
const PROCESSES = 'CREATE TABLE agent_processes (id TEXT PRIMARY KEY, seen TIMESTAMPTZ NOT NULL)';

const STEPS: readonly string[] = [...migrations(POSTGRES), PROCESSES];

/**
 * Connects, and brings the schema up to date. Rejects when the driver is not installed, the database cannot be had, or a
 * newer version wrote it.
 */
export async function openPool(url: string, steps = STEPS): Promise<Pool> {
  const { Pool } = await loadDriver();
  const pool = new Pool({
    connectionString: url,
    max: AGENT_LIMITS.postgresConnections,
    connectionTimeoutMillis: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
    // A process that stands still in the middle of a change would make all others wait.
    idle_in_transaction_session_timeout: CHANGE_MS,
    application_name: 'agentkourier',
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
    throw error;
  }
}

async function loadDriver(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (error) {
    throw new Error('PostgresTaskStore needs the driver of PostgreSQL: npm install pg', { cause: error });
  }
}

async function migrate(pool: Pool, steps: readonly string[]): Promise<void> {
  const client = await pool.connect().catch((error: unknown) => {
    throw new Error(
      `PostgreSQL cannot be had: ${reasonOf(error)}. Look whether it runs and whether the url is right.`,
      {
        cause: error,
      },
    );
  });
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query('CREATE TABLE IF NOT EXISTS agent_schema (version INTEGER NOT NULL)');
    const { rows } = await client.query('SELECT version FROM agent_schema');
    const version = Number(rows[0]?.version ?? 0);
    if (version > steps.length) {
      const found = `its schema is ${version}, this version knows ${steps.length}`;
      throw new Error(
        `The tasks were written by a newer version (${found}). Start that one, or name another database.`,
      );
    }
    for (const step of steps.slice(version)) await client.query(step);
    await client.query('DELETE FROM agent_schema');
    await client.query('INSERT INTO agent_schema (version) VALUES ($1)', [steps.length]);
    await client.query('COMMIT');
  } finally {
    // Whatever was not committed goes with the connection.
    client.release(true);
  }
}

/** The driver's own words name host, port or user, and never the password. Of several addresses it gives no words. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
