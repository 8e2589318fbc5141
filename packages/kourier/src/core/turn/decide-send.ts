import { NOTICES } from '../thread/notice.ts';
import type { Failure, Lookup } from './call-outcome.ts';
import { afterStream } from './decide-follow.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { settleBy } from './decide-settled.ts';
import { type Case, type Decision, goOn, overLimit, settle, takeStep } from './decision.ts';
import type { TurnEvent } from './event.ts';
import { busy, tryAgain } from './retry.ts';

type StreamEnded = Extract<TurnEvent, { kind: 'stream-ended' }>;

/** A send has ended: with the whole turn, with a task to go on with, or with nothing (rules R1, R2, R5, R6, R10). */
export function afterSend(of: Case, { end, reply, lifeAtMs }: StreamEnded): Decision {
  if (reply.overLimit) return overLimit(of);
  if (reply.message) {
    return reply.hasText ? settle(of, 'completed') : settle(of, 'no-output', [NOTICES.noOutput]);
  }
  if (reply.settled?.full) return settleBy(of, reply.settled, reply);
  if (of.turn.taskId !== undefined)
    return afterStream(of, { end, reply, ...(lifeAtMs === undefined ? {} : { lifeAtMs }) });
  if (reply.heard) return settle(of, 'request-failed', [NOTICES.requestFailed]);
  return afterSilence(of, end.kind === 'closed' || end.kind === 'cut' ? { kind: 'unknown', why: end.kind } : end);
}

/** The agent said nothing that could be a reply. */
function afterSilence(of: Case, failure: Failure): Decision {
  if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
  if (isRefusal(failure)) return settleRefused(of, failure);
  switch (failure.kind) {
    case 'too-large':
      return overLimit(of);
    case 'busy':
      return busy(of, { kind: 'send' }, failure.retryAfterMs);
    case 'not-sent':
      return tryAgain(of, { kind: 'send' }, failure, giveUp);
    case 'unknown':
      return tryAgain(of, of.thread.contextId === undefined ? { kind: 'send' } : { kind: 'look-up' }, failure, giveUp);
    default:
      return settle(of, 'request-failed', [NOTICES.requestFailed]);
  }
}

export function afterLookup(of: Case, lookup: Lookup): Decision {
  if (isRefusal(lookup)) return settleRefused(of, lookup);
  switch (lookup.kind) {
    case 'found':
      return goOn(of, {
        ...of.turn,
        taskId: lookup.taskId,
        failures: 0,
        lifeAtMs: of.atMs,
        step: { kind: 'read', final: false },
      });
    case 'absent':
      if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
      return takeStep(of, { kind: 'send' });
    default:
      if (of.turn.stopping) return settle(of, 'canceled', [NOTICES.notSent]);
      return tryAgain(of, { kind: 'look-up' }, lookup, giveUp);
  }
}

const giveUp = (of: Case): Decision => settle(of, 'unreachable', [NOTICES.unreachable]);
