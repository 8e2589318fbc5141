import { LIMITS } from '../limits.ts';
import type { Status } from '../reply/agent-event.ts';
import { approvalMessage, type REJECTIONS } from '../request/answer-message.ts';
import { auditOf } from '../request/audit-of.ts';
import type { OpenRequest } from '../request/open-request.ts';
import type { Pause } from '../request/pause.ts';
import { readPause } from '../request/read-pause.ts';
import type { RequestEntry } from '../thread/entry.ts';
import type { EntryId, MessageId } from '../thread/ids.ts';
import { NOTICES } from '../thread/notice.ts';
import { type Case, cancelFirst, type Decision, goOn, settle } from './decision.ts';
import type { Step, Turn } from './turn.ts';

/** The courier as the one who decides (rule S5). */
const COURIER = { id: 'agent-kourier' } as const;

/**
 * The task is paused: its request is put to the thread, or, when it cannot be shown or is not allowed, told and
 * cancelled (rules Q2, Q7, M4). The same pause again is not put again.
 */
export function pause(of: Case, status: Status, streaming = false): Decision {
  const { turn, dialect } = of;
  const read = readPause(status, turn.taskId, dialect);
  if (read.kind === 'unusable') return cannotShow(of);
  const { name, says } = read.pause;
  const before = turn.asked?.[name];
  if (before !== undefined && before !== says) return cannotShow(of);
  if (turn.request?.name === name && turn.request.entry.state === 'open')
    return awaitPerson(of, turn.request, streaming);
  const asked = { ...turn.asked, [name]: says };
  if (Object.keys(asked).length > LIMITS.pausesPerTurn) return cannotShow(of);
  return open({ ...of, turn: { ...turn, asked } }, read.pause, streaming);
}

function cannotShow(of: Case): Decision {
  if (of.turn.taskId === undefined) return settle(of, 'pause-unusable', [NOTICES.pauseUnusable]);
  return withClosed(cancelFirst(of, withoutRequest(of.turn), 'pause', [NOTICES.pauseUnusable]), of.turn, 'canceled');
}

function open(of: Case, pause: Pause, streaming: boolean): Decision {
  const { interactions, turn } = of;
  const allowed = pause.type === 'tool-approval' ? interactions.toolApprovals : interactions.questions;
  if (allowed) {
    const request = openRequest(of, pause, allowed.timeoutMs);
    return { ...awaitPerson(of, request, streaming), requests: [request.entry] };
  }
  if (pause.type === 'tool-approval') return deny(of, { ...openRequest(of, pause, 0), unseen: true }, 'not-allowed');
  return cancelFirst(of, withoutRequest(turn), 'request', [NOTICES.questionNotAllowed]);
}

function openRequest({ turn, atMs, interactions }: Case, pause: Pause, timeoutMs: number): OpenRequest {
  const number = Object.keys(turn.asked ?? {}).length;
  const { type, heading, questions, tools, name, says, echo } = pause;
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
  return { entry, name, says, ...(echo === undefined ? {} : { echo }), askedAtMs: atMs, untilMs, answers: 0 };
}

/** A stream that brought the pause may bring its task too, so it goes on; a person is awaited all the same (decision 2). */
export function awaitPerson(of: Case, request: OpenRequest, streaming: boolean): Decision {
  const { answering: _, ...turn } = of.turn;
  const step: Step = streaming ? turn.step : { kind: 'ask', untilMs: request.untilMs };
  return goOn(of, { ...turn, request, failures: 0, step });
}

/** Nobody answered in time: a question is cancelled, an approval denied (rules M4, Q9). */
export function expire(of: Case, request: OpenRequest): Decision {
  const entry: RequestEntry = { ...request.entry, state: 'expired' };
  const expired = { ...request, entry };
  if (entry.type === 'tool-approval') return { ...deny(of, expired, 'expired'), requests: [entry] };
  const canceled = cancelFirst(of, { ...of.turn, request: expired }, 'request', [NOTICES.requestExpired]);
  const audit = [auditOf(of, entry, { decision: 'expired', actor: COURIER })];
  return { ...canceled, requests: [entry], audit };
}

/** The courier's own denial, under its own name and with its own reason. */
function deny(of: Case, request: OpenRequest, reason: Exclude<keyof typeof REJECTIONS, 'person'>): Decision {
  const approvals = request.entry.tools.map(({ id }) => ({ id, approved: false }));
  const messageId = answerId(request);
  const entry: RequestEntry = { ...request.entry, state: 'expired' };
  const answering = { ...approvalMessage(approvals, reason), messageId, actor: COURIER };
  const turn: Turn = {
    ...of.turn,
    request: { ...request, entry },
    answering,
    failures: 0,
    step: { kind: 'check-answer' },
  };
  return { ...goOn(of, turn), audit: [auditOf(of, entry, { decision: reason, actor: COURIER, approvals, messageId })] };
}

/** Each answer has an id of its own (rule S2). */
export const answerId = ({ entry, answers }: OpenRequest): MessageId =>
  `${entry.id}.answer.${answers + 1}` as MessageId;

export function withoutRequest({ request: _, answering: __, ...turn }: Turn): Turn {
  return turn;
}

/** The request of a turn that goes on without it. */
export function withClosed(decision: Decision, { request }: Turn, state: RequestEntry['state']): Decision {
  if (request?.entry.state !== 'open') return decision;
  return { ...decision, requests: [{ ...request.entry, state }] };
}
