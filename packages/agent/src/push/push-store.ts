import type { TaskStore } from '../store/task-store.ts';
import type { Webhook } from './webhook.ts';

type Awaitable<T> = T | Promise<T>;

/** A webhook as it is kept. */
export interface KeptWebhook extends Webhook {
  /** The version of the task up to which it needs no notification any more; 0 at first. */
  readonly settled: number;
}

/**
 * What a store of tasks adds so that notifications survive a crash (rule P8). A call that returned, or resolved, has
 * happened, whatever crashes afterwards. Webhooks go with their task when the store forgets it. Secrets are in them: a
 * store logs none of it.
 */
export interface PushStore {
  /**
   * Adds a webhook, or puts it in the place of the one with its id, which stays settled as it was. `full` when the task
   * has `AGENT_LIMITS.taskWebhooks` others, `gone` when there is no such task.
   */
  saveWebhook(webhook: Webhook): Awaitable<'saved' | 'full' | 'gone'>;
  /** Those of a task, the oldest first; none when there is no such task. */
  webhooks(taskId: string): Awaitable<readonly KeptWebhook[]>;
  /** Deletes one; nothing when there is none. */
  deleteWebhook(taskId: string, id: string): Awaitable<void>;
  /** Raises what is settled of one, and never lowers it; nothing when there is none. */
  settleWebhook(taskId: string, id: string, version: number): Awaitable<void>;
  /** The ids of the tasks that have ended or paused, at a version that one of their webhooks is not settled up to. */
  owedTasks(): Awaitable<readonly string[]>;
}

const METHODS = ['saveWebhook', 'webhooks', 'deleteWebhook', 'settleWebhook', 'owedTasks'];

export function keepsWebhooks(store: TaskStore): store is TaskStore & PushStore {
  return METHODS.every((name) => name in store);
}
