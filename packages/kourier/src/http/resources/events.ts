import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { EventStreams } from '../events/event-streams.ts';
import { problem } from '../problem.ts';
import { get, type HttpContext, type Route } from '../route.ts';
import { threadIn, threadNotFound } from './thread-id.ts';

export function eventsResource(streams: EventStreams): readonly Route[] {
  return [
    get(
      '/api/v1/threads/:id/events',
      {
        summary:
          'A thread as it happens: `entry` with a whole entry, `status` with {"status"}; put an entry over its id',
        answers: { 200: { description: 'Server-sent events', contentType: 'text/event-stream' } },
        problems: ['thread-not-found', 'too-many-streams', 'stopping'],
        query: {
          after: 'A revision that the reader has seen; only later changes are sent. Last-Event-ID goes before it.',
        },
        headers: { 'Last-Event-ID': 'As browsers send it to resume. What is no revision of this thread counts as 0.' },
      },
      async (c) => {
        const thread = threadIn(c);
        if (thread === undefined) return threadNotFound();
        if (c.req.method === 'HEAD') return new Response(null, { headers: { 'content-type': 'text/event-stream' } });
        const opened = await streams.open(c.env.outgoing, thread, revisionIn(c));
        if (opened === 'open') return RESPONSE_ALREADY_SENT;
        if (opened === 'missing') return threadNotFound();
        const headers = { 'retry-after': '5' };
        if (opened === 'stopping') return problem('stopping', 'Come back in a few seconds.', { headers });
        return problem('too-many-streams', 'Close streams that nobody reads, or read the thread by GET.', { headers });
      },
    ),
  ];
}

function revisionIn(c: HttpContext): number {
  const text = c.req.header('last-event-id') ?? c.req.query('after') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}
