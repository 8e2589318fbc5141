import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { KeptWebhook, PushStore } from '../../push/push-store.ts';
import type { Webhook } from '../../push/webhook.ts';
import { changeRows, messageKeys } from '../sql/change-rows.ts';
import { messageKey } from '../sql/keys.ts';
import { listTasks, readMemory, readTask } from '../sql/read-tasks.ts';
import { type RetentionOptions, retentionOf } from '../sql/retention.ts';
import { ask, textOf } from '../sql/steps.ts';
import * as webhooks from '../sql/webhooks.ts';
import { beginTask, commitChange, taskOfMessage, type Writer } from '../sql/write-tasks.ts';
import {
  type Begun,
  type Json,
  type ListedTasks,
  type ListRequest,
  type MessageKey,
  StaleTask,
  type TaskChange,
  type TaskRecord,
  type TaskStore,
} from '../task-store.ts';
import { GroupCommit } from './group-commit.ts';
import { openDatabase } from './open-database.ts';
import { explain } from './sqlite-store-error.ts';

export interface SqliteTaskStoreOptions extends RetentionOptions {
  /** The file; it is made, with its folder, for this user alone. */
  readonly path: string;
}

/**
 * Tasks in one file, with Node's own SQLite. One process at a time: `open` rejects with an error that names the file
 * while another one has it. What resolved is on the disk.
 */
export class SqliteTaskStore implements TaskStore, PushStore {
  readonly #path: string;
  readonly #writer: Writer;
  readonly #behind = new WeakSet<TaskRecord>();
  #opened: { readonly db: DatabaseSync; readonly commits: GroupCommit } | undefined;

  /** Throws a RangeError for numbers that keep nothing. */
  constructor({ path, ...retention }: SqliteTaskStoreOptions) {
    this.#path = path;
    this.#writer = { process: randomUUID(), retention: retentionOf(retention) };
  }

  async open(): Promise<void> {
    const db = await openDatabase(this.#path);
    this.#opened = { db, commits: new GroupCommit(db, (error) => explain(error, this.#path)) };
  }

  async close(): Promise<void> {
    this.#opened?.commits.drain();
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  async begin(first: TaskChange, key: MessageKey): Promise<Begun> {
    const rows = changeRows(first);
    const keys = messageKeys(first, key);
    return this.#commits.write(() => beginTask(rows, keys, this.#writer));
  }

  async commit(change: TaskChange): Promise<void> {
    const rows = changeRows(change);
    const { task } = change;
    try {
      const written = await this.#commits.write(() => commitChange(rows, this.#writer, this.#behind, task));
      if (!written) throw new StaleTask('the task was changed since it was read');
    } catch (error) {
      this.#behind.add(task);
      throw error;
    }
  }

  read(taskId: string): TaskRecord | undefined {
    return this.#commits.read(readTask(taskId));
  }

  ofMessage(owner: string, key: MessageKey): string | undefined {
    return this.#commits.read(taskOfMessage(messageKey(owner, key)));
  }

  list(request: ListRequest): ListedTasks {
    return this.#commits.read(listTasks(request));
  }

  /** No other process has the file, so that what an earlier one worked on is nobody's. */
  orphans(): readonly TaskRecord[] {
    const { process } = this.#writer;
    const rows = this.#commits.read(ask('SELECT id FROM agent_tasks WHERE running = 1 AND process <> $1', process));
    return rows.flatMap((row) => this.read(textOf(row, 'id')) ?? []);
  }

  memory(owner: string, contextId: string): Json | undefined {
    return this.#commits.read(readMemory(owner, contextId));
  }

  saveWebhook(webhook: Webhook): Promise<'saved' | 'full' | 'gone'> {
    return this.#commits.write(() => webhooks.saveWebhook(webhook));
  }

  webhooks(taskId: string): readonly KeptWebhook[] {
    return this.#commits.read(webhooks.readWebhooks(taskId));
  }

  deleteWebhook(taskId: string, id: string): Promise<void> {
    return this.#commits.write(() => webhooks.deleteWebhook(taskId, id));
  }

  settleWebhook(taskId: string, id: string, version: number): Promise<void> {
    return this.#commits.write(() => webhooks.settleWebhook(taskId, id, version));
  }

  owedTasks(): readonly string[] {
    return this.#commits.read(webhooks.owedTasks());
  }

  get #commits(): GroupCommit {
    if (this.#opened === undefined) throw new Error(`The store ${this.#path} is not open: call open() first.`);
    return this.#opened.commits;
  }
}
