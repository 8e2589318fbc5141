import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from '../process/product-process.ts';
import { messageOf } from './space-caller.ts';
import type { SpaceName, TwoTenants } from './two-tenants.ts';

/** One event, as it was brought. */
export interface Told {
  readonly taskId: string;
  readonly status: string;
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The sink of a Space's events, which takes them or not as the test says. */
export class ToldSink {
  readonly name = 'told';
  /** Everything that came, also what was not taken. */
  readonly all: Told[] = [];
  /** What it answers. */
  status: (told: Told) => number = () => 204;
  /** Answers come after this. */
  answers: Promise<unknown> | undefined;
  readonly port: number;
  readonly #happened = new Set<() => void>();

  private constructor(port: number) {
    this.port = port;
  }

  static async start(t: Cleanup, port = 0): Promise<ToldSink> {
    let sink: ToldSink | undefined;
    const server = createServer(async (request, response) => {
      const body = (await request.setEncoding('utf8').toArray()).join('');
      const status = sink?.take(request.headers, body) ?? 503;
      await sink?.answers;
      response.writeHead(status).end();
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    sink = new ToldSink((server.address() as AddressInfo).port);
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return sink;
  }

  /** Of a Space whose events go here. */
  get spec(): object {
    return {
      egress: { trustedHosts: [`127.0.0.1:${this.port}`] },
      events: [{ name: this.name, url: `http://127.0.0.1:${this.port}/`, secretRef: { name: 'sink', key: 'signing' } }],
    };
  }

  take(headers: IncomingHttpHeaders, body: string): number {
    const { taskId, status } = JSON.parse(body) as { taskId: string; status: string };
    const told = { taskId, status, id: String(headers['webhook-id']), headers, body };
    const answer = this.status(told);
    this.all.push(told);
    for (const heard of this.#happened) heard();
    return answer;
  }

  /** The states that it was told of a task, in their order. */
  statesOf(task: string): readonly string[] {
    return this.all.filter(({ taskId }) => taskId === task).map(({ status }) => status);
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => {
        const heard = (): void => {
          this.#happened.delete(heard);
          resolve();
        };
        this.#happened.add(heard);
      });
    }
  }

  /** A task in each of the Spaces whose events it refuses until they are given up; takes everything from then on. */
  async dieIn(tenants: TwoTenants, ...spaces: readonly SpaceName[]): Promise<void> {
    this.status = () => 400;
    const sent = await Promise.all(spaces.map((space) => tenants.caller(space).send('shared', messageOf('die'))));
    await tenants.space.logged('queue-died', '', sent.length);
    this.status = () => 204;
  }
}
