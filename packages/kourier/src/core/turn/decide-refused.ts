import { cardRefused, NOTICES } from '../thread/notice.ts';
import type { Failure } from './call-outcome.ts';
import { type Case, type Decision, settle } from './decision.ts';

type Refusal = Extract<Failure, { kind: 'refused' | 'credentials' | 'identity' }>;

export const isRefusal = (result: { readonly kind: string }): result is Refusal =>
  result.kind === 'refused' || result.kind === 'credentials' || result.kind === 'identity';

/** Final at any call: no retry would change it (rules D1, D3, D4, E1, E2). */
export function settleRefused(of: Case, failure: Refusal): Decision {
  switch (failure.kind) {
    case 'refused':
      return settle(of, 'refused', [cardRefused(failure.reason)]);
    case 'credentials':
      return settle(of, 'refused', [NOTICES.credentialsRejected]);
    case 'identity':
      return settle(of, 'refused', [NOTICES.identityRefused]);
  }
}
