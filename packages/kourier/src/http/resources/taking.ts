import type { Actor } from '../../core/thread/entry.ts';
import type { Binding } from '../../ports/registry.ts';
import type { NotTaken, Taken } from '../courier-door.ts';
import { problem } from '../problem.ts';
import { json } from '../route.ts';

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

/** Whether a thread of it can begin with us: on the web, or in a channel of its platform. */
export function startsThreads({ chat }: Binding): boolean {
  return chat.platform === 'web' || chat.channels.length > 0;
}

export function noChannel(): Response {
  const detail = 'Give the binding a channel under chat.channels: a thread that a trigger starts stands in the first.';
  return problem('binding-without-channel', detail);
}

export function threadFull(): Response {
  const detail = 'Wait until a turn of this thread has ended, then send the message again.';
  return problem('thread-full', detail, { headers: { 'retry-after': '5' } });
}

export function stopping(): Response {
  return problem('stopping', 'Send the message again in a few seconds.', { headers: { 'retry-after': '5' } });
}

/** The answer to a trigger. */
export function triggerTaken(taken: Taken | NotTaken<'full' | 'no-binding' | 'stopping'>): Response {
  if (taken.kind === 'no-binding') return bindingNotFound();
  if (taken.kind === 'full') return threadFull();
  if (taken.kind === 'stopping') return stopping();
  const { thread, turnId } = taken;
  return json({ thread, ...(turnId === undefined ? {} : { turnId }) }, 202);
}
