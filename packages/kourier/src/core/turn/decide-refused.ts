import { agentBlocked, cardRefused, NOTICES } from '../thread/notice.ts';
import type { Failure } from './call-outcome.ts';
import { type Case, type Decision, settle } from './decision.ts';

type Refusal = Extract<Failure, { kind: 'refused' | 'credentials' | 'blocked' | 'identity' }>;

const REFUSALS: ReadonlySet<string> = new Set([
  'refused',
  'credentials',
  'blocked',
  'identity',
] satisfies Refusal['kind'][]);

export const isRefusal = (result: { readonly kind: string }): result is Refusal => REFUSALS.has(result.kind);

/** Final at any call: no retry would change it (rules D1, D3, D4, E1, E2), or only what somebody decides at the Space (C8). */
export function settleRefused(of: Case, failure: Refusal): Decision {
  switch (failure.kind) {
    case 'refused':
      return settle(of, 'refused', [cardRefused(failure.reason)]);
    case 'credentials':
      return settle(of, 'refused', [NOTICES.credentialsRejected]);
    case 'blocked':
      return settle(of, 'refused', [agentBlocked(failure.reason, failure.agent)]);
    case 'identity':
      return settle(of, 'refused', [NOTICES.identityRefused]);
  }
}
