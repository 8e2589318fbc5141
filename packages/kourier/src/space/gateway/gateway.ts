import { mayActAs, type Principal, principalKey, roleIn } from '../../core/access/principal.ts';
import { IssuerUnavailable } from '../../ports/space/authenticate.ts';
import { UpstreamFailed } from '../../ports/space/upstream.ts';
import { SPACE_LIMITS } from '../limits.ts';
import { type GatewayParts, isThere, type Target } from '../parts.ts';
import { admitCall } from './admit-call.ts';
import type { GatewayReply, GatewayRequest } from './exchange.ts';
import { ownTasks } from './own-tasks.ts';
import { printRefusal } from './print-refusal.ts';
import { type AskedCall, readCall } from './read-call.ts';
import { Refusal, upstreamFailed } from './refusal.ts';
import { isEventStream, type Relay, relayAnswer, relayStream } from './relay.ts';
import { TaskRecording } from './task-recording.ts';
import { upstreamRequest } from './upstream-request.ts';
import { viaHere } from './via.ts';

/** Names the platform task of a call, in its answer. */
const TASK_HEADER = 'a2a-space-task';
const PERMIT_HEADER = 'a2a-space-permit';
const CARD_PATH = '/.well-known/agent-card.json';

/** Where a request goes, as its address says. */
export interface Place {
  readonly space: string;
  readonly agent: string;
}

/**
 * Carries calls to agents (rule P7). In this order: who calls, the Space, the agent; the call itself; its permit; whose
 * the task and context are; whether the agent may be called; the record; only then credentials, and the agent.
 */
export class Gateway {
  readonly #parts: GatewayParts;

  constructor(parts: GatewayParts) {
    this.#parts = parts;
  }

  /** Answers one request. Never rejects: what fails after the answer has begun breaks it off. */
  async answer(place: Place, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    try {
      await this.#answer(place, request, reply);
    } catch (error) {
      if (!request.signal.aborted) this.#failed(place, '', error);
      reply.destroy();
    }
  }

