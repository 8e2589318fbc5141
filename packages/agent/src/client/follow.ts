import { RPC_ERROR } from '@agentkourier/a2a/json-rpc';
import type { StreamEvent } from '@agentkourier/a2a/model';
import { readTask } from '@agentkourier/a2a/read-task';
import { CLIENT_WAITS, FOLLOW_ATTEMPTS } from '../limits.ts';
import { type ClientClock, pause } from './client-clock.ts';
import { AgentError, TransportError } from './client-error.ts';
import { type FollowOptions, FollowPatience } from './follow-patience.ts';
import type { TaskFold } from './task-fold.ts';
import type { CallOptions, Wire } from './wire.ts';

export interface Following {
  readonly wire: Wire;
  readonly clock: ClientClock;
  readonly fold: TaskFold;
  readonly call: CallOptions;
  readonly idleMs: () => number;
  readonly options: FollowOptions;
}

/** What ended the following before the task had ended or paused. */
export type FollowEnd = AgentError | TransportError | undefined;

/**
 * GetTask, then SubscribeToTask, until the task has ended or paused (cases C044, C053, C056, C124). Yields what is new as
 * events: each task that was read is a snapshot, which replaces what was said before.
 */
export async function* follow(following: Following, waitFirst: boolean): AsyncGenerator<StreamEvent, FollowEnd> {
  const { fold, call, options } = following;
  const { attempts = FOLLOW_ATTEMPTS } = options;
  const patience = new FollowPatience(following.clock, options);
  let [lost, subscribes] = [0, true];
  for (let wait = waitFirst; !fold.settled; wait = true) {
    if (wait) {
      if (patience.over) return patience.end();
      await patience.wait(call.signal);
    }
    const before = fold.events;
    let error = yield* look(following, patience);
    if (error === undefined && !fold.settled && subscribes) {
      const seen = fold.events;
      error = yield* subscribe(following);
      // Whatever it was refused for (decision 5), GetTask says what is the matter.
      if (error instanceof AgentError && !isPassing(error)) [subscribes, error] = [false, undefined];
      // A snapshot alone is nothing new: some agents end every subscription with one.
      if (fold.events > seen + 1) patience.renew();
    }
    lost = error === undefined || fold.events > before ? 0 : lost + 1;
    if (error === undefined) continue;
    if (error instanceof AgentError && !isPassing(error)) return error;
    if (lost >= attempts || fold.overLimit) return error;
    if (error instanceof AgentError) patience.waitAtLeast(error.retryAfterMs ?? 0);
  }
  return undefined;
}

/** GetTask. */
async function* look(
  { wire, fold, call }: Following,
  patience?: FollowPatience,
): AsyncGenerator<StreamEvent, FollowEnd> {
  try {
    const task = readTask(await wire.result(wire.encoder.getTask(fold.taskId ?? ''), call));
    if (task === undefined) return new TransportError('The answer to GetTask holds no task.');
    patience?.read(task);
    const event = { kind: 'task', task } as const;
    if (fold.take(event)) yield event;
    return undefined;
  } catch (error) {
    return expected(error);
  }
}

/**
 * SubscribeToTask. Where its first event is no snapshot, what was said between the two calls is missing, so the task is
 * read once more at its end (case C125).
 */
async function* subscribe(following: Following): AsyncGenerator<StreamEvent, FollowEnd> {
  const { wire, fold, call, idleMs } = following;
  let whole: boolean | undefined;
  try {
    for await (const event of wire.events(wire.encoder.subscribe(fold.taskId ?? ''), call, idleMs)) {
      whole ??= event.kind === 'task';
      if (fold.take(event)) yield event;
      if (fold.settled && !fold.ended) break;
    }
  } catch (error) {
    if (!fold.settled) return expected(error);
  }
  if (fold.settled && whole === false) yield* reread(following);
  return undefined;
}

const REREADS = 3;

/** An agent may store the end of a task after it has said it (case C058): nothing older than that is taken. */
async function* reread(following: Following): AsyncGenerator<StreamEvent, void> {
  const { fold, clock, call, options } = following;
  for (let left = REREADS; left > 0; left -= 1) {
    const before = fold.events;
    yield* look(following);
    if (fold.events > before || left === 1) return;
    await pause(clock, options.firstMs ?? CLIENT_WAITS.followFirstMs, call.signal);
  }
}

function isPassing({ status, code }: AgentError): boolean {
  return status === 408 || status === 429 || status >= 500 || code === RPC_ERROR.internalError;
}

/** What a lost or refused call throws; anything else is the caller's own abort, or a bug. */
export function expected(error: unknown): AgentError | TransportError {
  if (error instanceof AgentError || error instanceof TransportError) return error;
  throw error;
}
