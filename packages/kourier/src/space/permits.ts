import {
  type PermittedCall as BoundCall,
  judgePermit,
  PERMIT_TYPE,
  type PermitOperation,
  permitClaims,
} from '../core/access/permit.ts';
import { principalKey } from '../core/access/principal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Seal } from '../ports/space/seal.ts';
import type { PlatformTask, TaskLedger } from '../ports/space/task-ledger.ts';
import { permitRefused } from './gateway/refusal.ts';
import type { PermittedCall } from './parts.ts';

export interface Permit {
  readonly permit: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface PermitsParts {
  readonly seal: Seal;
  readonly ledger: Pick<TaskLedger, 'task' | 'usePermit'>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The public URL of the gateway: who signs permits and for whom. */
  gateway(): string;
  validMs(): number;
}

export interface ToPermit {
  readonly operation: PermitOperation;
  /** `versionId` of the revision that will be called. */
  readonly version: string;
  /** Where the call is about a task that there is: what its agent calls it. */
  readonly remoteTask?: string | undefined;
  /** Of a send. */
  readonly messageSha256?: string | undefined;
}

/** Gives permits for calls that the policy allows, and takes them when the calls come. */
export class Permits {
  readonly #parts: PermitsParts;

  constructor(parts: PermitsParts) {
    this.#parts = parts;
  }

  /** For one operation on a task of the caller's own. */
  issue(task: PlatformTask, { operation, version, remoteTask, messageSha256 }: ToPermit): Permit {
    const { seal, clock, newId, gateway, validMs } = this.#parts;
    const call: BoundCall = {
      ...{ gateway: gateway(), caller: task.caller, space: task.space, agent: task.agent, version, operation },
      task: task.id,
      ...(remoteTask === undefined ? {} : { remoteTask }),
      ...(messageSha256 === undefined ? {} : { messageSha256 }),
    };
    const claims = permitClaims(call, { jti: newId(), now: clock.now(), validMs: validMs() });
    return { permit: seal.sign(PERMIT_TYPE, { ...claims }), expiresAt: claims.exp * 1_000 };
  }

  /** The task that a permit was given for, when it fits the call; it is used up then. Rejects with a `Refusal`. */
  async admit(
    token: string,
    { caller, target, operation, messageSha256, remoteTaskId }: PermittedCall,
  ): Promise<PlatformTask> {
    const { seal, ledger, clock, gateway } = this.#parts;
    const claims = seal.open(PERMIT_TYPE, token);
    const task = typeof claims?.['task'] === 'string' ? await ledger.task(claims['task']) : undefined;
    const now = clock.now();
    const verdict = judgePermit(
      claims,
      {
        ...{ gateway: gateway(), caller: principalKey(caller), space: target.agent.space, agent: target.agent.id },
        ...{ version: target.agent.current?.versionId ?? '', operation, task: task?.id ?? '' },
        ...(remoteTaskId === undefined ? {} : { remoteTask: remoteTaskId }),
        ...(messageSha256 === undefined ? {} : { messageSha256 }),
      },
      now,
    );
    if (verdict.kind === 'refused') throw permitRefused(verdict.problem);
    if (task === undefined) throw permitRefused('permit-other-target');
    const isFirst = !verdict.singleUse || (await ledger.usePermit(verdict.permit.jti, verdict.expiresAt, now));
    if (!isFirst) throw permitRefused('permit-used');
    return task;
  }
}
