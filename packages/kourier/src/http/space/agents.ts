import { decideAccess } from '../../core/access/decide-access.ts';
import { type Principal, principalKey } from '../../core/access/principal.ts';
import { DIRECTORY_LIMITS } from '../../core/directory/limits.ts';
import type { RegisteredAgent } from '../../core/directory/registered-agent.ts';
import type { SpacePolicy } from '../../ports/space/space-configuration.ts';
import { UpstreamFailed } from '../../ports/space/upstream.ts';
import type { AgentPlace } from '../../space/registration.ts';
import { agentState, answer, listedAgent } from './answers.ts';
import type { InterfaceParts } from './interface-parts.ts';
import { SpaceRefusal, spaceProblem } from './space-problem.ts';
import { type SpaceCall, type SpaceRoute, spaceGet, spacePost } from './space-route.ts';
import type { NewAgent } from './space-schemas.ts';

/** Finding agents, and bringing them in. */
export function agentRoutes(services: InterfaceParts): readonly SpaceRoute[] {
  return [
    spaceGet(
      '/agents',
      {
        operation: 'discover',
        summary: 'The agents of the Space, a page at a time, by name',
        query: {
          q: 'Words that the card has all of; the last one also as the beginning of a word.',
          skill: 'The id or a tag of a skill, exactly.',
          blocked: '`true`: also what cannot be called, with the reason.',
          limit: `1 to ${DIRECTORY_LIMITS.pageAgents}; 50 when absent.`,
          cursor: 'What the page before ended with, as `nextCursor`.',
        },
      },
      (call) => discover(call, services),
    ),
    spacePost(
      '/agents',
      'NewAgent',
      { operation: 'register', summary: 'Registers an agent by its card, or a new revision of it' },
      (call) => register(call, services),
    ),
    spaceGet(
      '/agents/:agent',
      { operation: 'read-revisions', summary: 'An agent, with its revisions and its health' },
      async ({ policy, params }) => {
        const agent = await services.directory.agent(policy.id, params['agent'] ?? '');
        if (agent === undefined) throw notThere();
        return answer(agentState(agent, services.finding.blockedReason(agent), services.baseOf(policy.id, agent.id)));
      },
    ),
    {
      method: 'delete',
      path: '/agents/:agent',
      operation: 'remove',
      summary: 'Takes an agent out of the Space, with its revisions',
      answer: async ({ policy, params }) => {
        const agent = await services.directory.agent(policy.id, params['agent'] ?? '');
        if (agent === undefined) throw notThere();
        if (agent.origin === 'configuration') {
          throw new SpaceRefusal('configured-agent', 'Take it out of the configuration: it would come back.');
        }
        await services.registration.remove(policy.id, agent.id);
        return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
      },
    },
  ];
}

export const notThere = (): SpaceRefusal =>
  new SpaceRefusal('not-found', 'Look whether the id is right, and whether the key is for this Space.');

async function discover(
  { policy, query }: SpaceCall,
  { directory, finding, baseOf }: InterfaceParts,
): Promise<Response> {
  const limit = query.get('limit') ?? '50';
  if (!/^\d{1,4}$/.test(limit)) throw new SpaceRefusal('malformed-request', 'Write limit as a whole number.');
  const blocked = query.get('blocked') ?? 'false';
  if (!/^(true|false)$/.test(blocked)) throw new SpaceRefusal('malformed-request', 'Write blocked as true or false.');
  await directory.refresh();
  const [text, skill, cursor] = ['q', 'skill', 'cursor'].map((name) => query.get(name) ?? undefined);
  const page = finding.discover(policy.id, {
    ...(text === undefined ? {} : { text }),
    ...(skill === undefined ? {} : { skill }),
    ...(cursor === undefined ? {} : { cursor }),
    blocked: blocked === 'true',
    limit: Number(limit),
  });
  if (page === 'bad-cursor') throw new SpaceRefusal('bad-cursor', 'Begin again without a cursor.');
  return answer({
    agents: page.entries.map((entry) => listedAgent(entry, baseOf(policy.id, entry.id))),
    nextCursor: page.nextCursor ?? null,
  });
}

const OPERATORS_REGISTER = 'Only an operator registers agents inside, behind a dialer, or with a credential.';
const OPERATORS_MOVE = 'Only an operator changes how an agent is reached, or enables it: register it as it stands.';

