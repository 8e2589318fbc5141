import { principalKey } from '../../core/access/principal.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { notThere } from './agents.ts';
import { agentState, answer, revisionHead } from './answers.ts';
import type { InterfaceParts } from './interface-parts.ts';
import { SpaceRefusal } from './space-problem.ts';
import { type SpaceCall, type SpaceRoute, spaceGet, spacePost } from './space-route.ts';

/** What an agent's card was and is, and the decision on what it is to be. */
export function revisionRoutes(services: InterfaceParts): readonly SpaceRoute[] {
  const { store } = services;
  return [
    spaceGet(
      '/agents/:agent/revisions',
      {
        operation: 'read-revisions',
        summary: 'The revisions of an agent, the newest first',
        query: { before: 'Those with a lower number only.' },
      },
      async ({ policy, params, query }) => {
        const id = params['agent'] ?? '';
        const asked = query.get('before');
        const before = asked === null ? undefined : numberOf(asked);
        if (asked !== null && before === undefined)
          throw new SpaceRefusal('malformed-request', 'Write before as the number of a revision.');
        if ((await services.directory.agent(policy.id, id)) === undefined) throw notThere();
        const most = SPACE_LIMITS.pageItems;
        const found = await store.revisions(policy.id, id, {
          limit: most + 1,
          ...(before === undefined ? {} : { before }),
        });
        return answer({ revisions: found.slice(0, most).map(revisionHead), more: found.length > most });
      },
    ),
    spaceGet(
      '/agents/:agent/revisions/:number',
      { operation: 'read-revisions', summary: 'One revision, with its card as it came' },
      async ({ policy, params }) => {
        const number = numberOf(params['number'] ?? '');
        const revision =
          number === undefined ? undefined : await store.revision(policy.id, params['agent'] ?? '', number);
        if (revision === undefined) throw notThere();
        return answer({ ...revisionHead(revision), card: revision.card });
      },
    ),
    spacePost(
      '/agents/:agent/revisions/:number/approve',
      'Nothing',
      { operation: 'approve', summary: 'Makes the revision that waits the current one' },
      (call) => decide(call, true, services),
    ),
    spacePost(
      '/agents/:agent/revisions/:number/refuse',
      'Nothing',
      { operation: 'approve', summary: 'Refuses the revision that waits; what was current still is' },
      (call) => decide(call, false, services),
    ),
  ];
}

async function decide(
  { caller, policy, params }: SpaceCall,
  isApproved: boolean,
  services: InterfaceParts,
): Promise<Response> {
  const [id = '', number] = [params['agent'], numberOf(params['number'] ?? '')];
  if ((await services.directory.agent(policy.id, id)) === undefined || number === undefined) throw notThere();
  const agent = await services.registration.decide(
    { space: policy.id, id, number },
    { isApproved, by: principalKey(caller) },
  );
  if (agent === undefined)
    throw new SpaceRefusal('not-pending', 'Look at the revisions of the agent: another one waits, or none does.');
  return answer(agentState(agent, services.finding.blockedReason(agent), services.baseOf(policy.id, agent.id)));
}

function numberOf(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
