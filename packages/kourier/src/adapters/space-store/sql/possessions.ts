import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import { type TaskWebhook, webhookSink } from '../../../ports/space/task-ledger.ts';
import type { Dialect } from './dialect.ts';
import { digest, lookedUp } from './keys.ts';
import { forgetQueue } from './outbox.ts';
import { forgetOldest } from './retention.ts';
import { ask, jsonOf, numberOf, type Row, type Steps, textOf } from './steps.ts';

interface ContextClaim {
  readonly space: string;
  readonly agent: string;
  readonly contextId: string;
  readonly caller: string;
}

/** Whether the context is the caller's; `undefined` when it is nobody's. Whose it is never changes. */
export function* ownsContext({ space, agent, contextId, caller }: ContextClaim): Steps<boolean | undefined> {
  const [owned] = yield* ask('SELECT caller FROM space_contexts WHERE key = $1', digest(space, agent, contextId));
  return owned && textOf(owned, 'caller') === digest(caller);
}

export function* claimContext(claim: ContextClaim): Steps<boolean> {
  const claimed = yield* ask(
    'INSERT INTO space_contexts (key, caller) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key',
    digest(claim.space, claim.agent, claim.contextId),
    digest(claim.caller),
  );
  return claimed.length > 0 || ((yield* ownsContext(claim)) ?? false);
}

export function* usePermit(jti: string, expiresAt: number, now: number, dialect: Dialect): Steps<boolean> {
  yield* forgetOldest('space_permits', 'key', 'expires_at', now - SPACE_STORE_LIMITS.spentPermitMs, dialect);
  const used = yield* ask(
    'INSERT INTO space_permits (key, expires_at) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING RETURNING key',
    digest(jti),
    expiresAt,
  );
  return used.length > 0;
}

const LOCK_TASK = 'SELECT id FROM space_tasks WHERE id = $1';

export function* saveWebhook(
  { taskId, id, body }: TaskWebhook,
  most: number,
  dialect: Dialect,
): Steps<'saved' | 'full' | 'gone'> {
  const task = yield* ask(LOCK_TASK + dialect.forUpdate, lookedUp(taskId));
  if (task.length === 0) return 'gone';
  const key = digest(id);
  const [others] = yield* ask(
    'SELECT count(*) AS webhooks FROM space_webhooks WHERE task = $1 AND key <> $2',
    taskId,
    key,
  );
  if (numberOf(others ?? {}, 'webhooks') >= most) return 'full';
  yield* ask(
    `INSERT INTO space_webhooks (task, key, webhook, body) VALUES ($1, $2, $3, $4)
      ON CONFLICT (task, key) DO UPDATE SET body = excluded.body`,
    taskId,
    key,
    JSON.stringify(id),
    JSON.stringify(body),
  );
  return 'saved';
}

export function* readWebhooks(taskId: string): Steps<readonly TaskWebhook[]> {
  const rows = yield* ask(
    'SELECT task, webhook, body FROM space_webhooks WHERE task = $1 ORDER BY number',
    lookedUp(taskId),
  );
  return rows.map(webhookOf);
}

export function* deleteWebhook(taskId: string, id: string, dialect: Dialect): Steps<void> {
  // What an observation owes meanwhile is owed before or not at all.
  yield* ask(LOCK_TASK + dialect.forUpdate, lookedUp(taskId));
  yield* ask('DELETE FROM space_webhooks WHERE task = $1 AND key = $2', lookedUp(taskId), digest(id));
  yield* forgetQueue(taskId, webhookSink(id));
}

function webhookOf(row: Row): TaskWebhook {
  return {
    taskId: textOf(row, 'task'),
    id: jsonOf<string>(row, 'webhook'),
    body: jsonOf<string>(row, 'body'),
  };
}
