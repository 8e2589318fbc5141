import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentCard, PATHS } from '../agent/agent-card.ts';
import type { AgentDefinition } from '../agent/turn.ts';
import { AgentServer, type AgentServerOptions } from './agent-server.ts';
import { basePathOf } from './base-path.ts';
import { isLoopback, namesThisMachine } from './local-host.ts';

export interface ServeOptions extends Omit<AgentServerOptions, 'url'> {
  /**
   * `127.0.0.1` unless given. A wider one is open to whoever reaches it, unless `authenticate` or `inbound` asks who calls. On
   * loopback, where neither asks, whatever has another Host than this machine's or that of `publicUrl` is refused (403), the
   * card excepted.
   */
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** What the card names as the agent's address, where that is not `http://host:port` with the base path (behind a proxy). */
  readonly publicUrl?: string;
}

export interface ServedAgent {
  /** The endpoint: `http://host:port`, with the base path. Its card is at `/.well-known/agent-card.json` below it. */
  readonly url: string;
  /** Stops listening, drops the open streams and aborts the turns that run. Paused tasks wait in a durable store. */
  close(): Promise<void>;
}

/**
 * Serves an agent on A2A 1.0, and on 0.3 where `protocols` says so, as JSON-RPC and HTTP+JSON. Rejects when the definition is incomplete (TypeError), the store
 * cannot be opened or the address cannot be had.
 *
 *     await serveAgent({ name: 'Echo', description: 'Says it again.', async *turn({ text }) { yield text } })
 */
export async function serveAgent(agent: AgentDefinition, options: ServeOptions = {}): Promise<ServedAgent> {
  const { host = '127.0.0.1', port = 0, publicUrl, ...rest } = options;
  agentCard(agent, 'http://127.0.0.1');
  const opened = Promise.withResolvers<AgentServer>();
  // Whoever calls while the store is opened is answered then, or cut off with the server.
  const isOpen = isLoopback(host) && rest.authenticate === undefined && rest.inbound === undefined;
  const http = createServer((request, response) => {
    // The card is for everybody.
    const path = request.url?.split('?')[0] ?? '';
    const isCard = path.endsWith(PATHS.card) || path.endsWith(PATHS.card02);
    if (isOpen && !isCard && !namesThisMachine(request, publicUrl)) return refuseName(response);
    void opened.promise.then(({ listener }) => listener(request, response));
  });
  http.listen(port, host);
  await once(http, 'listening');
  const { port: listensOn } = http.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listensOn}${basePathOf(rest.basePath)}`;
  const server = new AgentServer(agent, { ...rest, url: publicUrl ?? url });
  const close = async () => {
    const closed = once(http, 'close');
    http.close();
    http.closeAllConnections();
    await Promise.all([closed, server.close()]);
  };
  try {
    await server.open();
    opened.resolve(server);
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
  return { url, close };
}

function refuseName(response: ServerResponse): void {
  const body = 'Call this agent as localhost or 127.0.0.1, or under the name of its publicUrl.\n';
  response.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(body);
}
