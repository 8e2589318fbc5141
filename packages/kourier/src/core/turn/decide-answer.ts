import type { Status } from '../reply/agent-event.ts';
import { isPaused, isTerminal } from '../reply/task-state.ts';
import { approvalMessage, questionsMessage } from '../request/answer-message.ts';
import { auditOf } from '../request/audit-of.ts';
import { decisionOf } from '../request/decision-of.ts';
import type { Answering, OpenRequest, Typed } from '../request/open-request.ts';
import { readPause } from '../request/read-pause.ts';
import type { Actor, Answers, Approval, RequestEntry } from '../thread/entry.ts';
import { NOTICES } from '../thread/notice.ts';
import { backOffMs, retryBackOff } from './back-off.ts';
import type { Failure } from './call-outcome.ts';
import { closing, hasReached } from './closing.ts';
import { afterStream } from './decide-follow.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { answerId, awaitPerson, expire, pause, withAnswer } from './decide-request.ts';
import { settleBy } from './decide-settled.ts';
import {
  type Case,
  cancelFirst,
  type Decision,
  goOn,
  overLimit,
  settle,
  settleGone,
  takeStep,
  withoutRequest,
} from './decision.ts';
import type { TurnEvent } from './event.ts';
import { busy, isGivenUp, tryAgain } from './retry.ts';
import type { Turn } from './turn.ts';

type StreamEnded = Extract<TurnEvent, { kind: 'stream-ended' }>;
type TaskRead = Extract<TurnEvent, { kind: 'task-read' }>;
type Given = {
  readonly actor: Actor;
  readonly answers: Answers;
  readonly approvals: readonly Approval[];
  readonly prefix: string;
};

/** A turn whose request has an answer that is owed. */
interface Answered extends Case {
  readonly request: OpenRequest;
  readonly answering: Answering;
}

/** Accepted: from its commit on the answer is owed. One decision, whoever else clicks. The time counts, not when the courier wakes up to it. */
export function answerGiven(of: Case, given: Given): Decision | undefined {
  const { request } = of.turn;
  if (request?.entry.state !== 'open') return undefined;
  if (of.atMs >= request.untilMs) return expire(of, request);
  const { decision, answered } = record(of, request, given);
  return { ...goOn(of, { ...answered, step: { kind: 'check-answer' } }), ...decision };
}

/** Nothing changes but the record. */
export function answerRefused(of: Case, actor: Actor): Decision | undefined {
  const { request } = of.turn;
  if (request?.entry.state !== 'open') return undefined;
  return { ...goOn(of, of.turn), audit: [auditOf(of, request.entry, { decision: 'refused', actor })] };
}

function record(of: Case, request: OpenRequest, { actor, answers, approvals, prefix }: Given) {
  const entry: RequestEntry = { ...request.entry, state: 'answered', answer: { actor, answers, approvals } };
  const isApproval = entry.type === 'tool-approval';
  const message = isApproval ? approvalMessage(approvals, 'person') : questionsMessage(request.echo, answers, prefix);
  const messageId = answerId(of.turn, entry);
  const answered = withAnswer(of.turn, { ...request, entry }, { ...message, messageId, actor });
  const decided = { decision: decisionOf(entry.type, { approvals }), actor, answers, approvals, messageId } as const;
  return { answered, decision: { requests: [entry], audit: [auditOf(of, entry, decided)] } };
}

/**
 * A message was typed while a request is open. A text question: it is the answer, if the task still waits. Any other
 * request: it queues as a turn, and whoever wrote it is pointed to the prompt, once (decision 14).
 */
export function typed(of: Case, message: Typed): Decision | undefined {
  const { request, step } = of.turn;
  if (request?.entry.state !== 'open' || step.kind !== 'ask') return undefined;
  if (of.atMs >= request.untilMs) return expire(of, request);
  if (request.entry.type === 'text') return takeStep(of, { kind: 'check-typed', typed: message });
  if (request.pointedOut) return undefined;
  return goOn(of, { ...of.turn, request: { ...request, pointedOut: true } }, [NOTICES.answerThePrompt]);
}

export function afterTypedCheck(of: Case, { read, reply }: TaskRead, message: Typed): Decision {
  const { request } = of.turn;
  if (!request) return followOn(of);
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'not-found') return settleGone(of);
  if (reply.overLimit) return overLimit(of);
  if (read.kind !== 'task') return checkTypedAgain(of, request, read, message);
  if (!stillWaits(of, request, read.status)) return goneOn(of, read.status, reply);
  const { actor, words, prefix } = message;
  const { decision, answered } = record(of, request, { actor, answers: [[words]], approvals: [], prefix });
  return { ...send(of, answered), ...decision, taken: [message.id] };
}

/** The message waits for a task that can be read, but not longer than its question does. */
function checkTypedAgain(of: Case, request: OpenRequest, { kind }: Failure, message: Typed): Decision {
  if (of.atMs >= request.untilMs) return expire(of, request);
  const { failures } = of.turn;
  const untilMs = Math.min(of.atMs + backOffMs(failures, retryBackOff(of.timings), of.chance), request.untilMs);
  const step = { kind: 'wait', untilMs, then: { kind: 'check-typed', typed: message } } as const;
  return { ...goOn(of, { ...of.turn, failures: failures + 1, step }), retry: kind };
}

