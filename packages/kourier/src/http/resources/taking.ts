import type { Actor } from '../../core/thread/entry.ts';
import { problem } from '../problem.ts';

/**
 * Who writes. In local mode the caller says so; one who does not is nobody in particular, and still a person: only a
 * trigger's turn goes without an actor (rule S5).
 */
export function writer(actor: Actor | undefined): Actor {
  return actor ?? { id: 'anonymous' };
}

export function bindingNotFound(): Response {
  return problem('binding-not-found', 'Use the name of a binding as GET /api/v1/bindings lists it.');
}

export function threadFull(): Response {
  const detail = 'Wait until a turn of this thread has ended, then send the message again.';
  return problem('thread-full', detail, { headers: { 'retry-after': '5' } });
}

export function stopping(): Response {
  return problem('stopping', 'Send the message again in a few seconds.', { headers: { 'retry-after': '5' } });
}
