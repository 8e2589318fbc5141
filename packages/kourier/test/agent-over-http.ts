import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestContext } from 'node:test';
import { certificateFor } from '../../agent/test/certificate.ts';
import type { AgentUnderTest, Reply } from '../contract/agent-samples.ts';
import {
  frame,
  HttpAgent,
  loseConnection,
  type Reaction,
  reply,
  silence,
  status,
  stream,
} from '../contract/http-agent.ts';
import { renderEvent, renderTask, type WireVersion } from '../contract/render-wire.ts';
import { type A2aAgents, a2aAgents } from '../src/adapters/agent/a2a-agents.ts';
import type { Network } from '../src/adapters/agent/wire/guarded-way.ts';
import { DEFAULT_TIMINGS, type Timings } from '../src/core/timings.ts';
import type { Agent, CallOptions } from '../src/ports/agent.ts';
import type { Backend, Binding, Configuration, Registry } from '../src/ports/registry.ts';

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
export const SPAN_ID = '00f067aa0ba902b7';
export const BINDING = 'ops';

export const callOptions = (signal = new AbortController().signal): CallOptions => ({ signal, traceId: TRACE_ID });

export interface Setup {
  readonly timings?: Partial<Timings>;
  /** Of the endpoint on the agent's origin. */
  readonly path?: string;
  readonly backend?: Partial<Backend>;
  readonly binding?: Partial<Extract<Binding, { readonly backend: Backend }>>;
  /**
   * Puts the agent behind HTTPS under the name `agent.example`, called with egress `public`: what each lookup of a name in
   * turn answers; the last answer stays. What is dialled leads to the agent.
   */
  readonly looked?: readonly (readonly string[])[];
}

/** As far as these tests are told. */
export const PUBLIC_ADDRESS = '93.184.216.34';

/** The adapter, connected to an agent on a real socket; both are stopped with the test. */
export interface OverHttp {
  readonly http: HttpAgent;
  readonly agents: A2aAgents;
  readonly agent: Agent;
  /** The addresses of each connection that was dialled with egress `public`. */
  readonly dialled: readonly (readonly string[])[];
  /** Makes another configuration the current one. */
  configure(setup: Setup): void;
}

export async function overHttp(context: TestContext, wire: WireVersion, setup: Setup = {}): Promise<OverHttp> {
  const { close, ...over } = await openOverHttp(wire, setup);
  context.after(close);
  return over;
}

async function openOverHttp(wire: WireVersion, setup: Setup): Promise<OverHttp & { close(): Promise<void> }> {
  const far = setup.looked && certificateFor(['agent.example', 'xn--bcher-kva.example']);
  const http = await HttpAgent.start(wire, far);
  const origin = far === undefined ? http.origin : 'https://agent.example';
  let current = configuration(origin, setup);
  const registry: Registry = { current: () => current, watch: () => () => undefined, problems: () => [] };
  const dialled: (readonly string[])[] = [];
  const network = far === undefined ? {} : networkOf(http, far.cert, setup.looked ?? [], dialled);
  const agents = a2aAgents({ registry, spanId: () => SPAN_ID, network });
  const agent = agents.agentFor(BINDING);
  if (agent === undefined) throw new Error('the binding has no agent');
  return {
    http,
    agents,
    agent,
    dialled,
    configure: (changed) => {
      current = configuration(origin, changed);
    },
    close: async () => {
      await agents.close();
      await http.stop();
    },
  };
}

function networkOf(
  http: HttpAgent,
  ca: string,
  answers: readonly (readonly string[])[],
  dialled: (readonly string[])[],
): Network {
  let lookups = 0;
  return {
    ca,
    resolve: async () => {
      lookups += 1;
      return answers[Math.min(lookups, answers.length) - 1] ?? [];
    },
    dial: async ({ addresses }) => {
      dialled.push(addresses);
      const socket = connect({ host: '127.0.0.1', port: http.port });
      await once(socket, 'connect');
      return socket;
    },
  };
}

function configuration(origin: string, { timings, path = '/agent', backend, binding, looked }: Setup): Configuration {
  const egress = looked === undefined ? 'direct' : 'public';
  const bound: Binding = {
    name: BINDING,
    backend: { name: 'research', dialect: 'a2a', url: origin + path, headers: [], egress, ...backend },
    identity: { token: 'secret' },
    chat: { platform: 'web', channels: [], directMessages: false },
    interactions: {},
    ...binding,
  };
  return {
    bindings: new Map([[BINDING, bound]]),
    platforms: new Map(),
    timings: { ...DEFAULT_TIMINGS, ...timings },
    store: { kind: 'sqlite' },
  };
}

/** For the contract suite. */
export async function agentUnderTest(wire: WireVersion, setup: Setup): Promise<AgentUnderTest> {
  const { http, agent, close } = await openOverHttp(wire, setup);
  return {
    agent,
    script: (method, ...replies) => void http.on(method, ...replies.map((item) => reaction(item, wire))),
    asked: (method) => http.seen(method).length,
    close,
  };
}

function reaction(item: Reply, wire: WireVersion): Reaction {
  switch (item.kind) {
    case 'events':
      return stream(
        item.events.map((event) => frame(renderEvent(event, wire))),
        (response) => {
          if (item.then === 'end') response.end();
          if (item.then === 'lose') response.destroy();
        },
      );
    case 'events-error': {
      const error = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: item.code, message: 'no' } });
      const frames = item.events.map((event) => frame(renderEvent(event, wire)));
      return stream([...frames, `data: ${error}\n\n`], (response) => void response.end());
    }
    case 'task':
      return reply({ result: renderTask(item.task, wire) });
    case 'page':
      return reply({ result: { tasks: item.tasks.map((task) => renderTask(task, wire)), nextPageToken: item.next } });
    case 'error':
      return reply({ error: { code: item.code, message: 'no', data: { retryAfterMs: item.retryAfterMs } } });
    case 'status': {
      const seconds = item.retryAfterSeconds;
      return status(item.status, seconds === undefined ? {} : { 'retry-after': String(seconds) });
    }
    case 'lost':
      return loseConnection;
    case 'silent':
      return silence;
  }
}
