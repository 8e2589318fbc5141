import { ACCESS_LIMITS } from './limits.ts';

/** The `typ` of a permit, so that no other token of the gateway is taken for one. */
export const PERMIT_TYPE = 'a2a-permit+jwt';

export const PERMIT_OPERATIONS = ['send_message', 'get_task', 'subscribe_to_task', 'cancel_task'] as const;
export type PermitOperation = (typeof PERMIT_OPERATIONS)[number];

/** What a permit allows: one operation of one caller on one task, at one revision of one agent. */
export interface PermittedCall {
  /** The gateway's public URL: who signs a permit, and whom it is for. */
  readonly gateway: string;
  /** `principalKey` of who may call. */
  readonly caller: string;
  readonly space: string;
  readonly agent: string;
  /** `versionId` of the revision that is called. */
  readonly version: string;
  readonly operation: PermitOperation;
  /** The platform task's id. */
  readonly task: string;
  /** What the agent calls its task, where the call is about one that there is; absent for a first message. */
  readonly remoteTask?: string;
  /**
   * Of `send_message`, and of nothing else: hex SHA-256 of the UTF-8 of the canonical JSON (RFC 8785) of `boundMessage`.
   */
  readonly messageSha256?: string;
}

/** The claims as they are signed (RFC 7519); `exp` in seconds since the epoch. */
export interface PermitClaims {
  readonly iss: string;
  readonly aud: string;
  readonly sub: string;
  readonly space: string;
  readonly agent: string;
  readonly version: string;
  readonly operation: PermitOperation;
  readonly task: string;
  readonly remoteTask?: string;
  readonly messageSha256?: string;
  readonly jti: string;
  readonly exp: number;
}

/** Why a permit does not fit a call, and what to do. `permit-used` is the store's to say (`TaskLedger.usePermit`). */
export const PERMIT_PROBLEMS = {
  'permit-invalid': 'this gateway gave no such permit: prepare the call, and send the permit as it came',
  'permit-expired': 'the permit has expired: prepare the call again with the same idempotency key',
  'permit-other-caller': 'the permit is of another caller: prepare the call with the credential that makes it',
  'permit-other-target': 'the permit is for another agent or task: prepare this call',
  'permit-version-changed': 'the agent has a new revision: look at it, and prepare the call again',
  'permit-other-operation': 'the permit is for another operation: prepare this one',
  'permit-other-message': 'the permit is for another message: send the one that was prepared, or prepare this one',
  'permit-used': 'the permit was used: prepare the call again',
} as const;
export type PermitProblem = keyof typeof PERMIT_PROBLEMS;

export type PermitVerdict =
  | {
      readonly kind: 'fits';
      readonly permit: PermitClaims;
      readonly singleUse: boolean;
      /** In milliseconds, when no process takes it any more, also one whose clock is behind that of the one that forgets it. */
      readonly expiresAt: number;
    }
  | { readonly kind: 'refused'; readonly problem: Exclude<PermitProblem, 'permit-used'> };

/**
 * The claims of a permit that is given at `now`, milliseconds. It is good for `validMs`, at most `permitMs`; whole
 * seconds, rounded down, so never for longer. `jti` is unguessable and never used again.
 */
export function permitClaims(
  call: PermittedCall,
  { jti, now, validMs }: { readonly jti: string; readonly now: number; readonly validMs: number },
): PermitClaims {
  const { gateway, caller, space, agent, version, operation, task, remoteTask, messageSha256 } = call;
  return {
    ...{ iss: gateway, aud: gateway, sub: caller, space, agent, version, operation, task },
    ...(remoteTask === undefined ? {} : { remoteTask }),
    ...(messageSha256 === undefined ? {} : { messageSha256 }),
    jti,
    exp: Math.floor((now + Math.min(validMs, ACCESS_LIMITS.permitMs)) / 1_000),
  };
}

/**
 * Whether the claims of a permit fit the call that is made at `now`; `claims` are what `Seal.open` gave, so they are the
 * gateway's own or `undefined`. Who calls is judged before what is called, so that a stolen permit tells nothing. Of a
 * permit for a single use, the store still has to say that this is the first (`usePermit(jti, expiresAt, now)`).
 */
export function judgePermit(
  claims: Readonly<Record<string, unknown>> | undefined,
  call: PermittedCall,
  now: number,
): PermitVerdict {
  const permit = readPermit(claims);
  if (permit === undefined || permit.iss !== call.gateway) return refused('permit-invalid');
  const { clockSkewMs, permitMs } = ACCESS_LIMITS;
  const endsAt = permit.exp * 1_000;
  if (endsAt > now + permitMs + clockSkewMs) return refused('permit-invalid');
  if (endsAt + clockSkewMs <= now) return refused('permit-expired');
  if (permit.sub !== call.caller) return refused('permit-other-caller');
  const isTarget = (['space', 'agent', 'task', 'remoteTask'] as const).every((name) => permit[name] === call[name]);
  if (permit.aud !== call.gateway || !isTarget) return refused('permit-other-target');
  if (permit.version !== call.version) return refused('permit-version-changed');
  if (permit.operation !== call.operation) return refused('permit-other-operation');
  if (permit.messageSha256 !== call.messageSha256) return refused('permit-other-message');
  return { kind: 'fits', permit, singleUse: isSingleUse(permit.operation), expiresAt: endsAt + 2 * clockSkewMs };
}

/**
 * What of a message is bound to its permit: all but the ids of the agent's task and context, which the gateway puts in
 * itself. The member names are those of A2A 1.0 and 0.3 alike; the message is bound in the version that it is sent in.
 */
export function boundMessage(message: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { taskId: _task, contextId: _context, ...bound } = message;
  return bound;
}

/** What reading again does no harm by may be read until the permit expires. */
function isSingleUse(operation: PermitOperation): boolean {
  return operation === 'send_message' || operation === 'cancel_task';
}

const TEXTS = ['iss', 'aud', 'sub', 'space', 'agent', 'version', 'task', 'jti'] as const;

function readPermit(claims: Readonly<Record<string, unknown>> | undefined): PermitClaims | undefined {
  if (claims === undefined) return undefined;
  const { operation: named, remoteTask, messageSha256, exp } = claims;
  const texts = TEXTS.map((name) => [name, claims[name]] as const);
  const operation = PERMIT_OPERATIONS.find((known) => known === named);
  const isHash = typeof messageSha256 === 'string' && /^[0-9a-f]{64}$/.test(messageSha256);
  if (operation === undefined || typeof exp !== 'number' || !Number.isSafeInteger(exp)) return undefined;
  if (operation === 'send_message' ? !isHash : messageSha256 !== undefined) return undefined;
  if (remoteTask !== undefined && typeof remoteTask !== 'string') return undefined;
  if (!texts.every(([, text]) => typeof text === 'string' && text !== '')) return undefined;
  const text = Object.fromEntries(texts) as Record<(typeof TEXTS)[number], string>;
  const about = remoteTask === undefined ? {} : { remoteTask };
  return { ...text, operation, exp, ...about, ...(isHash ? { messageSha256 } : {}) };
}

function refused(problem: Exclude<PermitProblem, 'permit-used'>): PermitVerdict {
  return { kind: 'refused', problem };
}
