import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Cleanup } from '../process/product-process.ts';

const CARD_PATH = '/.well-known/agent-card.json';

/** An agent in the raw: its card is whatever the test says, and it answers every call with where it was called. */
export class CardHost {
  /** Paths of calls, not of cards. */
  readonly called: string[] = [];
  /** How often the card was read. */
  cards = 0;
  card: object;
  /** In place of the card. */
  answer: ((response: ServerResponse) => unknown) | undefined;
  readonly url: string;
  readonly #happened = new Set<() => void>();

  private constructor(url: string) {
    this.url = url;
    this.card = this.cardAt('/one');
  }

  static async start(t: Cleanup): Promise<CardHost> {
    let host: CardHost | undefined;
    const server = createServer(async (request, response) => {
      const text = (await request.setEncoding('utf8').toArray()).join('');
      host?.take(request.url ?? '', text, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = new CardHost(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return host;
  }

  /** A card of 1.0 whose agent is called at `path`. */
  cardAt(path: string, more: object = {}): object {
    return {
      ...{ name: 'Host', description: 'As it was.', version: '1', skills: [], capabilities: { streaming: true } },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      supportedInterfaces: [{ url: this.url + path, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      ...more,
    };
  }

  take(path: string, text: string, response: ServerResponse): void {
    if (path === CARD_PATH) {
      if (this.answer !== undefined) this.answer(response);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.card));
      this.cards += 1;
      for (const heard of this.#happened) heard();
      return;
    }
    this.called.push(path);
    const message = { messageId: 'answer', role: 'ROLE_AGENT', parts: [{ text: path }] };
    const { id } = text === '' ? { id: null } : (JSON.parse(text) as { readonly id: unknown });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { message } }));
  }

  /** Once the card was read so often again. */
  async readAgain(times: number): Promise<void> {
    for (const until = this.cards + times; this.cards < until; ) {
      await new Promise<void>((resolve) => {
        const heard = (): void => {
          this.#happened.delete(heard);
          resolve();
        };
        this.#happened.add(heard);
      });
    }
  }
}
