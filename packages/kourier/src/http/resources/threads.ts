import type { Registry } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import type { ThreadFeed } from '../../ports/thread-feed.ts';
import type { CourierDoor, Opening } from '../courier-door.ts';
import { problem } from '../problem.ts';
import { get, json, post, type Route } from '../route.ts';
import type { NewThread } from '../schemas/requests.ts';
import { bindingNotFound, stopping, threadFull, writer } from './taking.ts';
import { threadIn, threadNotFound } from './thread-id.ts';
import { traceIn } from './trace-parent.ts';

export interface ThreadsOptions {
  readonly courier: Pick<CourierDoor, 'open'>;
  readonly store: Pick<Store, 'timeline'>;
  readonly feed: Pick<ThreadFeed, 'overlay'>;
  readonly registry: Pick<Registry, 'current'>;
}

export function threadsResource(options: ThreadsOptions): readonly Route[] {
  return [opening(options), reading(options)];
}

function opening({ courier, registry }: ThreadsOptions): Route {
  return post(
    '/api/v1/threads',
    'NewThread',
    {
      summary: 'Opens a thread with its first message; durable when answered',
      answers: {
        201: { description: 'Opened', schema: 'ThreadOpened' },
        200: {
          description: 'The idempotency key was known: the thread and turn of the first time',
          schema: 'ThreadOpened',
        },
      },
      problems: ['binding-not-found', 'binding-not-web', 'message-too-large', 'thread-full', 'stopping'],
    },
    async (c, body) => {
      const binding = registry.current().bindings.get(body.binding);
      if (binding === undefined) return bindingNotFound();
      if (binding.chat.platform !== 'web') {
        return problem(
          'binding-not-web',
          'Write to the agent where its binding says, or choose a binding of platform web.',
        );
      }
      const taken = await courier.open(openingOf(body, traceIn(c)));
      if (taken.kind === 'no-binding') return bindingNotFound();
      if (taken.kind === 'full') return threadFull();
      if (taken.kind === 'stopping') return stopping();
      const { kind, thread, turnId } = taken;
      const location = { location: `/api/v1/threads/${thread}` };
      return json({ thread, turnId }, kind === 'accepted' ? 201 : 200, location);
    },
  );
}

function openingOf({ binding, text, actor, idempotencyKey }: NewThread, traceId: string | undefined): Opening {
  return {
    binding,
    text,
    actor: writer(actor),
    ...(idempotencyKey === undefined ? {} : { key: `api/${idempotencyKey}` }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}

function reading({ store, feed }: ThreadsOptions): Route {
  return get(
    '/api/v1/threads/:id',
    {
      summary: 'The timeline of a thread, with the text of an answer that is on its way',
      answers: { 200: { description: 'The timeline', schema: 'Timeline' } },
      problems: ['thread-not-found'],
    },
    async (c) => {
      const thread = threadIn(c);
      const timeline = thread === undefined ? undefined : await store.timeline(thread);
      if (timeline === undefined) return threadNotFound();
      const { id, binding, status, revision, entries } = feed.overlay(timeline);
      return json({ id, binding, status, revision, entries });
    },
  );
}
