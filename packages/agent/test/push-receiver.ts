import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PUSH_LIMITS, type Wait } from '../src/index.ts';
import type { Result } from './served-agent.ts';

/** One notification that came in. It waits for its answer until the test gives one. */
export interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** `webhook-id`. */
  readonly id: string;
  readonly text: string;
  readonly body: Result;
  /** The state that it tells of. */
  readonly state: string;
  answer(status: number, headers?: Record<string, string>): void;
  /** Breaks the connection off without an answer. */
  breakOff(): void;
  /** The sender has left. */
  readonly left: Promise<unknown>;
}

/** A webhook's receiver on a socket of its own. */
export async function receiver(t: { after(end: () => unknown): void }) {
  const come: Arrival[] = [];
  const waiting: ((arrival: Arrival) => void)[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const arrival = arrivalOf(request.url ?? '', request.headers, text, response);
    const next = waiting.shift();
    if (next === undefined) come.push(arrival);
    else next(arrival);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const next = (): Promise<Arrival> => {
    const arrival = come.shift();
    return arrival === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(arrival);
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    next,
    /** Takes the next one and says what it tells of. */
    async taken(): Promise<string> {
      const arrival = await next();
      arrival.answer(204);
      return arrival.state;
    },
    /** What came in and nobody asked for yet. */
    unread: come as readonly Arrival[],
  };
}

function arrivalOf(path: string, headers: IncomingHttpHeaders, text: string, response: ServerResponse): Arrival {
  const body: Result = JSON.parse(text);
  const left = once(response, 'close');
  return {
    path,
    headers,
    id: String(headers['webhook-id']),
    text,
    body,
    state: (body.task ?? body.statusUpdate)?.status.state.replace('TASK_STATE_', '') ?? '',
    answer: (status, more = {}) => response.writeHead(status, more).end(),
    breakOff: () => response.destroy(),
    left,
  };
}

/** Time that the test moves. What waits for an attempt's end and what waits between attempts are told apart. */
export function handTime() {
  let now = Date.UTC(2026, 0, 1);
  const pauses: Sleeper[] = [];
  const timeouts = new Set<Sleeper>();
  const asked: ((sleeper: Sleeper) => void)[] = [];
  const wait: Wait = (ms, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { ms, resolve };
    if (ms === PUSH_LIMITS.timeoutMs) {
      timeouts.add(sleeper);
    } else {
      const next = asked.shift();
      if (next === undefined) pauses.push(sleeper);
      else next(sleeper);
    }
    const stop = () => {
      timeouts.delete(sleeper);
      reject(signal.reason);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return promise;
  };
  return {
    now: () => now,
    wait,
    random: () => 0,
    /** Waits for the next pause between attempts, lets it pass, and says how long it is in milliseconds. */
    async pause(): Promise<number> {
      const sleeper = pauses.shift() ?? (await new Promise<Sleeper>((resolve) => asked.push(resolve)));
      now += sleeper.ms;
      sleeper.resolve();
      return sleeper.ms;
    },
    /** The attempts that are under way have taken too long. */
    expire(): void {
      now += PUSH_LIMITS.timeoutMs;
      for (const sleeper of timeouts) sleeper.resolve();
    },
  };
}

interface Sleeper {
  readonly ms: number;
  readonly resolve: () => void;
}
