import { type Dispatcher, Agent as HttpAgent, request } from 'undici';
import type { Headers } from './headers.ts';
import { CONNECT_MS, type Way } from './way.ts';

/** Connections to whatever address the configuration names (`egress: { mode: direct }`). Shared by all bindings. */
export function directDispatcher(): HttpAgent {
  // Undici's own timers are coarse and count bytes, not events: ours decide. No cap on connections: a stream holds one.
  const ours = { headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: false } as const;
  return new HttpAgent({ ...ours, connect: { timeout: CONNECT_MS } });
}

export function directWay(dispatcher: Dispatcher, standing: Headers): Way {
  return {
    call: async ({ method, url, headers, body = null, signal }) => {
      const all = { ...standing, ...headers };
      const answer = await request(url, { method, headers: all, body, dispatcher, signal });
      return { status: answer.statusCode, headers: answer.headers, body: answer.body };
    },
  };
}
