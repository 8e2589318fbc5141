import type { Reply } from '../core/reply/reply.ts';
import type { RequestEntry } from '../core/thread/entry.ts';
import type { Thread } from '../core/thread/thread.ts';
import type { Decision } from '../core/turn/decision.ts';
import type { Turn } from '../core/turn/turn.ts';
import type { Result } from './perform.ts';
import type { World } from './world.ts';

type Where = { readonly thread: string; readonly turn: string };

const where = (thread: Thread, turn: Turn): Where => ({ thread: thread.id, turn: turn.id });

/** Reports a call that failed; what worked is seen in what follows from it. */
export function reportResult({ observe }: World, thread: Thread, turn: Turn, result: Result): void {
  const outcome = outcomeOf(result);
  if (result.kind === 'stream-ended') {
    observe({ event: 'stream-closed', ...where(thread, turn), dropped: outcome.kind === 'cut' });
  }
  if (OK.has(outcome.kind)) return;
  observe({
    event: 'call-failed',
    ...where(thread, turn),
    call: turn.step.kind,
    kind: outcome.kind,
    why: outcome.why ?? '',
  });
}

const OK = new Set(['agent', 'closed', 'task', 'found', 'absent']);

function outcomeOf(result: Result): { readonly kind: string; readonly why?: string } {
  switch (result.kind) {
    case 'stream-ended':
      return result.end;
    case 'chosen':
      return result.choice;
    case 'looked-up':
      return result.lookup;
    case 'task-read':
    case 'cancel-answered':
      return result.read;
  }
}

/** Reports what a decision came to. `turn` is the one that the event was about. */
export function reportDecision(world: World, turn: Turn, decision: Decision, reply: Reply | undefined): void {
  const { observe, clock } = world;
  const at = where(decision.thread, turn);
  if (decision.notices.some(({ code }) => code === 'credentials-rejected'))
    observe({ event: 'credentials-rejected', ...at });
  for (const request of decision.requests ?? []) reportRequest(world, at, request);
  const { step } = decision.thread.turn ?? {};
  if (decision.retry !== undefined && step?.kind === 'wait') {
    observe({ event: 'retry', ...at, reason: decision.retry, inMs: step.untilMs - clock.now() });
  }
  if (decision.outcome === undefined) return;
  if (decision.outcome === 'no-output' && reply?.statusText) observe({ event: 'status-text-only', ...at });
  const tookMs = clock.now() - turn.acceptedAtMs;
  observe({ event: 'turn-settled', ...at, trace: turn.traceId, outcome: decision.outcome, tookMs });
}

/** A request that opened, also again after a restart, or came to its end. */
export function reportRequest({ observe }: World, at: Where, { type, state }: RequestEntry): void {
  if (state === 'open') observe({ event: 'request-opened', ...at, type });
  else observe({ event: 'request-settled', ...at, type, state });
}
