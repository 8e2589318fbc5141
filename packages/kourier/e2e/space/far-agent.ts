import { EventEmitter, once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { certificateFor } from '../../../agent/test/certificate.ts';
import { type Cleanup, folderFor } from '../process/product-process.ts';

export const PUBLIC_ADDRESS = '93.184.216.34';
const CARD_PATH = '/.well-known/agent-card.json';

/** An agent of the internet, at `https://agent.example` and below, behind names that lead where the test says. */
export class FarAgent {
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  /** In place of a good answer. */
  answer: ((path: string, response: ServerResponse) => boolean) | undefined;
  readonly #arrivals = new EventEmitter();
  readonly #file: string;
  readonly #place: { readonly port: number; readonly cert: string };

  private constructor(file: string, place: { readonly port: number; readonly cert: string }) {
    this.#file = file;
    this.#place = place;
  }

  static async start(t: Cleanup): Promise<FarAgent> {
    let agent: FarAgent | undefined;
    const { cert, key } = certificateFor(['agent.example']);
    const server = createServer({ cert, key }, async (request, response) => {
      const text = (await request.setEncoding('utf8').toArray()).join('');
      agent?.take(request.url ?? '', text, request.headers, response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const file = join(folderFor(t), 'far.json');
    agent = new FarAgent(file, { port: (server.address() as AddressInfo).port, cert });
    agent.leadTo(PUBLIC_ADDRESS);
    process.env['FAR_NETWORK'] = file;
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    return agent;
  }

  /** What the name is looked up as from now on. Whole at once: the Space reads it whenever it looks the name up. */
  leadTo(...addresses: readonly string[]): void {
    writeFileSync(`${this.#file}.new`, JSON.stringify({ ...this.#place, names: { 'agent.example': addresses } }));
    renameSync(`${this.#file}.new`, this.#file);
  }

  async arrived(path: string): Promise<void> {
    while (!this.asked.some((one) => one.path === path)) await once(this.#arrivals, 'asked');
  }

  static card(url: string, more: object = {}): Record<string, unknown> {
    return {
      ...{ name: 'Far', description: 'Far away.', version: '1', skills: [], capabilities: { streaming: true } },
      ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      ...more,
    };
  }

  take(path: string, text: string, headers: IncomingHttpHeaders, response: ServerResponse): void {
    this.asked.push({ path, headers });
    this.#arrivals.emit('asked');
    if (this.answer?.(path, response)) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    if (path.endsWith(CARD_PATH)) return void response.end(JSON.stringify(FarAgent.card('https://agent.example/rpc')));
    const { id } = JSON.parse(text) as { readonly id: unknown };
    const message = { messageId: 'answer', role: 'ROLE_AGENT', parts: [{ text: 'from afar' }] };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { message } }));
  }
}
