import type { ThreadId } from '../../core/thread/ids.ts';
import { problem } from '../problem.ts';
import type { HttpContext } from '../route.ts';

/** The thread that the path names; `undefined` when it can be none. Ids are opaque, so only their alphabet is known. */
export function threadIn(c: HttpContext): ThreadId | undefined {
  const id = c.req.param('id') ?? '';
  return /^[\w.:~-]{1,256}$/.test(id) ? (id as ThreadId) : undefined;
}

export function threadNotFound(): Response {
  return problem('thread-not-found', 'Use a thread id as POST /api/v1/threads answered it.');
}
