import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentServer, type AgentServerOptions, type Turn } from '@agentkourier/agent';
import type { Cleanup } from '../process/product-process.ts';

/** One request as it reached the agent. */
interface Reached {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

interface Choices extends Omit<AgentServerOptions, 'url'> {
  readonly name?: string;
}

/**
 * An agent of the SDK that does what it is told: `hold` stops in mid-answer until `release`, `ask` asks, `fail` fails, `who`
 * says who called, all else is said again. It outlives gateways, and writes down what reached it and what ran.
 */
export class ActingAgent {
  readonly reached: Reached[] = [];
  readonly runs: { readonly messageId: string; readonly text: string }[] = [];
  url = '';
  /** Requests that are being answered. */
  open = 0;
  /** Runs that somebody had aborted. */
  canceled = 0;
  readonly #held = Promise.withResolvers<void>();
  readonly #happened = new Set<() => void>();

  /** `choices` gets the address before anything is served. */
  static async start(t: Cleanup, choices: Choices | ((url: string) => Choices) = {}): Promise<ActingAgent> {
    const agent = new ActingAgent();
    let listener: AgentServer['listener'] | undefined;
    const http = createServer((request, response) => {
      const { method = '', url: path = '', headers } = request;
      agent.reached.push({ method, path, headers });
      agent.open += 1;
      response.once('close', () => {
        agent.open -= 1;
        agent.#tell();
      });
      agent.#tell();
      listener?.(request, response);
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    agent.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { name = 'Actor', ...options } = typeof choices === 'function' ? choices(agent.url) : choices;
    const skills = [
      { id: 'act', name: 'Act', description: 'Does what it is told.', tags: ['acting'], examples: [`call ${name}`] },
    ];
    const turn = (of: Turn) => agent.#turn(of);
    const definition = { name, description: `${name} does what it is told.`, skills, turn };
    const server = new AgentServer(definition, { ...options, onError: () => undefined, url: agent.url });
    await server.open();
    ({ listener } = server);
    t.after(async () => {
      agent.release();
      http.close();
      http.closeAllConnections();
      await server.close();
    });
    return agent;
  }

  /** Lets all that is held go on. */
  release(): void {
    this.#held.resolve();
  }

  /** The first that is found, now or once something else reached the agent. */
  async until<Found>(find: () => Found | undefined | false): Promise<Found> {
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await new Promise<void>((resolve) => {
        const heard = (): void => {
          this.#happened.delete(heard);
          resolve();
        };
        this.#happened.add(heard);
      });
    }
  }

  #tell(): void {
    for (const heard of this.#happened) heard();
  }

  async *#turn(turn: Turn): AsyncGenerator<string> {
    const { text, messageId, caller, signal } = turn;
    this.runs.push({ messageId, text });
    let done = false;
    signal.addEventListener('abort', () => {
      if (!done) this.canceled += 1;
      this.#tell();
    });
    this.#tell();
    if (text.startsWith('hold')) {
      yield 'begun ';
      await Promise.race([this.#held.promise, once(signal, 'abort')]);
      yield 'and done';
    } else if (text.startsWith('ask')) yield `City: ${await turn.ask('Which city?')}`;
    else if (text.startsWith('fail')) throw new Error('told to');
    else if (text.startsWith('who')) yield caller.id;
    else yield `You said: ${text}`;
    done = true;
  }
}
