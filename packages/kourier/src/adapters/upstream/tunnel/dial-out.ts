import type { Clock } from '../../../ports/clock.ts';
import { type DialEnd, dialOnce } from './dialled.ts';
import { TUNNEL_LIMITS } from './limits.ts';
import { redialWaitMs } from './redial-wait.ts';

export interface DialOutOptions {
  /** Where the Space is served, as `https://HOST` with a path if need be. */
  readonly spaceUrl: URL;
  readonly space: string;
  readonly agent: string;
  /** Of a publisher of the Space. */
  readonly key: string;
  /** The one base URL that calls go to; `http:` or `https:`. */
  readonly to: URL;
  /** Whether key and calls may go unencrypted to another machine. */
  readonly allowPlain: boolean;
  /** Aborted: takes no new calls, and resolves when those that run have ended. */
  readonly signal: AbortSignal;
  readonly told: (state: DialState) => void;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly chance: () => number;
}

export type DialState =
  | { readonly state: 'connected' }
  /** No tunnel now; dials again by itself. */
  | { readonly state: 'waiting'; readonly because: string; readonly retryInMs: number };

/** It is of no use to dial again. The message says what to change. */
export class DialOutRefused extends Error {
  override readonly name = 'DialOutRefused';
}

/**
 * The agent's end of a tunnel: dials the Space, takes its calls and passes them on to `to`, and dials again when the
 * connection is lost. Resolves once `signal` has aborted and the calls have ended; rejects with `DialOutRefused`.
 */
export async function dialOut(options: DialOutOptions): Promise<void> {
  const { key, to, signal, told, clock, chance } = options;
  const url = tunnelUrl(options);
  let failures = 0;
  while (!signal.aborted) {
    let connectedAt: number | undefined;
    const end = await dialOnce({
      ...{ url, key, to, clock, signal },
      connected: () => {
        connectedAt = clock.now();
        told({ state: 'connected' });
      },
    });
    if (end.kind === 'drained') return;
    const because = retried(end, options);
    const hasLasted = connectedAt !== undefined && clock.now() - connectedAt >= TUNNEL_LIMITS.redialLongestMs;
    failures = hasLasted ? 1 : failures + 1;
    const retryInMs = redialWaitMs(failures, chance());
    told({ state: 'waiting', because, retryInMs });
    await wait(retryInMs, clock, signal);
  }
}

/** Throws `DialOutRefused`. */
function tunnelUrl({ spaceUrl, space, agent, allowPlain }: DialOutOptions): URL {
  const base = `${spaceUrl.origin}${spaceUrl.pathname.replace(/\/$/, '')}`.replace(/^http/, 'ws');
  const url = new URL(`${base}/api/v1/spaces/${encodeURIComponent(space)}/agents/${encodeURIComponent(agent)}/tunnel`);
  if (url.protocol === 'ws:' && !(allowPlain || isLoopback(url.hostname)))
    throw new DialOutRefused(
      `${spaceUrl.origin} would get the key unencrypted; write https://, or --allow-plain where nobody listens on the way`,
    );
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Why it is dialled again. Throws `DialOutRefused` when it is not. */
function retried(end: Exclude<DialEnd, { readonly kind: 'drained' }>, { space, agent }: DialOutOptions): string {
  if (end.kind === 'lost') return end.because;
  if (end.kind === 'replaced')
    throw new DialOutRefused(`another end dialled in for ${space}/${agent} and took over; run one for each agent`);
  const { status } = end;
  if (status >= 500 || status === 408 || status === 429) return `the Space answered ${status}`;
  throw new DialOutRefused(`the Space answered ${status}: ${REMEDIES[status] ?? 'look whether --space names a Space'}`);
}

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'the key is not valid; make another, and write it into the file of --key-file',
  403: 'the key may not publish this agent; use one of a publisher of the Space',
  404: 'it has no such Space or agent, or the key may not see it; look at --space-id and --agent, and register the agent first',
};

function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      callOff();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const callOff = clock.wakeAt(clock.now() + ms, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
