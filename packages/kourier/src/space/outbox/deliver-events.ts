import { createHmac } from 'node:crypto';
import type { Clock } from '../../ports/clock.ts';
import type { OwedDelivery, Queue, Sink } from '../../ports/space/outbox-store.ts';
import type { EventSink, SpacePolicy } from '../../ports/space/space-configuration.ts';
import type { OwedEvent, PlatformTask } from '../../ports/space/task-ledger.ts';
import { type Upstream, UpstreamFailed } from '../../ports/space/upstream.ts';
import type { Attempt, Deliver } from './dispatcher.ts';

export interface DeliverParts {
  policyOf(space: string): SpacePolicy | undefined;
  /** Calls to webhooks: guarded, since who configures a sink is not who may reach the inside of this network. */
  upstream(policy: SpacePolicy): Upstream;
  readonly clock: Clock;
}

const SINK = 'space:';

/** What is owed to the sinks of a Space when a task gets to a state: what the Space has on record, and nothing that was said. */
export function owedEvents(task: PlatformTask, policy: SpacePolicy | undefined): readonly OwedEvent[] {
  const { id, space, agent, versionId, remoteTaskId, state = 'submitted', updatedAt } = task;
  const payload = JSON.stringify({
    ...{ type: 'task.state', space, agentId: agent, versionId, taskId: id, remoteTaskId: remoteTaskId ?? null },
    ...{ status: state, at: new Date(updatedAt).toISOString() },
  });
  return (policy?.sinks ?? []).map(({ name }) => ({ sink: SINK + name, payload }));
}

const sinkOf = (policy: SpacePolicy | undefined, { sink }: Sink): EventSink | undefined =>
  policy?.sinks.find(({ name }) => SINK + name === sink);

/** Whether the configuration names a sink now. */
export const namesSinks =
  (policyOf: DeliverParts['policyOf']) =>
  (sink: Sink): boolean =>
    sinkOf(policyOf(sink.space), sink) !== undefined;

/** Brings events to the sinks of Spaces, signed as Standard Webhooks has it. */
export function deliverEvents({ policyOf, upstream, clock }: DeliverParts): Deliver {
  return async (queue, event, signal) => {
    const policy = policyOf(queue.space);
    const sink = sinkOf(policy, queue);
    if (policy === undefined || sink === undefined) return { kind: 'gone' };
    try {
      const answer = await upstream(policy).call(requestOf(sink, { queue, event, now: clock.now() }), signal);
      answer.cancel();
      return attemptOf(answer.status, answer.header('retry-after'));
    } catch (error) {
      if (signal.aborted || !(error instanceof UpstreamFailed)) throw error;
      return { kind: 'failed', error: error.code };
    }
  };
}

/** A request that will never be taken is not made for hours; one that may be is. */
function attemptOf(status: number, retryAfter: string | undefined): Attempt {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 410) return { kind: 'refused', error: 'HTTP_410' };
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429;
  if (!isTemporary) return { kind: 'refused', error: `HTTP_${status}` };
  const seconds = Number(retryAfter);
  const wait = Number.isInteger(seconds) && seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {};
  return { kind: 'failed', error: `HTTP_${status}`, ...wait };
}

interface Sent {
  readonly queue: Queue;
  readonly event: OwedDelivery;
  readonly now: number;
}

function requestOf(sink: EventSink, { queue, event, now }: Sent) {
  // The same in every attempt, so that a sink that has it already can tell. Without a full stop, which joins what is signed.
  const id = `${queue.taskId}_${event.sequence}`;
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(sink.secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${event.payload}`).digest('base64');
  return {
    method: 'POST',
    url: sink.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body: new TextEncoder().encode(event.payload),
  } as const;
}