/** GetTask before an answer goes out, and after one whose outcome is unknown (rules M2, T5, R11, decision 3). */
export function afterAnswerCheck(of: Case, { read, reply }: TaskRead): Decision {
  const { request, answering } = of.turn;
  if (!request || !answering) return followOn(of);
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'not-found') return settleGone(of);
  if (reply.overLimit) return overLimit(of);
  const answered: Answered = { ...of, request, answering };
  if (read.kind !== 'task') return answerUnread(answered, read);
  if (stillWaits(of, request, read.status)) {
    return answering.refused || isGivenUp(of) ? reopen(answered) : send(of, of.turn);
  }
  const isLate = request.entry.state === 'answered' && !hasReached(answering);
  const decision = goneOn(of, read.status, reply);
  return isLate ? { ...decision, notices: [NOTICES.answerTooLate, ...decision.notices] } : decision;
}

/** A task that cannot be read is answered without it; after a send, only the task can say whether it went through. */
function answerUnread(of: Answered, failure: Failure): Decision {
  const { sent, refused } = of.answering;
  if (!isGivenUp(of)) return sent ? again(of, failure) : send(of, of.turn);
  // The agent may have it: what may have been decided is not asked a second time.
  return sent && !refused ? settle(of, 'unreachable', [NOTICES.unreachable]) : reopen(of);
}

/** The stream of an answer has ended. Unless the task has moved since, its outcome is unknown. */
export function afterAnswer(of: Case, event: StreamEnded): Decision {
  const { end, reply } = event;
  const { request, answering } = of.turn;
  if (!request || !answering || reply.moved) return afterMove(of, event);
  if (reply.overLimit) return overLimit(of);
  const answered: Answered = { ...of, request, answering };
  if (reply.answeredByMessage) return refuse(answered);
  if (isRefusal(end)) return settleRefused(unsent(answered), end);
  switch (end.kind) {
    case 'closed':
    case 'cut':
      return again(answered, { kind: 'unknown', why: end.kind });
    case 'unknown':
      return end.code === INTERNAL_ERROR ? reject(answered) : again(answered, end);
    case 'not-sent':
      return again(unsent(answered), end);
    case 'busy':
      return busy(unsent(answered), { kind: 'check-answer' }, end.retryAfterMs);
    case 'too-large':
      return overLimit(of);
    default:
      // A -32001 among them: whether the task is gone is for GetTask to say (case C049).
      return refuse(answered);
  }
}

/** What an agent that refuses an answer says (rule Q12). */
const INTERNAL_ERROR = -32603;

/** The agent has taken the answer: the turn goes on as after any send. */
function afterMove(of: Case, event: StreamEnded): Decision {
  const moved: Case = of.turn.answering ? { ...of, turn: withoutRequest(of.turn) } : of;
  const { reply } = event;
  if (reply.overLimit) return overLimit(moved);
  return reply.settled?.full ? settleBy(moved, reply.settled, reply) : afterStream(moved, event);
}

/** The task does not wait for this request any more. */
function goneOn(of: Case, status: Status, reply: TaskRead['reply']): Decision {
  if (isPaused(status.state)) return pause(of, status);
  if (isTerminal(status.state)) return settleBy(of, { status, full: true }, reply);
  const turn: Turn = { ...withoutRequest(of.turn), lifeAtMs: of.atMs, failures: 0, step: { kind: 'subscribe' } };
  return { ...goOn(of, turn), ...closing(of) };
}

/** Nothing is to be answered any more. */
const followOn = (of: Case): Decision => takeStep(of, { kind: 'read', final: false });

function stillWaits(of: Case, request: OpenRequest, status: Status): boolean {
  const read = readPause(status, of.turn.taskId, of.dialect);
  return read.kind === 'pause' && read.pause.name === request.name && read.pause.says === request.says;
}

/** Committed as sent before it is sent: after a crash, only the task can say whether it was. */
function send(of: Case, turn: Turn): Decision {
  const { answering } = turn;
  if (!answering) return goOn(of, turn);
  return goOn(of, { ...turn, answering: { ...answering, sent: true }, step: { kind: 'answer' } });
}

/** Not sent, or not for certain: the task is read before it is sent again, and once more when the time is up. */
function again(of: Answered, failure: Failure): Decision {
  return tryAgain(of, { kind: 'check-answer' }, failure, () => takeStep(of, { kind: 'check-answer' }));
}

/** The agent certainly has not got it. */
function unsent(of: Answered): Answered {
  const { sent: _, ...answering } = of.answering;
  return { ...of, answering, turn: { ...of.turn, answering } };
}

function refused(of: Answered): Answered {
  const answering: Answering = { ...of.answering, refused: true };
  return { ...of, answering, turn: { ...of.turn, answering } };
}

function refuse(of: Answered): Decision {
  return takeStep(refused(of), { kind: 'check-answer' });
}

/** The answer came to nothing and the task still waits: another answer may be given (rule R11). A denial of our own is given up with its task. */
function reopen(of: Answered): Decision {
  const { request, answering } = of;
  if (request.entry.state !== 'answered') {
    return cancelFirst(of, 'request', [answering.refused ? NOTICES.requestFailed : NOTICES.unreachable]);
  }
  const { answer: _, ...asked } = request.entry;
  const entry: RequestEntry = { ...asked, state: 'open' };
  return {
    ...awaitPerson(of, { ...request, entry }, false),
    notices: [NOTICES.answerFailed],
    requests: [entry],
    audit: closing(of).audit,
  };
}

function reject(of: Answered): Decision {
  return cancelFirst(refused(of), 'request', [NOTICES.answerRejected]);
}
