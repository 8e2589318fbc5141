import { isJson, listOf } from './json.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import type { Endpoint, Json, Revision } from './registered-agent.ts';
import { sameJson } from './same-json.ts';

export const APPROVAL_REASONS = ['endpoints', 'signers', 'security'] as const;
export type ApprovalReason = (typeof APPROVAL_REASONS)[number];

/**
 * Why a new revision waits for an operator: calls would go elsewhere, somebody else vouches for the card, or other
 * credentials are wanted. Empty when it does not. The order of endpoints and signers says nothing.
 */
export function needsApproval(
  before: Pick<Revision, 'card' | 'endpoints' | 'signedBy'>,
  after: Pick<Revision, 'card' | 'endpoints' | 'signedBy'>,
): readonly ApprovalReason[] {
  const same: Readonly<Record<ApprovalReason, boolean>> = {
    endpoints: sameSet(before.endpoints.map(endpointKey), after.endpoints.map(endpointKey)),
    signers: sameSet(before.signedBy, after.signedBy),
    security: sameJson(securityOf(before.card), securityOf(after.card), DIRECTORY_LIMITS.cardChangeDepth),
  };
  return APPROVAL_REASONS.filter((reason) => !same[reason]);
}

function endpointKey({ url, binding, version, tenant }: Endpoint): string {
  return JSON.stringify([url, binding, version, tenant ?? null]);
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every((item) => right.has(item));
}

/** All that a card says of credentials, its skills included. A skill that wants none of its own says nothing. */
function securityOf(card: Json): Json {
  const wanted: Record<string, unknown> = { schemes: card['securitySchemes'] ?? {}, card: requirementsOf(card) };
  for (const skill of listOf(card['skills'])) {
    if (!isJson(skill)) continue;
    const requirements = requirementsOf(skill);
    if (requirements.length > 0) wanted[`skill ${JSON.stringify(skill['id'])}`] = requirements;
  }
  return wanted;
}

function requirementsOf(value: Json): readonly unknown[] {
  return [value['securityRequirements'], value['security']].filter((item) => item !== undefined && item !== null);
}
