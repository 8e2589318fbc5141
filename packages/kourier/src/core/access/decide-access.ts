import { mayActAs, type Principal, principalKey, type Role, roleIn } from './principal.ts';

/** What there is to do in a Space, and the least role that may. */
export const SPACE_OPERATIONS = {
  'see-space': 'caller',
  discover: 'caller',
  route: 'caller',
  'read-agent': 'caller',
  call: 'caller',
  'read-own-tasks': 'caller',
  register: 'publisher',
  'read-revisions': 'publisher',
  connect: 'publisher',
  /** At an address inside: it is reached without the guard, so whoever names one can make the gateway call anything. */
  'register-inside': 'operator',
  approve: 'operator',
  /** Whoever could would register another one in its place, which nobody had approved. */
  remove: 'operator',
  'read-all-tasks': 'operator',
  'read-outbox': 'operator',
  'replay-outbox': 'operator',
} as const satisfies Readonly<Record<string, Role>>;
export type SpaceOperation = keyof typeof SPACE_OPERATIONS;

/**
 * `hidden` answers like a Space that is not there (404): what is not a principal's own it must not learn of. `forbidden`
 * (403) is said only to who may see the Space anyway.
 */
export type AccessDecision = 'allowed' | 'hidden' | 'forbidden';

type OwnedSpace = { readonly id: string; readonly tenant: string };

/** Whether a principal may do this in a Space; `undefined` is a Space that is not there. */
export function decideAccess(
  principal: Principal,
  space: OwnedSpace | undefined,
  operation: SpaceOperation,
): AccessDecision {
  const role = space === undefined ? undefined : roleIn(principal, space);
  if (role === undefined) return 'hidden';
  return mayActAs(role, SPACE_OPERATIONS[operation]) ? 'allowed' : 'forbidden';
}

/**
 * Whether a principal may read a task, or act on it: send to it, follow it, cancel it. `undefined` is a task that is not
 * there. Only who began a task acts on it, operators included: the agent is told who calls. Never `forbidden`, which
 * would say that there is one.
 */
export function decideTaskAccess(
  principal: Principal,
  space: OwnedSpace | undefined,
  task: { readonly space: string; readonly caller: string } | undefined,
  operation: 'read' | 'act',
): Exclude<AccessDecision, 'forbidden'> {
  if (task === undefined || task.space !== space?.id || decideAccess(principal, space, 'call') !== 'allowed')
    return 'hidden';
  if (task.caller === principalKey(principal)) return 'allowed';
  return operation === 'read' && decideAccess(principal, space, 'read-all-tasks') === 'allowed' ? 'allowed' : 'hidden';
}
