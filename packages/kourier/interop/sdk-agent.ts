import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AgentCard } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { ScriptedExecutor } from './scripted-executor.ts';

export type Served = '1.0' | '0.3';

export interface SdkAgent {
  readonly url: string;
  readonly executor: ScriptedExecutor;
  /** JSON-RPC methods, in the order in which they were asked for. */
  readonly methods: readonly string[];
  /** Resolves when a subscription has brought its first event, so that it misses none from then on. */
  readonly subscribed: Promise<void>;
  close(): void;
}

/** An agent as a user of the official SDK writes it: its express adapters, its request handler, its store in memory. */
export async function sdkAgent(wire: Served): Promise<SdkAgent> {
  const app = express();
  const server = createServer((request, response) => app(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents/official`;
  const executor = new ScriptedExecutor();
  const card = cardAt(url, wire);
  const requestHandler = new WatchedRequests(card, new InMemoryTaskStore(), executor);
  const legacyCompat = { enabled: wire === '0.3' };
  const methods: string[] = [];
  app.use('/agents/official/.well-known/agent-card.json', (request, _response, next) => {
    // A server of 0.3 alone knows no version header: without it the SDK answers as one.
    if (wire === '0.3') delete request.headers['a2a-version'];
    next();
  });
  app.use(
    '/agents/official/.well-known/agent-card.json',
    agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }),
  );
  app.use('/agents/official', (request, _response, next) => {
    request.on('data', (chunk: Buffer) => methods.push(...(METHOD.exec(chunk.toString())?.slice(1) ?? [])));
    next();
  });
  app.use(
    '/agents/official',
    jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat }),
  );
  return {
    url,
    executor,
    methods,
    subscribed: requestHandler.subscribed.promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cardAt(url: string, wire: Served): AgentCard {
  return AgentCard.fromJSON({
    name: 'Official',
    description: 'Served by the official SDK',
    version: '1.2.3',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: wire }],
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'echo', name: 'Echo', description: 'Says it again', tags: ['echo'] }],
  });
}

const METHOD = /"method":"([^"]+)"/;

class WatchedRequests extends DefaultRequestHandler {
  readonly subscribed = Promise.withResolvers<void>();

  override async *resubscribe(...args: Parameters<DefaultRequestHandler['resubscribe']>) {
    for await (const event of super.resubscribe(...args)) {
      this.subscribed.resolve();
      yield event;
    }
  }
}
