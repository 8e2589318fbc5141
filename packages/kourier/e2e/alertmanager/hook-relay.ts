import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A notification as Alertmanager sent it, as far as the tests read it. */
export interface Group {
  readonly groupKey: string;
  readonly alerts: readonly { readonly status: string; readonly labels: Readonly<Record<string, string>> }[];
}

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Delivered extends Answered {
  readonly group: Group;
}

/** Stands between Alertmanager and the product, so that a test can wait for what has been notified and answered. */
export class HookRelay {
  readonly delivered: Delivered[] = [];
  /** How many of the next answers are lost on their way back. */
  losing = 0;
  readonly #server: Server;
  #arrived = Promise.withResolvers<void>();

  private constructor(deliver: (group: object) => Promise<Answered>) {
    this.#server = createServer((request, response) => {
      void json(request).then(async (read) => {
        const group = read as Group;
        const answer = await deliver(group);
        this.delivered.push({ group, ...answer });
        this.losing -= 1;
        if (this.losing >= 0) response.destroy();
        else response.writeHead(answer.status).end();
        this.#arrived.resolve();
        this.#arrived = Promise.withResolvers();
      });
    });
  }

  static async start(deliver: (group: object) => Promise<Answered>): Promise<HookRelay> {
    const relay = new HookRelay(deliver);
    await new Promise<void>((resolve) => relay.#server.listen(0, '127.0.0.1', resolve));
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  /** The first notification from this one on that is as wanted. */
  async next(wanted: (delivered: Delivered) => boolean, from = 0): Promise<Delivered> {
    for (;;) {
      const found = this.delivered.slice(from).find(wanted);
      if (found !== undefined) return found;
      await this.#arrived.promise;
    }
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
