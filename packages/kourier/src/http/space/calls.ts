import { decideAccess, decideTaskAccess } from '../../core/access/decide-access.ts';
import { principalKey } from '../../core/access/principal.ts';
import type { RegisteredAgent } from '../../core/directory/registered-agent.ts';
import { UnknownCursor } from '../../ports/space/space-store.ts';
import type { PlatformTask } from '../../ports/space/task-ledger.ts';
import { awaitedAgents } from '../../space/awaited-agents.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import type { ToPermit } from '../../space/permits.ts';
import { notThere } from './agents.ts';
import { answer, taskSummary, timeText } from './answers.ts';
import type { InterfaceParts } from './interface-parts.ts';
import { SpaceRefusal } from './space-problem.ts';
import { type SpaceCall, type SpaceRoute, spaceGet, spacePost } from './space-route.ts';
import type { CallRequest, OperationRequest, RouteRequest } from './space-schemas.ts';

/** Choosing an agent, preparing calls of it, and the record of what became of them. */
export function callRoutes(services: InterfaceParts): readonly SpaceRoute[] {
  return [
    spacePost(
      '/route',
      'RouteRequest',
      { operation: 'route', summary: 'Which agent a message is for, and why; no fit and a tie are answers' },
      (call) => routed(call, services),
    ),
    spacePost(
      '/calls',
      'CallRequest',
      {
        operation: 'call',
        summary: 'Prepares a first message to an agent: a task on record, and a permit for this very message',
      },
      (call) => prepare(call, services),
    ),
    spacePost(
      '/tasks/:task/operations',
      'OperationRequest',
      { operation: 'call', summary: 'Prepares an operation on a task: a permit for it' },
      (call) => prepareOperation(call, services),
    ),
    spaceGet(
      '/tasks',
      {
        operation: 'read-own-tasks',
        summary: "The caller's tasks as they are on record, the newest first",
        query: {
          all: "`true`: everybody's, for operators.",
          cursor: 'What the page before ended with, as `nextCursor`.',
        },
      },
      (call) => listTasks(call, services),
    ),
    spaceGet(
      '/tasks/:task',
      { operation: 'read-own-tasks', summary: 'One task as it is on record' },
      async ({ caller, policy, params }) => {
        const task = await services.store.task(params['task'] ?? '');
        if (task === undefined || decideTaskAccess(caller, policy, task, 'read') !== 'allowed') throw notThere();
        return answer(taskSummary(task));
      },
    ),
  ];
}

async function routed({ policy, body }: SpaceCall<RouteRequest>, services: InterfaceParts): Promise<Response> {
  const { directory, finding, baseOf } = services;
  await directory.refresh();
  const { text = '', ...rest } = body;
  const routing = finding.route(policy.id, { text, ...rest });
  // Whom nobody has looked at yet may be the one that fits.
  if (routing.outcome === 'none' && (await awaitedIn(policy.id, services)).length > 0) throw awaited();
  if (routing.outcome !== 'agent') return answer(routing);
  const { agentId } = routing;
  return answer({ ...routing, agent: { agentId, url: baseOf(policy.id, agentId) } });
}

async function prepare({ caller, policy, body }: SpaceCall<CallRequest>, services: InterfaceParts): Promise<Response> {
  const { agentId, messageId, messageSha256, idempotencyKey, expectedVersionId } = body;
  const agent = await callable(policy.id, agentId, services);
  const versionId = agent.current?.versionId ?? '';
  if (expectedVersionId !== undefined && expectedVersionId !== versionId) {
    throw new SpaceRefusal('A2A_TARGET_VERSION_CHANGED', 'Look at the agent again, and expect this version.', {
      currentVersionId: versionId,
    });
  }
  const at = services.clock.now();
  const prepared = await services.store.prepareTask({
    task: {
      ...{ id: `task-${services.newId()}`, space: policy.id, agent: agentId, versionId },
      ...{ caller: principalKey(caller), createdAt: at, updatedAt: at },
    },
    idempotency: {
      // Without a key of its own the message is the key, as in a call that nobody prepared.
      token:
        idempotencyKey === undefined
          ? `message ${policy.id} ${agentId} ${messageId}`
          : `key ${policy.id} ${idempotencyKey}`,
      requestSha256: messageSha256,
    },
  });
  // The same message under the same key, but for another agent, is something else, too.
  if (prepared.kind === 'conflict' || prepared.task.agent !== agentId) {
    throw new SpaceRefusal('idempotency-conflict', 'Use another key for another message.');
  }
  const { task } = prepared;
  return permitted(task, agent, { operation: 'send_message', messageSha256 }, services);
}

