import { isObject } from '@agentkourier/a2a/json-value';
import { type Principal, principalKey } from '../../core/access/principal.ts';
import type { Endpoint } from '../../core/directory/registered-agent.ts';
import type { PlatformTask } from '../../ports/space/task-ledger.ts';
import { messageSha256 } from '../message-sha256.ts';
import type { GatewayParts, PermittedCall, Target } from '../parts.ts';
import { isCarried, isSend, type Operation } from './operations.ts';
import type { AskedCall, AskedMessage } from './read-call.ts';
import {
  contextNotFound,
  invalidParams,
  noExtendedCard,
  notCallable,
  Refusal,
  taskNotFound,
  versionNotSupported,
} from './refusal.ts';

interface Asked {
  readonly caller: Principal;
  readonly target: Target;
  readonly call: AskedCall;
  readonly permit: string | undefined;
}

export interface Admitted {
  /** Absent for a call that is about no task. */
  readonly task?: PlatformTask | undefined;
  readonly endpoint: Endpoint;
}

/**
 * Where a call goes and what is recorded of it, once everything allows it. Rejects with a `Refusal`: nothing has gone to
 * the agent then, and no credential was read.
 */
export async function admitCall(asked: Asked, parts: GatewayParts): Promise<Admitted> {
  const { caller, target, call, permit } = asked;
  if (call.operation === 'GetExtendedAgentCard') throw noExtendedCard();
  if (!isCarried(call.operation) || bringsWebhook(call)) throw pushNotSupported();
  const sha256 = call.message === undefined ? undefined : sha256Of(call.message);
  const permitted = permit === undefined ? undefined : await parts.admitPermit(permit, permittedCall(asked, sha256));
  const owned = await ownedTask(asked, parts);
  const reason = parts.blockedReason(target);
  // Who is only said to be unwell is called all the same: it may be better by now, and the call will tell.
  if (reason !== undefined && reason !== 'unhealthy') throw notCallable(reason, TEMPORARY.has(reason));
  const endpoint = endpointOf(target, call);
  if (!isSend(call.operation) || call.message === undefined) return { task: owned, endpoint };
  await claimContext(call.message.contextId, asked, parts);
  return { task: owned ?? permitted ?? (await begin(call.message, sha256 ?? '', { caller, target, parts })), endpoint };
}

/** Reasons that go by without anybody's doing. */
const TEMPORARY: ReadonlySet<string> = new Set(['not-connected']);

/** Beside a message, by whatever name a version or a reader of protocol buffers has for it (case C118). */
function bringsWebhook({ words, json }: AskedCall): boolean {
  const params = words.binding === 'JSONRPC' ? json?.['params'] : json;
  const configuration = isObject(params) ? params['configuration'] : undefined;
  if (!isObject(configuration)) return false;
  return Object.entries(configuration).some(([name, value]) => /push_?notification/i.test(name) && value !== null);
}

const pushNotSupported = (): Refusal =>
  new Refusal(-32_003, 'The gateway takes no webhooks.', { reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' });

/** The caller's own task that the call is about. Whoever else's it is, it is not found, and its agent is not asked (case C110). */
async function ownedTask({ caller, target, call }: Asked, { ledger }: GatewayParts): Promise<PlatformTask | undefined> {
  const { space, id: agent } = target.agent;
  const find = async (remoteTaskId: string): Promise<PlatformTask> => {
    const task = await ledger.taskOfRemote(space, agent, remoteTaskId);
    if (task?.caller !== principalKey(caller)) throw taskNotFound();
    return task;
  };
  for (const taskId of call.message?.taskIds ?? []) await find(taskId);
  const taskId = call.message?.taskId ?? call.taskId;
  return taskId === undefined ? undefined : find(taskId);
}

/** A context that nobody has is the caller's from then on. */
async function claimContext(
  contextId: string | undefined,
  { caller, target }: Asked,
  parts: GatewayParts,
): Promise<void> {
  if (contextId === undefined) return;
  const { space, id: agent } = target.agent;
  const isOwn = await parts.ledger.claimContext({ space, agent, contextId, caller: principalKey(caller) });
  if (!isOwn) throw contextNotFound();
}

/** A new task. The same message of the same caller is the same task again. */
async function begin(
  { messageId }: AskedMessage,
  requestSha256: string,
  { caller, target, parts }: { caller: Principal; target: Target; parts: GatewayParts },
): Promise<PlatformTask> {
  const { ledger, clock, newId } = parts;
  const { agent } = target;
  const at = clock.now();
  const prepared = await ledger.prepareTask({
    task: {
      id: `task-${newId()}`,
      space: agent.space,
      agent: agent.id,
      versionId: agent.current?.versionId ?? '',
      caller: principalKey(caller),
      createdAt: at,
      updatedAt: at,
    },
    idempotency: { token: `message ${agent.space} ${agent.id} ${messageId}`, requestSha256 },
  });
  if (prepared.kind === 'conflict') throw invalidParams('message.messageId was used for another message.');
  return prepared.task;
}

function sha256Of({ source }: AskedMessage): string {
  const sha256 = messageSha256(source);
  if (sha256 === undefined) throw invalidParams('The message has no canonical form (RFC 8785).');
  return sha256;
}

const PERMITTED: Readonly<Partial<Record<Operation, PermittedCall['operation']>>> = {
  SendMessage: 'send_message',
  SendStreamingMessage: 'send_message',
  GetTask: 'get_task',
  SubscribeToTask: 'subscribe_to_task',
  CancelTask: 'cancel_task',
};

function permittedCall({ caller, target, call }: Asked, sha256: string | undefined): PermittedCall {
  const operation = PERMITTED[call.operation];
  if (operation === undefined) throw invalidParams('There are no permits for this operation.');
  const remoteTaskId = call.message?.taskId ?? call.taskId;
  return {
    caller,
    target,
    operation,
    ...(sha256 === undefined ? {} : { messageSha256: sha256 }),
    ...(remoteTaskId === undefined ? {} : { remoteTaskId }),
  };
}

/** Where a call of its binding and version goes. Only what the current card has can be called. */
function endpointOf({ agent }: Target, { words }: AskedCall): Endpoint {
  const endpoints = agent.current?.endpoints ?? [];
  const endpoint = endpoints.find(({ binding, version }) => binding === words.binding && version === words.version);
  if (endpoint === undefined) throw versionNotSupported(endpoints, words.binding);
  return endpoint;
}
