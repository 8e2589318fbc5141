import { SPACE_STORE_LIMITS } from '../../../ports/space/limits.ts';
import type { Dialect } from './dialect.ts';
import { digest } from './keys.ts';
import { forgetOldest } from './retention.ts';
import { ask, type Steps, textOf } from './steps.ts';

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
