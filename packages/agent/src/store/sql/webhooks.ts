import { AGENT_LIMITS } from '../../limits.ts';
import type { KeptWebhook } from '../../push/push-store.ts';
import type { Webhook } from '../../push/webhook.ts';
import { webhookKey } from './keys.ts';
import { ask, numberOf, type Steps, textOf } from './steps.ts';
import { nextSequence } from './write-tasks.ts';

export function* saveWebhook(webhook: Webhook): Steps<'saved' | 'full' | 'gone'> {
  const sequence = yield* nextSequence();
  const key = webhookKey(webhook.id);
  const [found] = yield* ask(
    'SELECT (SELECT count(*) FROM agent_webhooks WHERE task = $1 AND key <> $2) AS others FROM agent_tasks WHERE id = $1',
    webhook.taskId,
    key,
  );
  if (found === undefined) return 'gone';
  if (numberOf(found, 'others') >= AGENT_LIMITS.taskWebhooks) return 'full';
  yield* ask(
    'INSERT INTO agent_webhooks (task, key, since, settled, body) VALUES ($1, $2, $3, 0, $4) ' +
      'ON CONFLICT (task, key) DO UPDATE SET body = excluded.body',
    webhook.taskId,
    key,
    sequence,
    JSON.stringify(webhook),
  );
  return 'saved';
}

export function* readWebhooks(taskId: string): Steps<readonly KeptWebhook[]> {
  const rows = yield* ask('SELECT settled, body FROM agent_webhooks WHERE task = $1 ORDER BY since', taskId);
  return rows.map((row) => ({
    ...(JSON.parse(textOf(row, 'body')) as Webhook),
    settled: numberOf(row, 'settled'),
  }));
}

export function* deleteWebhook(taskId: string, id: string): Steps<void> {
  yield* nextSequence();
  yield* ask('DELETE FROM agent_webhooks WHERE task = $1 AND key = $2', taskId, webhookKey(id));
}

export function* settleWebhook(taskId: string, id: string, version: number): Steps<void> {
  yield* nextSequence();
  yield* ask(
    'UPDATE agent_webhooks SET settled = $1 WHERE task = $2 AND key = $3 AND settled < $1',
    version,
    taskId,
    webhookKey(id),
  );
}

export function* owedTasks(): Steps<readonly string[]> {
  const rows = yield* ask(
    'SELECT DISTINCT t.id FROM agent_webhooks w JOIN agent_tasks t ON t.id = w.task ' +
      'WHERE t.running = 0 AND w.settled < t.version',
  );
  return rows.map((row) => textOf(row, 'id'));
}
