import { type RpcError, readResponse } from '@agentkourier/a2a/json-rpc';
import { objectOf, parseJson, textOf } from '@agentkourier/a2a/json-value';
import { readRestError } from '@agentkourier/a2a/rest-error';
import { retryAfterDataMs, retryAfterHeaderMs } from '@agentkourier/a2a/retry-after';
import { CLIENT_LIMITS } from '../limits.ts';
import { AgentError } from './client-error.ts';
import type { HttpReply } from './exchange.ts';

/** An error that the agent wrote, with what its HTTP answer says beside it. */
export function agentError({ code, message, data }: RpcError, reply: HttpReply, nowMs: number): AgentError {
  const said = message.slice(0, CLIENT_LIMITS.errorCharacters);
  const name = code === undefined ? `HTTP ${reply.status}` : `error ${code}`;
  const retryAfterMs = bounded(retryAfterDataMs(data) ?? retryAfterHeaderMs(reply.headers.get('retry-after'), nowMs));
  return new AgentError(`The agent answered ${name}${said === '' ? '' : `: ${said}`}`, {
    code,
    status: reply.status,
    retryAfterMs,
    data,
  });
}

/** An HTTP status that is no success, and what the body says of it, in either binding's words (case C026). */
export async function failedReply(reply: HttpReply, nowMs: number): Promise<AgentError> {
  if (reply.status < 400) {
    reply.body.close();
    return agentError({ code: undefined, message: redirected(reply), data: undefined }, reply, nowMs);
  }
  const value = parseJson(await reply.body.text(CLIENT_LIMITS.errorBytes).catch(() => ''));
  const envelope = readResponse(value);
  const error = envelope.kind === 'error' && envelope.versioned ? envelope.error : readRestError(value);
  const message = textOf(objectOf<'message'>(value)?.message) ?? '';
  return agentError(error ?? { code: undefined, message, data: undefined }, reply, nowMs);
}

/** Its query may hold a key, so only the place is told. */
function redirected({ headers }: HttpReply): string {
  const location = headers.get('location') ?? '';
  const place = location
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/]*@/, '//')
    .slice(0, 200);
  return `redirects are not followed${place === '' ? '' : `; it points to ${place}`}`;
}

function bounded(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.min(ms, CLIENT_LIMITS.retryAfterMs);
}
