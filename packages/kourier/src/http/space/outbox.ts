import { UnknownCursor } from '../../ports/space/space-store.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { notThere } from './agents.ts';
import { answer, timeText } from './answers.ts';
import type { InterfaceParts } from './interface-parts.ts';
import { SpaceRefusal } from './space-problem.ts';
import { type SpaceRoute, spaceGet, spacePost } from './space-route.ts';

/** What could not be delivered, for an operator to see and to send again (rule A7). */
export function outboxRoutes({ store, clock, wakeOutbox }: InterfaceParts): readonly SpaceRoute[] {
  return [
    spaceGet(
      '/outbox',
      {
        operation: 'read-outbox',
        summary: 'Dead letters: the events of one task that a sink did not take, with those after them',
        query: { cursor: 'What the page before ended with, as `nextCursor`.' },
      },
      async ({ policy, query }) => {
        const cursor = query.get('cursor');
        try {
          const page = await store.dead(policy.id, {
            limit: SPACE_LIMITS.pageItems,
            ...(cursor === null ? {} : { cursor }),
          });
          const dead = page.queues.map(({ id, sink, taskId, attempts, lastError = '', events, diedAt }) => ({
            ...{ id, sink, taskId, attempts, lastError, events, diedAt: timeText(diedAt) },
          }));
          return answer({ dead, nextCursor: page.cursor ?? null });
        } catch (error) {
          if (!(error instanceof UnknownCursor)) throw error;
          throw new SpaceRefusal('bad-cursor', 'Begin again without a cursor.');
        }
      },
    ),
    spacePost(
      '/outbox/:queue/replay',
      'Nothing',
      { operation: 'replay-outbox', summary: 'Sends what a dead letter holds again, in its order' },
      async ({ policy, params }) => {
        if (!(await store.replay(policy.id, params['queue'] ?? '', clock.now()))) throw notThere();
        wakeOutbox();
        return answer({ replayed: true }, 202);
      },
    ),
  ];
}
