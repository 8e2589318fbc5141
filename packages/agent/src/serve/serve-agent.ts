import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentCard } from '../agent/agent-card.ts';
import type { AgentDefinition } from '../agent/turn.ts';
import { AgentServer, type AgentServerOptions } from './agent-server.ts';
import { basePathOf } from './base-path.ts';

export interface ServeOptions extends Omit<AgentServerOptions, 'url'> {
  /** `127.0.0.1` unless given. A wider one is open to whoever reaches it, unless `authenticate` or `inbound` asks who calls. */
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
  const http = createServer((request, response) => {
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
