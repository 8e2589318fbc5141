import { encodeRequest, readResponse } from '@agentkourier/a2a/json-rpc';
import { parseJson } from '@agentkourier/a2a/json-value';
import type { OutgoingCall } from '@agentkourier/a2a/outgoing';
import { LIMITS } from '../../../core/limits.ts';
import type { CallOptions, EventSink, Failure, StreamEnd } from '../../../ports/agent.ts';
import { type CalledOff, discard, exchange, type HttpAnswer } from './exchange.ts';
import { type CallName, outranksStatus, rpcFailure, statusFailure, unknown } from './failures.ts';
import { gatewayRefusal } from './gateway-refusal.ts';
import { extensionHeaders, traceHeaders } from './headers.ts';
import { ERROR_BODY_BYTES, readBody } from './read-body.ts';
import { readStream } from './read-stream.ts';
import type { Connected, Target } from './target.ts';
import { tooDense } from './too-dense.ts';

/** One call to an agent whose card is known. */
export interface AgentCall {
  readonly name: CallName;
  readonly request: OutgoingCall;
  readonly target: Target;
  readonly connected: Connected;
  readonly options: CallOptions;
  /** An extension that this call names, whatever the card lists (rule S8). */
  readonly extension?: string | undefined;
}

export type ResultReading = { readonly kind: 'result'; readonly result: unknown } | Failure;

/** A call that is answered with one result. */
export async function callForResult(call: AgentCall): Promise<ResultReading> {
  const answer = await post(call, 'application/json');
  if (answer.kind === 'called-off') return CALLED_OFF;
  if (answer.kind !== 'answer') return answer;
  const { streamIdleMs } = call.target.timings();
  const { signal } = call.options;
  const share = call.target.unfinished.share();
  const limits = { maxBytes: LIMITS.bodyBytes, withinMs: streamIdleMs, signal, share };
  const reading = await readBody(answer.body, limits);
  if (reading.kind === 'over') return { kind: 'too-large', why: `the answer is over ${LIMITS.bodyBytes} bytes` };
  if (reading.kind === 'lost') return unknown(reading.why);
  if (reading.kind === 'called-off') return CALLED_OFF;
  const dense = tooDense(reading.text);
  if (dense !== undefined) return dense;
  const reply = readResponse(parseJson(reading.text));
  if (reply.kind === 'none') return unknown('the answer is no JSON-RPC response');
  if (!reply.versioned) return unknown('a JSON-RPC response without its version');
  if (reply.kind === 'error') return rpcFailure(reply.error, call.name, answer.retryAfterMs);
  return { kind: 'result', result: reply.result };
}

/**
 * A call that is answered with a stream. Its content type does not matter: a body that turns out to be one JSON-RPC
 * response is read as one (case C025).
 */
export async function callForStream(call: AgentCall, sink: EventSink): Promise<StreamEnd> {
  const answer = await post(call, 'text/event-stream');
  if (answer.kind === 'called-off') return { kind: 'closed' };
  if (answer.kind !== 'answer') return answer;
  const { streamIdleMs } = call.target.timings();
  const { signal } = call.options;
  const { body, retryAfterMs } = answer;
  const share = call.target.unfinished.share();
  return readStream(body, { call: call.name, sink, signal, idleMs: streamIdleMs, retryAfterMs, share });
}

const CALLED_OFF = unknown('the call was called off');

let lastRequest = 0;

async function post(call: AgentCall, accept: string): Promise<HttpAnswer | CalledOff | Failure> {
  const { request, target, connected, options, extension } = call;
  lastRequest = (lastRequest + 1) % Number.MAX_SAFE_INTEGER;
  const answer = await exchange({
    method: 'POST',
    url: target.endpoint.url,
    headers: {
      ...connected.headers,
      ...extensionHeaders(connected.wire, extension),
      ...traceHeaders(options.traceId, target.spanId()),
      accept,
      'content-type': 'application/json',
    },
    body: encodeRequest({ id: `kourier-${lastRequest}`, ...request }),
    signal: options.signal,
    headersMs: target.timings().responseHeadersMs,
    way: target.way,
  });
  if (answer.kind !== 'answer' || (answer.status >= 200 && answer.status < 300)) return answer;
  return failedAnswer(answer, call);
}

/** The status says what happened, unless the body holds one of the contract's own codes (case C026). */
async function failedAnswer({ status, retryAfterMs, target, body }: HttpAnswer, call: AgentCall): Promise<Failure> {
  const failure = statusFailure(status, retryAfterMs, target);
  if (status < 400 || failure.kind === 'credentials') {
    discard(body);
    return failure;
  }
  const withinMs = call.target.timings().responseHeadersMs;
  const reading = await readBody(body, { maxBytes: ERROR_BODY_BYTES, withinMs, signal: call.options.signal });
  if (reading.kind !== 'text') return failure;
  const value = parseJson(reading.text);
  const { inSpace } = call.target;
  const refused = inSpace === undefined ? undefined : gatewayRefusal(value, { agent: inSpace, retryAfterMs });
  if (refused !== undefined) return refused;
  const reply = readResponse(value);
  if (reply.kind !== 'error' || !reply.versioned || !outranksStatus(reply.error)) return failure;
  return rpcFailure(reply.error, call.name, retryAfterMs);
}
