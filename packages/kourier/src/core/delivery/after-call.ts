import { LIMITS } from '../limits.ts';
import { backOffMs } from '../turn/back-off.ts';
import { type Delivery, type PostState, stateOf, type Wanted, withoutState, withState } from './delivery.ts';
import type { DeliveryTimings } from './delivery-timings.ts';
import type { PostCall } from './next-call.ts';

/** What came of a call (`ports/poster.ts`). `place`: below the message that opened the thread. */
export type Outcome =
  | { readonly kind: 'posted'; readonly ref: string; readonly place?: string }
  | { readonly kind: 'found'; readonly refs: readonly string[]; readonly place?: string }
  | { readonly kind: 'edited' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'not-done'; readonly retryAfterMs?: number; readonly untried?: true; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Moment {
  readonly askedMs: number;
  readonly nowMs: number;
  readonly chance: number;
  readonly timings: DeliveryTimings;
  /** Where the call was made, when the thread had no place yet. */
  readonly at?: string;
}

/** What is known after a call. */
export function afterCall(delivery: Delivery, call: PostCall<Wanted>, outcome: Outcome, moment: Moment): Delivery {
  const state = stateOf(delivery, 'post' in call ? call.post.key : call.key);
  if (!state) return delivery;
  if (outcome.kind === 'not-done' && call.kind !== 'post')
    return withState(delivery, notDone(state, call, outcome, moment));
  const placed = 'place' in outcome && outcome.place !== undefined ? { ...delivery, place: outcome.place } : delivery;
  switch (call.kind) {
    case 'post':
      return withState(placed, afterPost(state, call.post, outcome, moment));
    case 'edit':
      return withState(delivery, afterEdit(state, call.post, outcome, moment));
    case 'find':
      return outcome.kind === 'found' ? withState(placed, afterFind(state, outcome.refs, moment)) : delivery;
    case 'remove':
      return afterRemove(delivery, state, call.ref, outcome, moment);
  }
}

function afterPost(state: PostState, { says, live }: Wanted, outcome: Outcome, moment: Moment): PostState {
  const { tries: _, notBeforeMs: __, looks: ___, loose: ____, ...rest } = state;
  switch (outcome.kind) {
    case 'posted':
      return checked({ ...rest, step: 'posted', ref: outcome.ref, says, ...(live ? { loose: true } : {}) }, moment);
    case 'refused':
      return checked({ ...rest, step: 'refused', says }, moment);
    case 'not-done':
      return { ...backedOff(state, outcome, moment), step: 'due' };
    default:
      return { ...state, step: 'looking' };
  }
}

function afterEdit(state: PostState, { says, live }: Wanted, outcome: Outcome, moment: Moment): PostState {
  const { tries: _, notBeforeMs: __, loose: ___, doubtUntilMs, removals, ...rest } = state;
  switch (outcome.kind) {
    case 'edited': {
      const isDoubted = doubtUntilMs !== undefined && (live || moment.askedMs < doubtUntilMs);
      const doubted = isDoubted ? { doubtUntilMs, ...(removals === undefined ? {} : { removals }) } : {};
      return { ...rest, says, ...(live ? { loose: true } : {}), ...doubted };
    }
    case 'gone':
      // A removal of our own that was uncertain came through, and the message is wanted again.
      return { ...rest, step: removals === undefined ? 'gone' : 'removed' };
    case 'refused':
      // The same text would be refused again: what is there stays until there is another one.
      return { ...rest, says };
    default: {
      const { says: _says, ...unsaid } = backedOff(state, {}, moment);
      return { ...unsaid, doubtUntilMs: moment.nowMs + moment.timings.doubtMs };
    }
  }
}

function afterFind(state: PostState, refs: readonly string[], moment: Moment): PostState {
  if (state.step !== 'posting' && state.step !== 'looking') return afterCheck(state, refs);
  const { nowMs, timings, at } = moment;
  const { tries: _, notBeforeMs: __, looks = 0, ...rest } = state;
  if (refs.length > 0) return checked({ ...adopted(rest, refs), ...(at === undefined ? {} : { at }) }, moment);
  if (looks + 1 < timings.looks) {
    return { ...rest, step: 'looking', looks: looks + 1, notBeforeMs: nowMs + timings.lookAgainMs };
  }
  return checked({ ...rest, step: 'due', repeated: true }, moment);
}

/** Whatever else there is with this key is a double: the oldest stays, for it is the one that may have been read. */
function afterCheck(state: PostState, refs: readonly string[]): PostState {
  const { checkAtMs: _, tries: __, notBeforeMs: ___, ...rest } = state;
  if (refs.length === 0) return rest;
  if (state.step === 'refused') return adopted(rest, refs);
  if (state.step !== 'posted') return { ...rest, doubles: refs };
  // The thread's place hangs on the message that opened it; and one that is not there was deleted by somebody.
  if (state.at !== undefined || !refs.includes(state.ref ?? '')) return withDoubles(rest, others(refs, state.ref));
  return refs[0] === state.ref ? withDoubles(rest, refs.slice(1)) : adopted(rest, refs);
}

function adopted(state: PostState, [ref = '', ...doubles]: readonly string[]): PostState {
  const { says, repeated, step, ...rest } = state;
  // Each attempt may have said something else.
  const isKnown = !repeated && step !== 'posted' && step !== 'refused' && says !== undefined;
  const again = repeated ? { repeated } : {};
  return withDoubles({ ...rest, ...again, step: 'posted', ref, ...(isKnown ? { says } : {}) }, doubles);
}

const withDoubles = (state: PostState, doubles: readonly string[]): PostState =>
  doubles.length === 0 ? state : { ...state, doubles };

const others = (refs: readonly string[], ref: string | undefined): readonly string[] => refs.filter((it) => it !== ref);

function afterRemove(delivery: Delivery, state: PostState, ref: string, outcome: Outcome, moment: Moment): Delivery {
  if (outcome.kind === 'unknown') {
    const doubtUntilMs = moment.nowMs + moment.timings.doubtMs;
    return withState(delivery, { ...backedOff(state, {}, moment), doubtUntilMs });
  }
  const { tries: _, notBeforeMs: __, doubles = [], ...rest } = state;
  if (doubles.includes(ref)) return withState(delivery, withDoubles(rest, others(doubles, ref)));
  if (outcome.kind === 'gone' && state.removals === 1) return withState(delivery, { ...state, step: 'gone' });
  if (state.checkAtMs === undefined && doubles.length === 0) return withoutState(delivery, state.key);
  const { ref: ___, says: ____, loose: _____, doubtUntilMs: ______, removals: _______, ...removed } = rest;
  return withState(delivery, withDoubles({ ...removed, step: 'removed' }, doubles));
}

function notDone(
  state: PostState,
  call: PostCall<Wanted>,
  outcome: { readonly retryAfterMs?: number; readonly untried?: true },
  moment: Moment,
): PostState {
  const { removals, ...rest } = backedOff(state, outcome, moment);
  const before = (removals ?? 0) - (call.kind === 'remove' && call.ref === state.ref ? 1 : 0);
  return before <= 0 ? rest : { ...rest, removals: before };
}

/** One that was posted again may have a double: a request that was late for both looks. */
function checked(state: PostState, { nowMs, timings }: Moment): PostState {
  return state.repeated ? { ...state, checkAtMs: nowMs + timings.checkAfterMs } : state;
}

function backedOff(
  state: PostState,
  { retryAfterMs = 0, untried }: { readonly retryAfterMs?: number; readonly untried?: true },
  moment: Moment,
): PostState {
  const { nowMs, chance, timings } = moment;
  if (untried) return { ...state, notBeforeMs: nowMs + Math.min(retryAfterMs, LIMITS.retryAfterMs) };
  const { tries = 0 } = state;
  const ownMs = backOffMs(tries, { initialMs: timings.backOffInitialMs, maxMs: timings.backOffMaxMs }, chance);
  const waitMs = Math.max(ownMs, Math.min(retryAfterMs, LIMITS.retryAfterMs));
  return { ...state, tries: tries + 1, notBeforeMs: nowMs + waitMs };
}
