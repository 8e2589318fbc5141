import { NOTICES } from '../thread/notice.ts';
import { spaceUnreachable } from './decide-choice.ts';
import { type Case, type Decision, settle, takeStep } from './decision.ts';
import { busyNoticeDueMs, isGivenUp, tellBusy, type Wait } from './retry.ts';
import type { Turn } from './turn.ts';

/** When a waiting turn wants to be woken: at the end of its wait, when its request expires, or to tell that the agent is busy. */
export function nextWakeMs(turn: Turn, busyNoticeAfterMs: number): number | undefined {
  if (turn.step.kind === 'ask') return turn.step.untilMs;
  if (turn.step.kind !== 'wait') return undefined;
  return Math.min(turn.step.untilMs, busyNoticeDueMs(turn, busyNoticeAfterMs) ?? Number.POSITIVE_INFINITY);
}

export function wake(of: Case, { untilMs, then }: Wait): Decision {
  const told = tellBusy(of);
  if (of.atMs < untilMs) return told;
  if (isGivenUp(of) && (then.kind === 'send' || then.kind === 'look-up'))
    return settle(of, 'unreachable', [NOTICES.unreachable]);
  if (isGivenUp(of) && then.kind === 'choose') return spaceUnreachable(of);
  return takeStep({ ...of, turn: told.thread.turn ?? of.turn }, then, told.notices);
}
