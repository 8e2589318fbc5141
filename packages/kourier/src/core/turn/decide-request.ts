import { LIMITS } from '../limits.ts';
import type { Status } from '../reply/agent-event.ts';
import { approvalMessage, type REJECTIONS } from '../request/answer-message.ts';
import { auditOf, COURIER } from '../request/audit-of.ts';
import type { Answering, OpenRequest } from '../request/open-request.ts';
import type { Pause } from '../request/pause.ts';
import { readPause } from '../request/read-pause.ts';
import type { RequestEntry } from '../thread/entry.ts';
import type { EntryId, MessageId } from '../thread/ids.ts';
import { NOTICES } from '../thread/notice.ts';
import { closing } from './closing.ts';
import { type Case, cancelFirst, type Decision, goOn, settle, withoutRequest } from './decision.ts';
import type { Step, Turn } from './turn.ts';

/**
 * The task is paused: its request is put to the thread, or, when it cannot be shown or is not allowed, told and
 * cancelled (rules Q2, Q7, M4). The same pause again is not put again.
 */
export function pause(of: Case, status: Status, streaming = false): Decision {
  const { turn, dialect } = of;
  const read = readPause(status, turn.taskId, dialect);
  if (read.kind === 'unusable') return cannotShow(of);
  const { name, says } = read.pause;
  const { request, asked = {}, answers = 0 } = turn;
  if ((asked[name] ?? says) !== says) return cannotShow(of);
  if (request?.name === name && request.entry.state === 'open') return awaitPerson(of, request, streaming);
  const known = { ...asked, [name]: says };
  if (Math.max(Object.keys(known).length, answers) > LIMITS.pausesPerTurn) return cannotShow(of);
  const before = closing(of);
  const opened = open({ ...of, turn: { ...withoutRequest(turn), asked: known } }, read.pause, streaming);
  const { requests = [], audit = [] } = opened;
  return { ...opened, requests: [...before.requests, ...requests], audit: [...before.audit, ...audit] };
}

function cannotShow(of: Case): Decision {
  if (of.turn.taskId === undefined) return settle(of, 'pause-unusable', [NOTICES.pauseUnusable]);
  return cancelFirst(of, 'pause', [NOTICES.pauseUnusable]);
}

function open(of: Case, pause: Pause, streaming: boolean): Decision {
  const { interactions } = of;
  const allowed = pause.type === 'tool-approval' ? interactions.toolApprovals : interactions.questions;
  if (allowed) {
    const request = openRequest(of, pause, allowed.timeoutMs);
    return { ...awaitPerson(of, request, streaming), requests: [request.entry] };
  }
  if (pause.type === 'tool-approval') return deny(of, { ...openRequest(of, pause, 0), unseen: true }, 'not-allowed');
  return cancelFirst(of, 'request', [NOTICES.questionNotAllowed]);
}

/** A pause that comes again after it was answered takes its old place in the timeline. */
function openRequest({ turn, atMs, interactions }: Case, pause: Pause, timeoutMs: number): OpenRequest {
  const { type, heading, questions, tools, name, says, echo } = pause;
  const number = Object.keys(turn.asked ?? {}).indexOf(name) + 1;
  const approvers = type === 'tool-approval' ? interactions.toolApprovals?.approvers : undefined;
  const untilMs = atMs + timeoutMs;
  const entry: RequestEntry = {
    kind: 'request',
    id: `${turn.id}.request.${number}` as EntryId,
    turnId: turn.id,
    type,
    state: 'open',
    heading,
    questions,
    tools,
    ...(approvers === undefined ? {} : { approvers }),
    until: new Date(untilMs).toISOString(),
  };
  return { entry, name, says, ...(echo === undefined ? {} : { echo }), askedAtMs: atMs, untilMs };
}

/** A stream that brought the pause may bring its task too, so it goes on; a person is awaited all the same (decision 2). */
export function awaitPerson(of: Case, request: OpenRequest, streaming: boolean): Decision {
  const step: Step = streaming ? of.turn.step : { kind: 'ask', untilMs: request.untilMs };
  return goOn(of, { ...withoutRequest(of.turn), request, failures: 0, step });
}

/** Nobody answered in time: a question is cancelled, an approval denied (rules M4, Q9). */
export function expire(of: Case, request: OpenRequest): Decision {
  const entry: RequestEntry = { ...request.entry, state: 'expired' };
  const expired = { ...request, entry };
  if (entry.type === 'tool-approval') return { ...deny(of, expired, 'expired'), requests: [entry] };
  const without: Case = { ...of, turn: withoutRequest(of.turn) };
  const audit = [auditOf(of, entry, { decision: 'expired', actor: COURIER })];
  return { ...cancelFirst(without, 'request', [NOTICES.requestExpired]), requests: [entry], audit };
}

/** The courier's own denial, under its own name and with its own reason. */
function deny(of: Case, request: OpenRequest, reason: Exclude<keyof typeof REJECTIONS, 'person'>): Decision {
  const approvals = request.entry.tools.map(({ id }) => ({ id, approved: false }));
  const entry: RequestEntry = { ...request.entry, state: 'expired' };
  const messageId = answerId(of.turn, entry);
  const answering = { ...approvalMessage(approvals, reason), messageId, actor: COURIER };
  const turn: Turn = { ...withAnswer(of.turn, { ...request, entry }, answering), step: { kind: 'check-answer' } };
  return { ...goOn(of, turn), audit: [auditOf(of, entry, { decision: reason, actor: COURIER, approvals, messageId })] };
}

/** Each answer has an id of its own (rule S2). */
export const answerId = ({ answers = 0 }: Turn, { id }: RequestEntry): MessageId =>
  `${id}.answer.${answers + 1}` as MessageId;

/** An answer is owed: what was counted for anything else begins anew. */
export function withAnswer(of: Turn, request: OpenRequest, answering: Answering): Turn {
  const { troubleSinceMs: _, busySinceMs: __, busyTold: ___, ...turn } = of;
  return { ...turn, request, answering, answers: (turn.answers ?? 0) + 1, failures: 0 };
}
