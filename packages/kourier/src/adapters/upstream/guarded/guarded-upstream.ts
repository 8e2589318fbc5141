import type { Readable } from 'node:stream';
import {
  type EgressPolicy,
  EgressRefused,
  type GuardedAnswer,
  type GuardedFetchOptions,
  guardedTransport,
} from '@agentkourier/agent';
import { type Upstream, type UpstreamAnswer, UpstreamFailed } from '../../../ports/space/upstream.ts';
import { headerOf, isEventStream } from '../wire/answer-rules.ts';
import { UPSTREAM_LIMITS, type UpstreamLimits } from '../wire/limits.ts';
import { PieceFlow } from '../wire/piece-flow.ts';
import { upstreamFailed } from '../wire/upstream-codes.ts';

export interface GuardedUpstreamOptions extends Pick<GuardedFetchOptions, 'credentials' | 'ca' | 'resolve' | 'dial'> {
  readonly limits?: UpstreamLimits;
}

/**
 * Calls to agents at addresses that others made up, by the SDK's guarded transport: the route `public`, or `vpc` through a
 * dialer. Its codes are the port's. `credentials` is called when a call has been let out.
 */
export function guardedUpstream(policy: EgressPolicy | undefined, options: GuardedUpstreamOptions = {}): Upstream {
  const { limits: given, ...access } = options;
  const all = { ...UPSTREAM_LIMITS, ...given };
  const { connectMs, headersMs, responseBytes, eventStreamBytes } = all;
  // The idle time is the flow's: it does not run while a piece is being taken.
  const limits = { connectMs, headersMs, responseBytes, eventStreamBytes, idleMs: Number.POSITIVE_INFINITY };
  const transport = guardedTransport(policy, { ...access, limits });
  return {
    call: async (request, signal) => {
      signal.throwIfAborted();
      try {
        const answer = await transport.call({ ...request, signal });
        return answerOf(answer, isEventStream(answer.headers) ? all.streamIdleMs : all.idleMs, signal);
      } catch (error) {
        if (error instanceof EgressRefused) throw failureOf(error);
        // A header that Node does not send; it is judged before anything is dialled.
        if (error instanceof TypeError)
          throw upstreamFailed('A2A_UPSTREAM_REQUEST_REFUSED', undefined, { cause: error });
        throw error;
      }
    },
  };
}

function answerOf({ status, headers, body }: GuardedAnswer, idleMs: number, signal: AbortSignal): UpstreamAnswer {
  const flow = flowOf(body, idleMs, signal);
  return {
    status,
    header: (name) => headerOf(headers, name),
    read: (take) => flow.read(take),
    cancel: () => flow.cancel(),
  };
}

function flowOf(body: Readable, idleMs: number, signal: AbortSignal): PieceFlow {
  const source = { pause: () => void body.pause(), resume: () => void body.resume(), stop: () => void body.destroy() };
  const idle = () => failureOf(new EgressRefused('A2A_EGRESS_IDLE_TIMEOUT', 'timeout'));
  const flow = new PieceFlow(source, { idleMs, signal, idle });
  body.pause();
  body.on('data', (piece: Uint8Array) => flow.push(piece));
  body.once('end', () => flow.end());
  body.once('error', (error) => flow.fail(error instanceof EgressRefused ? failureOf(error) : error));
  return flow;
}

function failureOf(refused: EgressRefused): UpstreamFailed {
  const { code, text, sent, retryable, detail } = refused;
  return new UpstreamFailed({ code, text, sent, retryable, detail }, { cause: refused });
}
