import { readResponse } from '@agentkourier/a2a/json-rpc';
import { arrayOf, isObject, objectOf, textOf } from '@agentkourier/a2a/json-value';
import type { Block } from '../../../core/turn/call-outcome.ts';
import type { Failure } from '../../../ports/agent.ts';
import { notSent } from './failures.ts';

const BLOCKS = [
  ...(['disabled', 'approval-pending', 'card-invalid', 'signature-required'] as const),
  ...(['public-egress-disabled', 'no-dialer'] as const),
] satisfies Block[];

/**
 * What the gateway of a Space says of an agent that it does not call; `undefined`: these are no words of a gateway. Each
 * says that the agent got nothing, which a status alone does not: 503 would be an unknown outcome.
 */
export function gatewayRefusal(value: unknown, { agent, retryAfterMs }: Asked): Failure | undefined {
  const problem = objectOf<'code' | 'reason'>(value);
  if (problem?.code === 'not-found')
    return { kind: 'blocked', reason: 'gone', agent, why: 'the Space has no such agent' };
  if (problem?.code === 'agent-blocked') return blocked(textOf(problem.reason), { agent, retryAfterMs });
  if (problem?.code === 'agent-awaited') return notSent('the Space has not looked at the agent yet', retryAfterMs);
  if (problem?.code === 'too-many-calls') return notSent('the Space carries too many calls', retryAfterMs);
  const reply = readResponse(value);
  if (reply.kind !== 'error') return undefined;
  const info = arrayOf(reply.error.data).find(isObject);
  const metadata = objectOf<'reason' | 'sent'>(info?.['metadata']);
  const reason = textOf(metadata?.reason);
  if (info?.['reason'] === 'AGENT_NOT_CALLABLE') return blocked(reason, { agent, retryAfterMs });
  if (info?.['reason'] !== 'UPSTREAM_FAILED' || metadata?.sent !== 'false') return undefined;
  return notSent(`the Space did not reach the agent (${plain(reason)})`, retryAfterMs);
}

export interface Asked {
  /** Its id in the Space. */
  readonly agent: string;
  readonly retryAfterMs: number | undefined;
}

/** What goes by when the agent dials again is no reason to give up. */
function blocked(reason: string | undefined, { agent, retryAfterMs }: Asked): Failure {
  const why = `the Space blocks the agent (${plain(reason)})`;
  if (reason === 'not-connected') return notSent(why, retryAfterMs);
  return { kind: 'blocked', reason: BLOCKS.find((block) => block === reason) ?? 'other', agent, why };
}

/** For the log, which takes no text of others. */
const plain = (code: string | undefined): string =>
  /^[\w-]{1,64}$/.test(code ?? '') ? (code ?? '') : 'no reason given';
