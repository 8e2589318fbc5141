import type { Principal } from '../core/access/principal.ts';
import type { RegisteredAgent } from '../core/directory/registered-agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { Authenticate } from '../ports/space/authenticate.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import type { OwedEvent, PlatformTask, TaskLedger } from '../ports/space/task-ledger.ts';
import type { Upstream, UpstreamRequest } from '../ports/space/upstream.ts';
import type { CallsUnderWay } from './gateway/calls-under-way.ts';

/** An agent that a call is for, as its Space has it now. */
export interface Target {
  readonly policy: SpacePolicy;
  readonly agent: RegisteredAgent;
}

/** One that the configuration names, and that nobody has looked at yet. */
export interface AwaitedTarget {
  readonly policy: SpacePolicy;
  readonly agent: 'awaited';
}

export const isThere = (target: Target | AwaitedTarget): target is Target => target.agent !== 'awaited';

/** What the gateway asks of the rest of the Space. */
export interface GatewayParts {
  readonly authenticate: Authenticate;
  /** The agent of a Space; `undefined` when either is not there. */
  target(space: string, agent: string): Promise<Target | AwaitedTarget | undefined>;
  /** Why the agent cannot be called now, as discovery says it; `undefined` when it can. */
  blockedReason(target: Target): string | undefined;
  /** The address of an agent at the gateway. */
  baseOf(space: string, agent: string): string;
  /** How the agent is reached. The credentials of its calls are its own: nothing of them is known here. */
  upstream(target: Target): Upstream;
  /** Headers that tell the agent who calls, signed for this very request (rule A5); none for an agent that wants none. */
  identity(target: Target, caller: Principal, request: UpstreamRequest): Readonly<Record<string, string>>;
  /** The card that is published of an agent. */
  publishedCard(target: Target): { readonly body: string; readonly etag: string } | undefined;
  /**
   * Judges a permit for a call and uses it up. Resolves with the task that it was given for; rejects with a `Refusal`.
   */
  admitPermit(permit: string, call: PermittedCall): Promise<PlatformTask>;
  /** What is owed to the sinks of a task's Space when it gets to a state. */
  owedOf(task: PlatformTask): readonly OwedEvent[] | Promise<readonly OwedEvent[]>;
  /** Something is owed: whoever brings it need not wait. */
  owes(): void;
  readonly calls: CallsUnderWay;
  readonly ledger: TaskLedger;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly observe: (event: GatewayEvent) => void;
}

export interface PermittedCall {
  readonly caller: Principal;
  readonly target: Target;
  readonly operation: 'send_message' | 'get_task' | 'subscribe_to_task' | 'cancel_task';
  /** Of a send. */
  readonly messageSha256?: string;
  /** The agent's task that the call is about; absent for a new one. */
  readonly remoteTaskId?: string;
}

/** One line of the log and one step of the metrics. Nothing that anybody said is in it. */
export interface GatewayEvent {
  readonly event: 'call-carried' | 'call-refused' | 'call-failed';
  readonly space: string;
  readonly agent: string;
  readonly operation: string;
  readonly taskId?: string;
  /** Of a refusal or failure: the stable code. */
  readonly code?: string;
  /** Of a failure: for the operator. */
  readonly detail?: string;
}
