import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { EgressPolicy } from './egress-policy.ts';
import { admit, carryOut, checkCall, type GuardedFetchOptions } from './guarded-call.ts';

export interface GuardedRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. Those that belong to the connection are not sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal?: AbortSignal;
}

export interface GuardedAnswer {
  readonly status: number;
  /** As Node gives them: names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /**
   * Errors with `EgressRefused`, or with the reason of the signal. Read it to its end or destroy it; one that nobody reads
   * is dropped after `idleMs`.
   */
  readonly body: Readable;
}

export interface GuardedTransport {
  call(request: GuardedRequest): Promise<GuardedAnswer>;
  /** As `GuardedFetch.check`. */
  check(url: string): Promise<void>;
}

/**
 * What `guardedFetch` stands on, under the same rules and with the same refusals, for who carries streams: a body as
 * Node's own stream, without the cost of a web stream.
 */
export function guardedTransport(
  policy: EgressPolicy | undefined,
  options: GuardedFetchOptions = {},
): GuardedTransport {
  return {
    call: async ({ method, url, headers = {}, body, signal }) => {
      const call = { method, headers, body: async () => body };
      const answer = await carryOut(admit(policy, url), call, options, signal);
      return { status: answer.status, headers: answer.headers, body: answer.body };
    },
    check: async (url) => checkCall(admit(policy, url), options),
  };
}
