import { type Delivery, stateOf, type Wanted, withState } from './delivery.ts';
import type { PostCall } from './next-call.ts';

/**
 * What must be durable before a call is made: the intent of a post, and that a message may say something else than is
 * recorded. The same delivery: nothing. `at`: the post opens the thread there.
 */
export function beforeCall(delivery: Delivery, call: PostCall<Wanted>, nowMs: number, at?: string): Delivery {
  if (call.kind !== 'post' && call.kind !== 'edit') return delivery;
  const { key, says, live } = call.post;
  const state = stateOf(delivery, key);
  if (call.kind === 'edit') return state && !state.loose ? withState(delivery, { ...state, loose: true }) : delivery;
  const { looks: _, notBeforeMs: __, loose: ___, ...before } = state ?? { key };
  return withState(delivery, {
    ...before,
    ...{ key, step: 'posting', says, intentMs: nowMs, sinceMs: state?.sinceMs ?? nowMs },
    ...(live ? { loose: true } : {}),
    ...(at === undefined ? {} : { at }),
  });
}