  async #answer(place: Place, request: GatewayRequest, reply: GatewayReply): Promise<void> {
    const caller = await this.#callerOf(request, reply);
    if (caller === undefined) return;
    const target = await this.#parts.target(place.space, place.agent);
    // The Space of another tenant, and an agent that is not there, look the same.
    if (target === undefined || !mayActAs(roleIn(caller, target.policy), 'caller')) {
      return sendProblem(reply, { status: 404, code: 'not-found', detail: NO_SUCH_AGENT });
    }
    if (!isThere(target)) return sendProblem(reply, AWAITED, { 'retry-after': '1' });
    if (request.path === CARD_PATH) return this.#card(target, request, reply);
    const leave = this.#parts.calls.enter(principalKey(caller));
    if (leave === undefined) return sendProblem(reply, TOO_MANY_CALLS, { 'retry-after': '1' });
    try {
      await this.#call({ caller, target, request, reply });
    } finally {
      leave();
    }
  }

  async #call({ caller, target, request, reply }: Omit<Carried, 'call'>): Promise<void> {
    const call = await readCall(request, target.agent.current?.endpoints ?? []);
    if (call === 'no-such-path')
      return sendProblem(reply, { status: 404, code: 'not-found', detail: 'See the interfaces of the agent card.' });
    if (call === 'no-such-verb') {
      return sendProblem(
        reply,
        { status: 405, code: 'method-not-allowed', detail: 'Use POST here.' },
        { allow: 'POST' },
      );
    }
    if ('refused' in call) return sendRefusal(reply, call.refused, call.words);
    await this.#carry({ caller, target, call, request, reply });
  }

  async #callerOf(request: GatewayRequest, reply: GatewayReply): Promise<Principal | undefined> {
    try {
      const caller = await this.#parts.authenticate(request.header('authorization'));
      if (caller !== undefined) return caller;
      const detail = 'Send Authorization: Bearer with a key or token of this Space.';
      sendProblem(reply, { status: 401, code: 'unauthenticated', detail }, { 'www-authenticate': 'Bearer' });
    } catch (error) {
      if (!(error instanceof IssuerUnavailable)) throw error;
      const detail = 'The issuer of the token cannot be asked now. Try again.';
      sendProblem(reply, { status: 503, code: 'authentication-unavailable', detail }, { 'retry-after': '5' });
    }
    return undefined;
  }

  #card(target: Target, request: GatewayRequest, reply: GatewayReply): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendProblem(
        reply,
        { status: 405, code: 'method-not-allowed', detail: 'Use GET here.' },
        { allow: 'GET, HEAD' },
      );
    }
    const card = this.#parts.publishedCard(target);
    if (card === undefined) return sendProblem(reply, unpublished(this.#parts.blockedReason(target)));
    const { body, etag } = card;
    const headers = { etag, 'cache-control': 'private, max-age=60', vary: 'authorization' };
    if (request.header('if-none-match') === etag) {
      reply.head(304, headers);
      return reply.end();
    }
    const length = String(new TextEncoder().encode(body).length);
    reply.head(200, { ...headers, 'content-type': 'application/json', 'content-length': length });
    reply.end(request.method === 'HEAD' ? undefined : body);
  }

  async #carry(carried: Carried): Promise<void> {
    const { caller, target, call, request, reply } = carried;
    const place = { space: target.agent.space, agent: target.agent.id };
    try {
      const via = viaHere(request.header('via'), this.#parts.baseOf(place.space, place.agent));
      const permit = request.header(PERMIT_HEADER);
      const { task, endpoint } = await admitCall({ caller, target, call, permit }, this.#parts);
      const recording = task === undefined ? undefined : new TaskRecording(task, this.#parts);
      const out = upstreamRequest(request, call, endpoint);
      const identity = this.#parts.identity(target, caller, out);
      const answer = await this.#parts
        .upstream(target)
        .call({ ...out, headers: { ...out.headers, ...identity, via } }, request.signal);
      const relay: Relay = {
        words: call.words,
        hear: (heard) => recording?.hear(heard),
        headers: task === undefined ? {} : { [TASK_HEADER]: task.id },
        rewrite:
          call.operation === 'ListTasks'
            ? (text) => ownTasks(text, call.words, { ...carried, parts: this.#parts })
            : undefined,
      };
      try {
        // What is to be changed must be had whole: it is no stream, whatever it is called.
        const streams = relay.rewrite === undefined && isEventStream(answer);
        await (streams ? relayStream(answer, reply, relay) : relayAnswer(answer, reply, relay));
      } finally {
        answer.cancel();
      }
      const taskId = task === undefined ? {} : { taskId: task.id };
      this.#parts.observe({ event: 'call-carried', ...place, operation: call.operation, ...taskId });
    } catch (error) {
      // Whoever has left is told nothing, and nothing failed.
      if (request.signal.aborted) return reply.destroy();
      const refusal = this.#failed(place, call.operation, error);
      if (reply.begun) reply.destroy();
      else sendRefusal(reply, refusal, call.words);
    }
  }

  /** What a failure is to the caller, and a line in the log. */
  #failed(place: Place, operation: string, error: unknown): Refusal {
    if (error instanceof Refusal) {
      const code = error.metadata['reason'] ?? error.reason;
      this.#parts.observe({ event: 'call-refused', ...place, operation, code });
      return error;
    }
    const { code, detail, sent } = failureOf(error);
    this.#parts.observe({
      event: 'call-failed',
      ...place,
      operation,
      code,
      ...(detail === undefined ? {} : { detail }),
    });
    return upstreamFailed(code, { isSent: sent, retryAfterSeconds: SPACE_LIMITS.retryAfterSeconds });
  }
}

interface Carried {
  readonly caller: Principal;
  readonly target: Target;
  readonly call: AskedCall;
  readonly request: GatewayRequest;
  readonly reply: GatewayReply;
}

function failureOf(error: unknown): Pick<UpstreamFailed, 'code' | 'sent' | 'detail'> {
  if (error instanceof UpstreamFailed) return error;
  const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : undefined;
  return { code: 'A2A_GATEWAY_FAILED', sent: true, detail };
}

function sendRefusal(reply: GatewayReply, refusal: Refusal, words: AskedCall['words']): void {
  const { status, headers, body } = printRefusal(refusal, words);
  const close = status === 413 ? { connection: 'close' } : {};
  reply.head(status, { ...headers, 'content-length': String(new TextEncoder().encode(body).length), ...close });
  reply.end(body);
}

interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Of an agent that is blocked. */
  readonly reason?: string;
}

const NO_SUCH_AGENT = 'There is no such agent, or it is not for you: the agents of the Space are those that it lists.';

const AWAITED: Problem = {
  status: 503,
  code: 'agent-awaited',
  detail: 'The gateway has not looked at the agent yet: try again.',
};

const TOO_MANY_CALLS: Problem = {
  status: 429,
  code: 'too-many-calls',
  detail: 'As many calls are under way as one caller, or all together, may have: try again when some have ended.',
};

/** Whoever may see the agent may know why nothing is published of it. */
const unpublished = (reason = 'card-invalid'): Problem => ({
  status: 409,
  code: 'agent-blocked',
  detail: `No card of the agent is published (${reason}): whoever runs the Space can change it.`,
  reason,
});

/** Below the protocol: RFC 9457, as the rest of the interface. */
function sendProblem(
  reply: GatewayReply,
  { status, code, detail, ...members }: Problem,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type = `https://agentkourier.dev/problems/${code}`;
  const body = JSON.stringify({ type, code, title: detail, status, detail, ...members });
  reply.head(status, {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    'content-length': String(new TextEncoder().encode(body).length),
    ...headers,
  });
  reply.end(body);
}
