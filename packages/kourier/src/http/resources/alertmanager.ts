import type { Registry } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import type { CourierDoor } from '../courier-door.ts';
import { json, post, type Route } from '../route.ts';
import type { AlertGroup } from '../schemas/requests.ts';
import { alertPlace } from './alert-group.ts';
import { alertOpening } from './alert-opening.ts';
import { alertResolved } from './alert-resolved.ts';
import { bindingNotFound, noChannel, startsThreads, stopping, threadFull, triggerTaken } from './taking.ts';

export interface AlertmanagerOptions {
  readonly courier: Pick<CourierDoor, 'open' | 'say'>;
  readonly store: Pick<Store, 'threadAt'>;
  readonly registry: Pick<Registry, 'current'>;
}

/**
 * Alertmanager's webhook, for a binding of any platform. A group is a thread, each new set of firing alerts a turn in
 * it. What is resolved is said in the same thread and starts none: the next turn carries it. A group that has no thread
 * gets none for what is over.
 */
export function alertmanagerResource(options: AlertmanagerOptions): readonly Route[] {
  return [
    post(
      '/hooks/alertmanager/:binding',
      'AlertGroup',
      {
        summary:
          'Takes a notification of Alertmanager: one thread for a group, a turn for each new firing set, a line for what is resolved',
        answers: { 202: { description: 'Taken, known already, or nothing to say', schema: 'TriggerTaken' } },
        problems: ['binding-not-found', 'binding-without-channel', 'thread-full', 'stopping'],
      },
      async (c, group) => {
        const name = c.req.param('binding') ?? '';
        const binding = options.registry.current().bindings.get(name);
        if (binding === undefined) return bindingNotFound();
        if (!startsThreads(binding)) return noChannel();
        // Before the turn of what fires, which carries it.
        const resolved = await sayResolved(options, name, group);
        if (resolved instanceof Response) return resolved;
        const opening = alertOpening(name, group);
        return opening === undefined ? json(resolved, 202) : triggerTaken(await options.courier.open(opening));
      },
    ),
  ];
}

/** Where it was said, or why it was not. */
async function sayResolved(
  { courier, store }: AlertmanagerOptions,
  binding: string,
  group: AlertGroup,
): Promise<Response | { readonly thread?: string }> {
  const saying = alertResolved(group);
  if (saying === undefined) return {};
  const thread = await store.threadAt(binding, alertPlace(group));
  if (thread === undefined) return {};
  const taken = await courier.say(thread, saying);
  if (taken.kind === 'full') return threadFull();
  if (taken.kind === 'stopping') return stopping();
  return taken.kind === 'missing' ? {} : { thread };
}
