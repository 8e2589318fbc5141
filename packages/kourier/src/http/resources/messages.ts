import type { CourierDoor, Saying } from '../courier-door.ts';
import { json, post, type Route } from '../route.ts';
import type { NewMessage } from '../schemas/requests.ts';
import { stopping, threadFull, writer } from './taking.ts';
import { threadIn, threadNotFound } from './thread-id.ts';
import { traceIn } from './trace-parent.ts';

export function messagesResource({ courier }: { readonly courier: Pick<CourierDoor, 'say'> }): readonly Route[] {
  return [
    post(
      '/api/v1/threads/:id/messages',
      'NewMessage',
      {
        summary: 'Writes a message into a thread; durable when answered',
        answers: {
          202: { description: 'Taken', schema: 'MessageTaken' },
          200: { description: 'The idempotency key was known: the turn of the first time', schema: 'MessageTaken' },
        },
        problems: ['thread-not-found', 'message-too-large', 'thread-full', 'stopping'],
      },
      async (c, body) => {
        const thread = threadIn(c);
        if (thread === undefined) return threadNotFound();
        const taken = await courier.say(thread, sayingOf(body, traceIn(c)));
        if (taken.kind === 'missing') return threadNotFound();
        if (taken.kind === 'full') return threadFull();
        if (taken.kind === 'stopping') return stopping();
        const { kind, turnId } = taken;
        return json(turnId === undefined ? {} : { turnId }, kind === 'accepted' ? 202 : 200);
      },
    ),
  ];
}

function sayingOf({ text, actor, mention = true, idempotencyKey }: NewMessage, traceId: string | undefined): Saying {
  return {
    text,
    actor: writer(actor),
    mention,
    ...(idempotencyKey === undefined ? {} : { key: `api/${idempotencyKey}` }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}
