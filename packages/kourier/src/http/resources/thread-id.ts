import type { ThreadId } from '../../core/thread/ids.ts';
import { problem } from '../problem.ts';
import type { HttpContext } from '../route.ts';

/** The thread that the path names; `undefined` when it can be none. */
export function threadIn(c: HttpContext): ThreadId | undefined {
  return idIn(c) as ThreadId | undefined;
}

/** The id that the path names; `undefined` when it can be none. */
export function idIn(c: HttpContext): string | undefined {
  const id = c.req.param('id') ?? '';
  return isId(id) ? id : undefined;
}

/** Ids are opaque, so only their alphabet is known. */
export function isId(text: string): boolean {
  return /^[\w.:~-]{1,256}$/.test(text);
}

export function threadNotFound(): Response {
  return problem('thread-not-found', 'Use a thread id as POST /api/v1/threads answered it.');
}
