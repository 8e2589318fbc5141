import type { Registry } from '../../ports/registry.ts';
import type { CourierDoor } from '../courier-door.ts';
import { json, post, type Route } from '../route.ts';
import { alertOpening } from './alert-opening.ts';
import { bindingNotFound, stopping, threadFull } from './taking.ts';

export interface AlertmanagerOptions {
  readonly courier: Pick<CourierDoor, 'open'>;
  readonly registry: Pick<Registry, 'current'>;
}

/**
 * Alertmanager's webhook. A group is a thread, each new set of firing alerts a turn in it. A notification in which
 * nothing fires starts none and is not kept: it says nothing that an agent is asked to act on.
 */
export function alertmanagerResource({ courier, registry }: AlertmanagerOptions): readonly Route[] {
  return [
    post(
      '/hooks/alertmanager/:binding',
      'AlertGroup',
      {
        summary: 'Takes a notification of Alertmanager: one thread for a group, a turn for each new firing set',
        answers: { 202: { description: 'Taken, known already, or nothing fires', schema: 'AlertTaken' } },
        problems: ['binding-not-found', 'thread-full', 'stopping'],
      },
      async (c, group) => {
        const binding = c.req.param('binding') ?? '';
        if (!registry.current().bindings.has(binding)) return bindingNotFound();
        const opening = alertOpening(binding, group);
        if (opening === undefined) return json({}, 202);
        const taken = await courier.open(opening);
        if (taken.kind === 'no-binding') return bindingNotFound();
        if (taken.kind === 'full') return threadFull();
        if (taken.kind === 'stopping') return stopping();
        const { thread, turnId } = taken;
        return json({ thread, ...(turnId === undefined ? {} : { turnId }) }, 202);
      },
    ),
  ];
}
