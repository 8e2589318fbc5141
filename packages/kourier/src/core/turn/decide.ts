import type { TaskId } from '../thread/ids.ts';
import { NOTICES } from '../thread/notice.ts';
import type { Thread } from '../thread/thread.ts';
import { afterAnswer, afterAnswerCheck, afterTypedCheck, answerGiven, answerRefused, typed } from './decide-answer.ts';
import { afterCancel, afterCancelCheck, stop } from './decide-cancel.ts';
import { afterChoice } from './decide-choice.ts';
import { afterRead, afterSubscription } from './decide-follow.ts';
import { expire, pause } from './decide-request.ts';
import { afterLookup, afterSend } from './decide-send.ts';
import { type Case, cancelFirst, type Decision, goOn, type Rules, takeStep } from './decision.ts';
import type { TurnEvent } from './event.ts';
import type { Step, Turn } from './turn.ts';
import { wake } from './wake.ts';

/**
 * The one door of the core: an event in, the thread and what is owed next out. Pure and total: an event that does not
 * fit the turn's step (it came late) changes nothing.
 */
export function decide(thread: Thread, event: TurnEvent, rules: Rules): Decision {
  const { turn } = thread;
  if (event.kind === 'turn-taken') return turn ? { thread, notices: [] } : begin(thread, event, rules);
  if (!turn) return { thread, notices: [] };
  const hasText = 'reply' in event && event.reply.hasText;
  const of: Case = { ...rules, thread, turn, atMs: event.atMs, chance: event.chance, hasText };
  return decideStep(of, event) ?? { thread, notices: [] };
}

type TurnTaken = Extract<TurnEvent, { kind: 'turn-taken' }>;

/** Each kind of result belongs to a kind of step. */
function decideStep(of: Case, event: Exclude<TurnEvent, { kind: 'turn-taken' }>): Decision | undefined {
  const { step } = of.turn;
  switch (event.kind) {
    case 'taken-up':
      return takeUp(of);
    case 'named':
      return name(of, event);
    case 'reply-grew':
      return undefined;
    case 'stop-asked':
      return event.turn === undefined || event.turn === of.turn.id ? stop(of) : undefined;
    case 'paused':
      return isStream(step) ? pause(of, event.status, true) : undefined;
    case 'answer-given':
      return answerGiven(of, event);
    case 'answer-refused':
      return answerRefused(of, event.actor);
    case 'typed':
      return typed(of, event.typed);
    case 'woke':
      return awake(of);
    case 'stream-ended':
      return afterStreamEnd(of, event);
    case 'chosen':
      return step.kind === 'choose' ? afterChoice(of, step, event.choice) : undefined;
    case 'looked-up':
      return step.kind === 'look-up' ? afterLookup(of, event.lookup) : undefined;
    case 'task-read':
      return afterTaskRead(of, event);
    case 'cancel-answered':
      return step.kind === 'cancel' ? afterCancel(of, event, step) : undefined;
  }
}

const isStream = ({ kind }: Step): boolean => kind === 'send' || kind === 'subscribe' || kind === 'answer';

function awake(of: Case): Decision | undefined {
  const { step, request } = of.turn;
  if (step.kind === 'wait') return wake(of, step);
  return step.kind === 'ask' && request && of.atMs >= step.untilMs ? expire(of, request) : undefined;
}

function afterStreamEnd(of: Case, event: Extract<TurnEvent, { kind: 'stream-ended' }>): Decision | undefined {
  switch (of.turn.step.kind) {
    case 'send':
      return afterSend(of, event);
    case 'subscribe':
      return afterSubscription(of, event);
    case 'answer':
      return afterAnswer(of, event);
    default:
      return undefined;
  }
}

function afterTaskRead(of: Case, event: Extract<TurnEvent, { kind: 'task-read' }>): Decision | undefined {
  const { step } = of.turn;
  switch (step.kind) {
    case 'read':
      return afterRead(of, event, step.final);
    case 'check-cancel':
      return afterCancelCheck(of, event, step);
    case 'check-answer':
      return afterAnswerCheck(of, event);
    case 'check-typed':
      return afterTypedCheck(of, event, step.typed);
    default:
      return undefined;
  }
}

function begin(thread: Thread, { turn: { words, ...turn }, atMs }: TurnTaken, { choosesAgent }: Rules): Decision {
  const step: Step = choosesAgent && thread.agent === undefined ? { kind: 'choose', words } : { kind: 'send' };
  const begun: Turn = { ...turn, step, failures: 0, lifeAtMs: atMs };
  return { thread: { ...thread, turn: begun }, notices: [] };
}

/**
 * After a restart a step is performed again; only a send is not, because it may have been done: its task is read
 * (rule M2), an answer's too, or looked for in the context that it went into (rule M5), and else it is sent with the same id (rule R9).
 */
function takeUp({ turn: left, ...rest }: Case): Decision {
  // While nobody listened nobody could see a sign of life (rule M4).
  const turn: Turn = { ...left, lifeAtMs: rest.atMs };
  const of: Case = { ...rest, turn };
  const { thread } = of;
  if (turn.step.kind === 'send') {
    if (turn.taskId !== undefined) return takeStep(of, { kind: 'read', final: false });
    return takeStep(of, thread.contextId === undefined ? { kind: 'send' } : { kind: 'look-up' });
  }
  const { step, request } = turn;
  if (step.kind === 'answer') return takeStep(of, { kind: 'check-answer' });
  if (step.kind === 'subscribe' || step.kind === 'read') return takeStep(of, { kind: 'read', final: false });
  const isTyped = step.kind === 'check-typed' || (step.kind === 'wait' && step.then.kind === 'check-typed');
  return isTyped && request ? takeStep(of, { kind: 'ask', untilMs: request.untilMs }) : goOn(of, turn);
}

/** The task is recorded, and the context kept; another context than before is told (rule R3). */
function name(of: Case, { taskId, contextId }: Extract<TurnEvent, { kind: 'named' }>): Decision {
  const { thread, turn } = of;
  const lost = contextId !== undefined && thread.contextId !== undefined && thread.contextId !== contextId;
  const notices = lost ? [NOTICES.contextLost] : [];
  const named: Case = { ...of, thread: contextId === undefined ? thread : { ...thread, contextId } };
  const recorded = taskId === undefined || taskId === turn.taskId ? turn : record(turn, taskId, of.atMs);
  if (turn.stopping && taskId !== undefined) return cancelFirst({ ...named, turn: recorded }, 'stop', notices);
  return goOn(named, recorded, notices);
}

/** From here on the task is followed: what was counted for the send begins anew. */
function record({ troubleSinceMs: _, busySinceMs: __, ...turn }: Turn, taskId: TaskId, atMs: number): Turn {
  return { ...turn, taskId, lifeAtMs: atMs, failures: 0 };
}
