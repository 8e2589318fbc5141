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
import { afterStream } from './decide-follow.ts';
import { isRefusal, settleRefused } from './decide-refused.ts';
import { answerId, awaitPerson, pause, withClosed, withoutRequest } from './decide-request.ts';
import { settleBy } from './decide-settled.ts';
import { type Case, cancelFirst, type Decision, goOn, overLimit, settleGone, takeStep } from './decision.ts';
import type { TurnEvent } from './event.ts';
import { busy, tryAgain } from './retry.ts';
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

/** Accepted: from its commit on the answer is owed. One decision, whoever else clicks. */
export function answerGiven(of: Case, given: Given): Decision | undefined {
  const { request } = of.turn;
  if (request?.entry.state !== 'open') return undefined;
  const { decision, answered } = record(of, request, given);
  return { ...goOn(of, { ...answered, step: { kind: 'check-answer' } }), ...decision };
}

function record(of: Case, request: OpenRequest, { actor, answers, approvals, prefix }: Given) {
  const entry: RequestEntry = { ...request.entry, state: 'answered', answer: { actor, answers, approvals } };
  const isApproval = entry.type === 'tool-approval';
  const message = isApproval ? approvalMessage(approvals, 'person') : questionsMessage(request.echo, answers, prefix);
  const answering: Answering = { ...message, messageId: answerId(request), actor };
  const { troubleSinceMs: _, busySinceMs: __, busyTold: ___, ...turn } = of.turn;
  const answered: Turn = { ...turn, request: { ...request, entry }, answering, failures: 0 };
  const decided = {
    decision: decisionOf(entry.type, { approvals }),
    actor,
    answers,
    approvals,
    messageId: answering.messageId,
  } as const;
  return { answered, decision: { requests: [entry], audit: [auditOf(of, entry, decided)] } };
}

/**
 * A message was typed while a request is open. A text question: it is the answer, if the task still waits. Any other
 * request: it queues as a turn, and whoever wrote it is pointed to the prompt, once (decision 14).
 */
export function typed(of: Case, message: Typed): Decision | undefined {
  const { request, step } = of.turn;
  if (request?.entry.state !== 'open' || step.kind !== 'ask') return undefined;
  if (request.entry.type === 'text') return takeStep(of, { kind: 'check-typed', typed: message });
  if (request.pointedOut) return undefined;
  return goOn(of, { ...of.turn, request: { ...request, pointedOut: true } }, [NOTICES.answerThePrompt]);
}

export function afterTypedCheck(of: Case, { read, reply }: TaskRead, message: Typed): Decision {
  const { request } = of.turn;
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'not-found') return settleGone(of);
  if (!request || reply.overLimit) return overLimit(of);
  if (read.kind !== 'task') {
    const untilMs = of.atMs + backOffMs(of.turn.failures, retryBackOff(of.timings), of.chance);
    const step = { kind: 'wait', untilMs, then: { kind: 'check-typed', typed: message } } as const;
    return { ...goOn(of, { ...of.turn, failures: of.turn.failures + 1, step }), retry: read.kind };
  }
  if (!stillWaits(of, request, read.status)) return goneOn(of, read.status, reply);
  const { actor, words, prefix } = message;
  const { decision, answered } = record(of, request, { actor, answers: [[words]], approvals: [], prefix });
  return { ...send(of, answered), ...decision, taken: [message.id] };
}

/** GetTask before an answer goes out, and after one whose outcome is unknown (rules M2, T5, R11, decision 3). */
export function afterAnswerCheck(of: Case, { read, reply }: TaskRead): Decision {
  const { request, answering } = of.turn;
  if (!request || !answering) return goneOn(of, { state: 'working', codes: [] }, reply);
  if (isRefusal(read)) return settleRefused(of, read);
  if (read.kind === 'not-found') return settleGone(of);
  if (reply.overLimit) return overLimit(of);
  const answered: Answered = { ...of, request, answering };
  if (read.kind !== 'task') {
    // A task that cannot be read is answered without it; after a send, only the task can say whether it went through.
    return answering.sent ? again(answered, read) : send(of, of.turn);
  }
  if (stillWaits(of, request, read.status)) return answering.refused ? reopen(answered) : send(of, of.turn);
  const late = answering.sent ? [] : [NOTICES.answerTooLate];
  const decision = goneOn(of, read.status, reply);
  return { ...decision, notices: [...late, ...decision.notices] };
}

