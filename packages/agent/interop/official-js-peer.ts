import { randomUUID } from 'node:crypto';
import { SendMessageRequest } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';

const compat = { legacyCompat: { enabled: true } };
const resolver = new DefaultAgentCardResolver(compat);
/** The client names 1.0 when it asks for a card, whatever it speaks; the card of 0.3 stands at the older path, too. */
export const CARD_AT = { '1.0': '/.well-known/agent-card.json', '0.3': '/.well-known/agent.json' } as const;

/** What the official JavaScript SDK is to speak. */
export interface Peer {
  readonly wire: '1.0' | '0.3';
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
}

export const PEERS: readonly Peer[] = (['1.0', '0.3'] as const).flatMap((wire) =>
  (['JSONRPC', 'HTTP+JSON'] as const).map((binding) => ({ wire, binding })),
);

/** The official client of the agent there, made from its card. */
export async function officialClient(url: string, { wire, binding }: Peer): Promise<Client> {
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(compat), new RestTransportFactory(compat)],
    preferredTransports: [binding],
    cardResolver: resolver,
  });
  return await factory.createFromAgentCard(await resolver.resolve(url, CARD_AT[wire]));
}

export const saying = (text: string, more: object = {}, configuration: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
    configuration,
  });
