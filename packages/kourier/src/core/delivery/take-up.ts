import { LIMITS } from '../limits.ts';
import type { Delivery, PostState } from './delivery.ts';
import type { DeliveryTimings } from './delivery-timings.ts';

/**
 * A delivery as another process may have left it in the middle. Edits of it may still reach the platform, so what was
 * being edited is in doubt; and no deadline is further away than it could be by this clock.
 */
export function takenUp(delivery: Delivery, nowMs: number, timings: DeliveryTimings): Delivery {
  return { ...delivery, posts: delivery.posts.map((state) => inherited(state, nowMs, timings)) };
}

function inherited(state: PostState, nowMs: number, timings: DeliveryTimings): PostState {
  const { intentMs, notBeforeMs, checkAtMs, doubtUntilMs } = state;
  const isInDoubt =
    doubtUntilMs !== undefined || ((state.loose || state.removals !== undefined) && state.step === 'posted');
  return {
    ...state,
    ...(intentMs === undefined ? {} : { intentMs: Math.min(intentMs, nowMs) }),
    ...(notBeforeMs === undefined ? {} : { notBeforeMs: Math.min(notBeforeMs, nowMs + LIMITS.retryAfterMs) }),
    ...(checkAtMs === undefined ? {} : { checkAtMs: Math.min(checkAtMs, nowMs + timings.checkAfterMs) }),
    ...(isInDoubt ? { doubtUntilMs: nowMs + timings.doubtMs } : {}),
  };
}
