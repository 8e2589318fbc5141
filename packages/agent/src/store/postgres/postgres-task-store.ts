import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { LEASE_MS, LOOK_EVERY_MS } from '../../limits.ts';
import type { KeptWebhook, PushStore } from '../../push/push-store.ts';
import type { Webhook } from '../../push/webhook.ts';
import { changeRows, messageKeys } from '../sql/change-rows.ts';
import { messageKey } from '../sql/keys.ts';
import { listTasks, readMemory, readTask } from '../sql/read-tasks.ts';
import { type RetentionOptions, retentionOf } from '../sql/retention.ts';
import { runStepsAsync, type Steps } from '../sql/steps.ts';
import * as webhooks from '../sql/webhooks.ts';
import { beginTask, commitChange, takeTask, taskOfMessage, type Writer } from '../sql/write-tasks.ts';
import {
  type Begun,
  type Json,
  type ListedTasks,
  type ListRequest,
  type MessageKey,
  type SharedTasks,
  StaleTask,
  type TaskChange,
  type TaskRecord,
  type TaskStore,
} from '../task-store.ts';
import { GroupedWrites, runOn } from './grouped-writes.ts';
import { openPool } from './open-pool.ts';

export interface PostgresTaskStoreOptions extends RetentionOptions {
  /** `postgres://user:password@host:port/database`. Its tables begin with `agent_`, and are made where they lack. */
  readonly url: string;
  /**
   * A process that the database has not heard of for so long is taken for gone, and what it worked on is failed by
   * another one; 15 seconds unless given. A process says three times as often that it is there.
   */
  readonly leaseMs?: number;
  /** How often to look for what other processes did; 500 ms unless given. */
  readonly lookEveryMs?: number;
}

interface Opened {
  readonly pool: Pool;
  readonly writes: GroupedWrites;
  readonly renewal: NodeJS.Timeout;
}

/**
 * Tasks in PostgreSQL 13 or newer, which any number of processes share: each reads, answers and cancels the tasks of all.
 * The driver is the package `pg`, which is to be installed beside this one. What resolved is committed.
 */
export class PostgresTaskStore implements TaskStore, PushStore {
  readonly shared: SharedTasks;
  readonly #url: string;
  readonly #leaseMs: number;
  readonly #writer: Writer;
  readonly #behind = new WeakSet<TaskRecord>();
  #opened: Opened | undefined;

  /** Throws a RangeError for numbers that keep nothing. */
  constructor({ url, leaseMs = LEASE_MS, lookEveryMs = LOOK_EVERY_MS, ...retention }: PostgresTaskStoreOptions) {
    this.#url = url;
    this.#leaseMs = leaseMs;
    this.#writer = { process: randomUUID(), retention: retentionOf(retention) };
    this.shared = {
      lookEveryMs,
      versions: (taskIds) => this.#versions(taskIds),
      take: async (taskId) => this.#now.writes.write(() => takeTask(taskId, this.#writer)),
    };
  }

  async open(): Promise<void> {
    const pool = await openPool(this.#url);
    // One that fails is made good by the next; until then others may take this process for gone, and its commits are stale.
    const renewal = setInterval(() => this.#renew(pool).catch(() => undefined), this.#leaseMs / 3);
    renewal.unref();
    this.#opened = { pool, writes: new GroupedWrites(pool), renewal };
    await this.#renew(pool);
  }

  async close(): Promise<void> {
    if (this.#opened === undefined) return;
    const { pool, writes, renewal } = this.#opened;
    this.#opened = undefined;
    clearInterval(renewal);
    await writes.idle();
    // Where that cannot be said the lease runs out.
    await pool.query('DELETE FROM agent_processes WHERE id = $1', [this.#writer.process]).catch(() => undefined);
    await pool.end();
  }

  async begin(first: TaskChange, key: MessageKey): Promise<Begun> {
    const rows = changeRows(first);
    const keys = messageKeys(first, key);
    return this.#now.writes.write(() => beginTask(rows, keys, this.#writer));
  }

  async commit(change: TaskChange): Promise<void> {
    const rows = changeRows(change);
    const { task } = change;
    try {
      const written = await this.#now.writes.write(() => commitChange(rows, this.#writer, this.#behind, task));
      if (!written) throw new StaleTask('the task was changed since it was read');
    } catch (error) {
      this.#behind.add(task);
      throw error;
    }
  }

  async read(taskId: string): Promise<TaskRecord | undefined> {
    return this.#read(readTask(taskId));
  }

  async ofMessage(owner: string, key: MessageKey): Promise<string | undefined> {
    return this.#read(taskOfMessage(messageKey(owner, key)));
  }

  async list(request: ListRequest): Promise<ListedTasks> {
    return this.#read(listTasks(request));
  }

  /** Of processes that have closed, or that the database has not heard of for longer than their lease. */
  async orphans(): Promise<readonly TaskRecord[]> {
    const { rows } = await this.#now.pool.query<{ id: string }>(
      'SELECT t.id FROM agent_tasks t LEFT JOIN agent_processes p ON p.id = t.process WHERE t.running = 1 ' +
        `AND t.process <> $1 AND (p.id IS NULL OR ${UNHEARD})`,
      [this.#writer.process, this.#leaseMs],
    );
    const records = await Promise.all(rows.map(({ id }) => this.read(id)));
    return records.filter((record) => record !== undefined);
  }

  async memory(owner: string, contextId: string): Promise<Json | undefined> {
    return this.#read(readMemory(owner, contextId));
  }

  async saveWebhook(webhook: Webhook): Promise<'saved' | 'full' | 'gone'> {
    return this.#now.writes.write(() => webhooks.saveWebhook(webhook));
  }

  async webhooks(taskId: string): Promise<readonly KeptWebhook[]> {
    return this.#read(webhooks.readWebhooks(taskId));
  }

  async deleteWebhook(taskId: string, id: string): Promise<void> {
    return this.#now.writes.write(() => webhooks.deleteWebhook(taskId, id));
  }

  async settleWebhook(taskId: string, id: string, version: number): Promise<void> {
    return this.#now.writes.write(() => webhooks.settleWebhook(taskId, id, version));
  }

  async owedTasks(): Promise<readonly string[]> {
    return this.#read(webhooks.owedTasks());
  }

  async #versions(taskIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#now.pool.query<{ id: string; version: string }>(
      'SELECT id, version FROM agent_tasks WHERE id = ANY ($1)',
      [taskIds],
    );
    return new Map(rows.map(({ id, version }) => [id, Number(version)]));
  }

  async #renew(pool: Pool): Promise<void> {
    await pool.query(
      'INSERT INTO agent_processes (id, seen) VALUES ($1, clock_timestamp()) ' +
        'ON CONFLICT (id) DO UPDATE SET seen = excluded.seen',
      [this.#writer.process],
    );
    // Nobody's tasks are told from those of a process that is not listed.
    await pool.query(`DELETE FROM agent_processes p WHERE p.id <> $1 AND ${UNHEARD}`, [
      this.#writer.process,
      this.#leaseMs,
    ]);
  }

  async #read<T>(steps: Steps<T>): Promise<T> {
    return runStepsAsync(steps, runOn(this.#now.pool));
  }

  get #now(): Opened {
    if (this.#opened === undefined) throw new Error('The store in PostgreSQL is not open: call open() first.');
    return this.#opened;
  }
}

const UNHEARD = "p.seen < clock_timestamp() - $2 * interval '1 millisecond'";
