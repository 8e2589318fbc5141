import type { CourierDoor } from '../courier-door.ts';
import { json, post, type Route } from '../route.ts';
import { writer } from './taking.ts';
import { threadIn, threadNotFound } from './thread-id.ts';

/** Stopping is safe to repeat: a turn that has just ended is no error, and the answer says whether there was one. */
export function stopResource({ courier }: { readonly courier: Pick<CourierDoor, 'stop'> }): readonly Route[] {
  return [
    post(
      '/api/v1/threads/:id/stop',
      'StopRequest',
      {
        summary: 'Cancels the task under way; queued messages stay',
        answers: { 202: { description: 'Being cancelled, or nothing was under way', schema: 'Stopped' } },
        problems: ['thread-not-found'],
      },
      async (c, { actor }) => {
        const thread = threadIn(c);
        const stopped = thread === undefined ? 'missing' : await courier.stop(thread, writer(actor));
        return stopped === 'missing' ? threadNotFound() : json({ stopping: stopped === 'stopping' }, 202);
      },
    ),
  ];
}
