import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../ports/clock.ts';
import type { Registry } from '../../ports/registry.ts';
import type { CourierDoor } from '../courier-door.ts';
import { problem } from '../problem.ts';
import type { HttpContext, Route } from '../route.ts';
import type { HookEvent } from '../schemas/requests.ts';
import { hookOpening } from './hook-opening.ts';
import { isGenuine, readSigned, SIGNATURE_HEADER, TIMESTAMP_HEADER } from './hook-signature.ts';
import { bindingNotFound, noChannel, startsThreads, triggerTaken } from './taking.ts';

export interface GenericHookOptions {
  readonly courier: Pick<CourierDoor, 'open'>;
  readonly registry: Pick<Registry, 'current'>;
  readonly clock: Pick<Clock, 'now'>;
}

const PATH = '/hooks/generic/';

/** It knows its caller by a signature, so it may be called under any name, unlike the rest of the interface. */
export function isGenericHookCall({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && url.startsWith(PATH);
}

/** A webhook for whatever can sign: an event starts a turn without an actor. Not there for a binding without a secret. */
export function genericHookResource({ courier, registry, clock }: GenericHookOptions): readonly Route[] {
  const bindingOf = (c: HttpContext) => registry.current().bindings.get(c.req.param('binding') ?? '');
  return [
    {
      method: 'post',
      path: `${PATH}:binding`,
      body: 'HookEvent',
      operation: {
        summary: 'Takes a signed event: a turn in a thread of its own, or in the one that it names',
        answers: { 202: { description: 'Taken, or known already', schema: 'TriggerTaken' } },
        problems: [
          'not-found',
          'binding-not-found',
          'binding-without-channel',
          'signature-refused',
          'message-too-large',
          'thread-full',
          'stopping',
        ],
        headers: {
          [TIMESTAMP_HEADER]: {
            ...TEXT,
            description: 'When it was signed: seconds since the epoch, now within 5 minutes.',
          },
          [SIGNATURE_HEADER]: {
            ...TEXT,
            description: '`v1=` and, in hex, the HMAC-SHA256 of `v1:`, the timestamp, `:` and the body.',
          },
        },
      },
      admit(c) {
        const secret = bindingOf(c)?.hooks?.generic?.secret;
        // The same for a name that no binding has: who cannot sign learns no names.
        if (secret === undefined) return problem('not-found', 'No binding of this name takes signed events.');
        const header = (name: string): string => c.req.header(name) ?? '';
        const signed = readSigned(header(TIMESTAMP_HEADER), header(SIGNATURE_HEADER), clock.now());
        if (signed === 'missing') return refused(`Send ${TIMESTAMP_HEADER} and ${SIGNATURE_HEADER}, in their form.`);
        if (signed === 'stale') return refused('Sign it anew, by a clock that is right: this was not signed just now.');
        return (body) => (isGenuine(signed, body, secret) ? undefined : refused('Sign the very bytes of the body.'));
      },
      answer: async (c, read, bytes) => {
        const binding = bindingOf(c);
        if (binding === undefined) return bindingNotFound();
        if (!startsThreads(binding)) return noChannel();
        return triggerTaken(await courier.open(hookOpening(binding.name, read as HookEvent, bytes)));
      },
    },
  ];
}

const TEXT = { type: 'string' } as const;

const refused = (detail: string): Response => problem('signature-refused', detail);
