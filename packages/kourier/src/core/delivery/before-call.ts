import { type Delivery, stateOf, type Wanted, withState } from './delivery.ts';
import type { PostCall } from './next-call.ts';

/**
 * What must be durable before a call is made: the intent of a post, and that a message may say something else than is
 * recorded, or may be removed. The same delivery: nothing. `at`: the post opens the thread there.
 */
export function beforeCall(delivery: Delivery, call: PostCall<Wanted>, nowMs: number, at?: string): Delivery {
  if (call.kind === 'find') return delivery;
  if (call.kind === 'remove') {
    const state = stateOf(delivery, call.key);
    if (!state || state.ref !== call.ref) return delivery;
    return withState(delivery, { ...state, removals: (state.removals ?? 0) + 1 });
  }
  const { key, says, live } = call.post;
  const state = stateOf(delivery, key);
  if (call.kind === 'edit') return state && !state.loose ? withState(delivery, { ...state, loose: true }) : delivery;
  const { looks: _, notBeforeMs: __, loose: ___, removals: ____, doubtUntilMs: _____, ...before } = state ?? { key };
  return withState(delivery, {
    ...before,
    ...{ key, step: 'posting', says, intentMs: nowMs, sinceMs: state?.sinceMs ?? nowMs },
    ...(live ? { loose: true } : {}),
    ...(at === undefined ? {} : { at }),
  });
}
