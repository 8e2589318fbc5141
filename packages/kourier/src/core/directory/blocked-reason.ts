import type { RegisteredAgent } from './registered-agent.ts';

/** Why an agent cannot be called. Stable: callers see them. */
export const BLOCKED_REASONS = [
  'disabled',
  'approval-pending',
  'card-invalid',
  'signature-required',
  'public-egress-disabled',
  'no-dialer',
  'not-connected',
  'unhealthy',
] as const;
export type BlockedReason = (typeof BLOCKED_REASONS)[number];

/** What a Space allows, and what this gateway has. */
export interface ReachPolicy {
  /** Whether agents of reach `public` are called at all (rule A4). */
  readonly publicEgress: boolean;
  /** Whether a card needs a signature of a configured key. */
  readonly signatureRequired: boolean;
  readonly dialers: ReadonlySet<string>;
}

/**
 * Why an agent is not called; `undefined` when it is callable. The first reason counts, in the order of `BLOCKED_REASONS`:
 * what a person decided, what is known of the card, what the Space allows, and last what may change by itself.
 */
export function blockedReason(
  agent: RegisteredAgent,
  policy: ReachPolicy,
  isConnected: (agentId: string) => boolean,
): BlockedReason | undefined {
  const { current } = agent;
  if (agent.disabled) return 'disabled';
  // What keeps calls from an agent keeps us from its card, too.
  if (current === undefined && agent.pending === undefined)
    return unreachable(agent, policy, isConnected) ?? 'card-invalid';
  if (current === undefined) return 'approval-pending';
  // Without a place that we can call, the card is as good as none (case C005).
  if (current.endpoints.length === 0) return 'card-invalid';
  if (policy.signatureRequired && current.signedBy.length === 0) return 'signature-required';
  return unreachable(agent, policy, isConnected) ?? (agent.health.state === 'unhealthy' ? 'unhealthy' : undefined);
}

function unreachable(
  agent: RegisteredAgent,
  policy: ReachPolicy,
  isConnected: (agentId: string) => boolean,
): BlockedReason | undefined {
  switch (agent.reach) {
    case 'inside':
      return undefined;
    case 'public':
      return policy.publicEgress ? undefined : 'public-egress-disabled';
    case 'vpc':
      // Never the public path in its place (rule A4).
      return agent.dialer !== undefined && policy.dialers.has(agent.dialer) ? undefined : 'no-dialer';
    case 'tunnel':
      return isConnected(agent.id) ? undefined : 'not-connected';
  }
}