/** The stream of an answer has ended. Unless the task has moved since, its outcome is unknown. */
export function afterAnswer(of: Case, event: StreamEnded): Decision {
  const { end, reply } = event;
  const { request, answering } = of.turn;
  if (reply.overLimit) return overLimit(of);
  if (!request || !answering || reply.moved) return afterMove(of, event);
  const answered: Answered = { ...of, request, answering };
  if (reply.answeredByMessage) return refuse(answered);
  if (isRefusal(end)) return settleRefused(of, end);
  switch (end.kind) {
    case 'closed':
    case 'cut':
      return again(answered, { kind: 'unknown', why: end.kind });
    case 'unknown':
      return end.code === INTERNAL_ERROR ? reject(answered) : again(answered, end);
    case 'not-sent':
      return again(answered, end);
    case 'busy':
      return busy(of, { kind: 'check-answer' }, end.retryAfterMs);
    case 'not-found':
      return settleGone(of);
    case 'too-large':
      return overLimit(of);
    default:
      return refuse(answered);
  }
}

/** What an agent that refuses an answer says (rule Q12). */
const INTERNAL_ERROR = -32603;

/** The agent has taken the answer: the turn goes on as after any send. */
function afterMove(of: Case, event: StreamEnded): Decision {
  const moved: Case = of.turn.answering ? { ...of, turn: withoutRequest(of.turn) } : of;
  const { settled } = event.reply;
  return settled?.full ? settleBy(moved, settled, event.reply) : afterStream(moved, event);
}

/** The task does not wait for this request any more. */
function goneOn(of: Case, status: Status, reply: TaskRead['reply']): Decision {
  const { turn } = of;
  const without: Case = { ...of, turn: withoutRequest(turn) };
  const decision = (): Decision => {
    if (isPaused(status.state)) return pause(without, status);
    if (isTerminal(status.state)) return settleBy(without, { status, full: true }, reply);
    return goOn(without, { ...without.turn, lifeAtMs: of.atMs, failures: 0, step: { kind: 'subscribe' } });
  };
  const next = decision();
  const { requests = [] } = next;
  const closed = withClosed({ thread: of.thread, notices: [] }, turn, 'canceled').requests ?? [];
  return { ...next, requests: [...closed, ...requests] };
}

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

function again(of: Answered, failure: Failure): Decision {
  return tryAgain(of, { kind: 'check-answer' }, failure, () => reopen(of));
}

function refuse(of: Answered): Decision {
  const answering: Answering = { ...of.answering, refused: true };
  return goOn(of, { ...of.turn, answering, step: { kind: 'check-answer' } });
}

/** The answer came to nothing and the task still waits: another answer may be given (rule R11). A denial of our own is given up with its task. */
function reopen(of: Answered): Decision {
  const { request, turn } = of;
  if (request.entry.state !== 'answered')
    return cancelFirst(of, withoutRequest(turn), 'request', [NOTICES.unreachable]);
  const { answer: _, ...asked } = request.entry;
  const entry: RequestEntry = { ...asked, state: 'open' };
  const reopened: OpenRequest = { ...request, entry, answers: request.answers + 1 };
  const decision = awaitPerson(of, reopened, false);
  return { ...decision, notices: [NOTICES.answerFailed], requests: [entry] };
}

function reject(of: Answered): Decision {
  const { turn, request } = of;
  const requests: RequestEntry[] = request.unseen ? [] : [{ ...request.entry, state: 'failed' }];
  return { ...cancelFirst(of, withoutRequest(turn), 'request', [NOTICES.answerRejected]), requests };
}
