import { AGENT_LIMITS } from '../limits.ts';
import type { TaskRecord } from '../task/task-record.ts';
import { isRunning } from '../task/wire.ts';
import type { KeptWebhook, PushStore } from './push-store.ts';
import type { Webhook } from './webhook.ts';

/** The webhooks of a store in memory, whose tasks `read` finds. */
export class MemoryWebhooks implements PushStore {
  readonly #read: (taskId: string) => TaskRecord | undefined;
  readonly #kept = new Map<string, Map<string, KeptWebhook>>();

  constructor(read: (taskId: string) => TaskRecord | undefined) {
    this.#read = read;
  }

  saveWebhook(webhook: Webhook): 'saved' | 'full' | 'gone' {
    const { taskId, id } = webhook;
    if (this.#read(taskId) === undefined) return 'gone';
    const kept = this.#kept.get(taskId) ?? new Map<string, KeptWebhook>();
    const before = kept.get(id);
    if (before === undefined && kept.size >= AGENT_LIMITS.taskWebhooks) return 'full';
    kept.set(id, { ...webhook, settled: before?.settled ?? 0 });
    this.#kept.set(taskId, kept);
    return 'saved';
  }

  webhooks(taskId: string): readonly KeptWebhook[] {
    return [...(this.#kept.get(taskId)?.values() ?? [])];
  }

  deleteWebhook(taskId: string, id: string): void {
    const kept = this.#kept.get(taskId);
    kept?.delete(id);
    if (kept?.size === 0) this.#kept.delete(taskId);
  }

  settleWebhook(taskId: string, id: string, version: number): void {
    const webhook = this.#kept.get(taskId)?.get(id);
    if (webhook !== undefined && webhook.settled < version) {
      this.#kept.get(taskId)?.set(id, { ...webhook, settled: version });
    }
  }

  owedTasks(): readonly string[] {
    return [...this.#kept].flatMap(([taskId, kept]) => {
      const task = this.#read(taskId);
      if (task === undefined || isRunning(task.status.state)) return [];
      return [...kept.values()].some(({ settled }) => settled < task.version) ? [taskId] : [];
    });
  }

  /** The task is forgotten. */
  forget(taskId: string): void {
    this.#kept.delete(taskId);
  }
}