async function prepareOperation(
  { caller, policy, params, body }: SpaceCall<OperationRequest>,
  services: InterfaceParts,
): Promise<Response> {
  const task = await services.store.task(params['task'] ?? '');
  if (task === undefined || decideTaskAccess(caller, policy, task, 'act') !== 'allowed') throw notThere();
  if (task.remoteTaskId === undefined) {
    throw new SpaceRefusal(
      'A2A_REMOTE_TASK_NOT_BOUND',
      'The call did not get so far, or it was answered without a task.',
    );
  }
  judgeMembers(body);
  const agent = await callable(policy.id, task.agent, services);
  const { operation, messageSha256 } = body;
  return permitted(task, agent, { operation, messageSha256, remoteTask: task.remoteTaskId }, services);
}

/** What each operation takes, no more and no less. */
function judgeMembers({ operation, messageId, messageSha256 }: OperationRequest): void {
  const isSend = operation === 'send_message';
  const faults = Object.entries({ messageId, messageSha256 }).flatMap(([name, value]) => {
    const problem = isSend ? `is missing for ${operation}` : `is not for ${operation}`;
    return (value !== undefined) === isSend ? [] : [{ at: `/${name}`, problem }];
  });
  if (faults.length > 0) throw new SpaceRefusal('invalid-request', 'Correct what "faults" names.', { faults });
}

/** The agent, when it can be called. Who is only said to be unwell may be called: the call will tell. */
async function callable(space: string, id: string, services: InterfaceParts): Promise<RegisteredAgent> {
  const agent = await services.directory.agent(space, id);
  if (agent === undefined) throw (await awaitedIn(space, services)).includes(id) ? awaited() : notThere();
  const reason = services.finding.blockedReason(agent);
  if (reason !== undefined && reason !== 'unhealthy') {
    const detail = `The agent is blocked (${reason}): whoever runs the Space can change it.`;
    throw new SpaceRefusal('agent-blocked', detail, { reason });
  }
  return agent;
}

const awaitedIn = (space: string, { directory, registry }: InterfaceParts): Promise<readonly string[]> =>
  awaitedAgents(space, { directory, configuration: registry.current() });

const awaited = (): SpaceRefusal =>
  new SpaceRefusal(
    'agent-awaited',
    'The gateway has not looked at all configured agents yet: try again.',
    {},
    { 'retry-after': '1' },
  );

function permitted(
  task: PlatformTask,
  agent: RegisteredAgent,
  asked: Omit<ToPermit, 'version'>,
  { permits, baseOf }: InterfaceParts,
): Response {
  const versionId = agent.current?.versionId ?? '';
  const { permit, expiresAt } = permits.issue(task, { ...asked, version: versionId });
  return answer(
    {
      ...{ taskId: task.id, agentId: agent.id, versionId, url: baseOf(agent.space, agent.id) },
      ...{ remoteTaskId: task.remoteTaskId ?? null, remoteContextId: task.remoteContextId ?? null },
      ...{ permit, permitExpiresAt: timeText(expiresAt) },
    },
    201,
  );
}

async function listTasks({ caller, policy, query }: SpaceCall, { store }: InterfaceParts): Promise<Response> {
  const asked = query.get('all') ?? 'false';
  if (!/^(true|false)$/.test(asked)) throw new SpaceRefusal('malformed-request', 'Write all as true or false.');
  const all = asked === 'true';
  if (all && decideAccess(caller, policy, 'read-all-tasks') !== 'allowed') {
    throw new SpaceRefusal('forbidden', "Only an operator sees everybody's tasks.");
  }
  const cursor = query.get('cursor');
  try {
    const page = await store.tasks(policy.id, {
      limit: SPACE_LIMITS.pageItems,
      ...(all ? {} : { caller: principalKey(caller) }),
      ...(cursor === null ? {} : { cursor }),
    });
    return answer({ tasks: page.tasks.map(taskSummary), nextCursor: page.cursor ?? null });
  } catch (error) {
    if (!(error instanceof UnknownCursor)) throw error;
    throw new SpaceRefusal('bad-cursor', 'Begin again without a cursor.');
  }
}
