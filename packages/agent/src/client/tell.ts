import type { OutgoingCall } from '@agentkourier/a2a/outgoing';
import { readEvent } from '@agentkourier/a2a/read-event';
import { CLIENT_WAITS } from '../limits.ts';
import type { Telling } from './agent-stream.ts';
import type { ClientClock } from './client-clock.ts';
import { AgentError, type Delivery, TransportError } from './client-error.ts';
import { expected, type FollowEnd, follow } from './follow.ts';
import type { FollowOptions } from './follow-patience.ts';
import type { SendResult, StreamResult, TransportFailure } from './outcome.ts';
import type { TaskFold } from './task-fold.ts';
import type { CallOptions, Wire } from './wire.ts';

/** One message, or one task, and how it is listened to. */
export interface Listening {
  readonly wire: Wire;
  readonly clock: ClientClock;
  readonly idleMs: number;
  readonly call: CallOptions;
  readonly fold: TaskFold;
  readonly messageId: string | undefined;
  /** `undefined`: what is lost is not followed. */
  readonly follow: FollowOptions | undefined;
}

/** A call that is answered with a stream. */
export async function* tellStream(listening: Listening, request: OutgoingCall): Telling {
  const { wire, call, fold } = listening;
  let error: FollowEnd;
  try {
    for await (const event of wire.events(request, call, idleOf(listening))) {
      if (fold.take(event)) yield event;
      // The end of a task closes its stream; a pause may leave it open (case C055).
      if (fold.settled && !fold.ended) break;
    }
  } catch (thrown) {
    error = expected(thrown);
    if (error instanceof AgentError && fold.events === 0) throw error;
    if (error instanceof TransportError) fold.name(error.taskId);
  }
  return yield* tellRest(listening, error);
}

/** A task that is known already, from where it is now. */
export async function* tellTask(listening: Listening): Telling {
  return streamResult(listening, yield* follow(following(listening), false));
}

/** A call that is answered once. */
export async function tellOnce(listening: Listening, request: OutgoingCall): Promise<SendResult> {
  const { wire, call, fold, idleMs } = listening;
  let error: FollowEnd;
  try {
    // A blocking call is answered when the task has ended, so its headers may take as long as anything.
    const event = readEvent(await wire.result(request, { ...call, headersMs: idleMs }));
    if (event === undefined || !fold.take(event)) throw new TransportError('The answer is neither task nor message.');
  } catch (thrown) {
    error = expected(thrown);
    if (error instanceof AgentError) throw error;
    fold.name(error.taskId);
  }
  const task = fold.task();
  if (error === undefined && !fold.settled && listening.follow === undefined && task !== undefined) {
    return { kind: 'running', task, text: fold.text() };
  }
  const rest = tellRest(listening, error);
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return value;
  }
}

async function* tellRest(listening: Listening, error: FollowEnd): Telling {
  const { fold } = listening;
  const followed = listening.follow !== undefined && fold.taskId !== undefined && !fold.overLimit;
  if (fold.settled || !followed) return streamResult(listening, error);
  return streamResult(listening, yield* follow(following(listening), true));
}

/** What it came to, or that it came to nothing. */
export function streamResult({ fold, messageId }: Listening, error: FollowEnd, why?: string): StreamResult {
  const outcome = fold.overLimit ? undefined : fold.outcome();
  if (outcome !== undefined) return outcome;
  const failure: TransportFailure = {
    kind: 'transport-failure',
    why: why ?? error?.message ?? endedEarly(fold),
    delivery: deliveryOf(fold, error),
    messageId,
    task: fold.task(),
    text: fold.text(),
    error,
  };
  return failure;
}

function endedEarly(fold: TaskFold): string {
  const state = fold.task()?.status.stateText ?? '';
  return `The stream ended ${state === '' ? 'without a task' : `while the task was in ${state.slice(0, 64)}`}.`;
}

function deliveryOf(fold: TaskFold, error: FollowEnd): Delivery {
  if (fold.events > 0) return 'delivered';
  return error instanceof TransportError ? error.delivery : 'unknown';
}

function following(listening: Listening) {
  const { wire, clock, fold, call, follow: options = {} } = listening;
  return { wire, clock, fold, call, options, idleMs: idleOf(listening) };
}

function idleOf({ fold, idleMs }: Listening): () => number {
  return () => (fold.ended ? CLIENT_WAITS.lingerMs : idleMs);
}