type Standing = Pick<RegisteredAgent, 'reach' | 'disabled'> &
  Pick<AgentPlace, 'cardUrl' | 'dialer' | 'credential' | 'url'>;

/** At an address inside, through a dialer or with a credential the gateway calls in its own right. */
function isTrusted({ reach, dialer, credential }: Standing): boolean {
  return reach === 'inside' || reach === 'vpc' || dialer !== undefined || credential !== undefined;
}

/** Whether calls of an agent that is there would go another way, or go again. */
function isMoved(known: Standing, place: Standing): boolean {
  const ways = ['reach', 'cardUrl', 'dialer', 'credential', 'url'] as const;
  return ways.some((name) => known[name] !== place[name]) || (known.disabled && !place.disabled);
}

function judgeOperator(caller: Principal, policy: SpacePolicy, detail: string): void {
  if (decideAccess(caller, policy, 'register-inside') !== 'allowed') throw new SpaceRefusal('forbidden', detail);
}

async function register(call: SpaceCall<NewAgent>, services: InterfaceParts): Promise<Response> {
  const { caller, policy, body } = call;
  const mayApprove = decideAccess(caller, policy, 'approve') === 'allowed';
  const place: AgentPlace = {
    ...{ space: policy.id, id: body.id ?? '', reach: body.reach ?? 'public', cardUrl: body.cardUrl, url: body.url },
    ...{ dialer: body.dialer, credential: body.credential, origin: 'http', disabled: body.disabled ?? false },
  };
  if (isTrusted(place)) judgeOperator(caller, policy, OPERATORS_REGISTER);
  judgeReferences(body, services);
  // Nobody else's address is asked for a card that could not be taken.
  if (body.id !== undefined) judgeConfigured(await services.directory.agent(policy.id, body.id));
  const found = body.card === undefined ? await cardAt(place, services) : { card: body.card, cardUrl: undefined };
  const id = body.id ?? idOf(found.card);
  const known = await services.directory.agent(policy.id, id);
  judgeConfigured(known);
  const disabled = body.disabled ?? known?.disabled ?? false;
  const asked: AgentPlace = { ...place, id, cardUrl: found.cardUrl, disabled };
  if (known !== undefined && isMoved(known, asked)) judgeOperator(caller, policy, OPERATORS_MOVE);
  const registered = await services.registration.register({
    place: asked,
    policy,
    card: found.card,
    by: principalKey(caller),
    mayApprove,
  });
  if (registered.kind === 'refused') {
    const detail = 'Correct what "faults" names; "reason" says which rule it was.';
    return spaceProblem('card-refused', detail, { reason: registered.code, faults: registered.faults });
  }
  const { kind, agent, findings } = registered;
  const state = agentState(agent, services.finding.blockedReason(agent), services.baseOf(policy.id, agent.id));
  return answer(
    { outcome: kind, agent: state, findings },
    kind === 'new' || kind === 'revised' ? 201 : kind === 'pending' ? 202 : 200,
  );
}

function judgeConfigured(known: RegisteredAgent | undefined): void {
  if (known?.origin === 'configuration') throw new SpaceRefusal('configured-agent', 'Change it in the configuration.');
}

function judgeReferences({ credential, dialer, reach }: NewAgent, { registry }: InterfaceParts): void {
  const { credentials, dialers } = registry.current();
  const fault = (at: string) => {
    const faults = [{ at, problem: 'names what is not configured' }];
    throw new SpaceRefusal('invalid-request', 'Configure what "faults" names, or leave it out.', { faults });
  };
  if (credential !== undefined && !credentials.has(credential)) fault('/credential');
  if (dialer !== undefined && (!dialers.has(dialer) || reach !== 'vpc')) fault('/dialer');
}

async function cardAt(place: AgentPlace, { fetchCard }: InterfaceParts) {
  try {
    return await fetchCard(place);
  } catch (error) {
    if (!(error instanceof UpstreamFailed)) throw error;
    throw new SpaceRefusal('card-unavailable', 'Look whether the URL is right, and whether the gateway may call it.', {
      reason: error.code,
    });
  }
}

/** The card's name as an id. */
function idOf(card: unknown): string {
  const named = typeof card === 'object' && card !== null && 'name' in card ? card.name : undefined;
  const id = (typeof named === 'string' ? named : '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64);
  if (id !== '') return id;
  const faults = [{ at: '/id', problem: 'is missing, and the name of the card makes none' }];
  throw new SpaceRefusal('invalid-request', 'Write an id.', { faults });
}
