import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { renderCard, type WireVersion } from '../../contract/render-wire.ts';

export type Method = 'send' | 'subscribe' | 'get' | 'cancel' | 'list';

/** What is sent, byte for byte: never held in memory as a whole. */
export type Bytes = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** One answer; without headers it is a stream of events. */
export interface Reaction {
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Bytes;
  readonly after?: 'end' | 'hold';
}

export interface Behaviour {
  readonly wire: WireVersion;
  /** The card's bytes; a plain card unless given. */
  readonly card?: (plain: object) => Bytes;
  /** A method that is not here gets an HTTP 500. `silent`: not even headers. */
  readonly on: { readonly [method in Method]?: (call: Call) => Reaction | 'silent' };
}

export interface Call {
  /** The answer's middle, while it is held open: resolves once the other threads have been looked at. */
  readonly middle: () => Promise<void>;
}

const METHODS: Readonly<Record<string, Method>> = {
  SendStreamingMessage: 'send',
  SubscribeToTask: 'subscribe',
  GetTask: 'get',
  CancelTask: 'cancel',
  ListTasks: 'list',
  'message/stream': 'send',
  'tasks/resubscribe': 'subscribe',
  'tasks/get': 'get',
  'tasks/cancel': 'cancel',
};

/** Agents that do their worst, each below a path of its own. `middle` is called in the middle of an answer. */
export async function serveHostile(
  behaviours: ReadonlyMap<string, Behaviour>,
  middle: (name: string) => Promise<void>,
): Promise<{ readonly url: (name: string) => string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    const name = request.url?.split('/')[1] ?? '';
    const behaviour = behaviours.get(name);
    void text(request).then((body) => {
      if (behaviour === undefined) return void response.writeHead(404).end();
      if (request.method === 'GET') return void sendCard(response, behaviour);
      const { method = '' } = JSON.parse(body) as { method?: string };
      const reaction = behaviour.on[METHODS[method] ?? 'list']?.({ middle: () => middle(name) });
      if (reaction === undefined) return void response.writeHead(500).end();
      if (reaction !== 'silent') void react(response, reaction);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendCard(response: ServerResponse, { wire, card }: Behaviour): Promise<void> {
  const plain = renderCard(wire);
  const headers = { 'content-type': 'application/json' };
  return react(response, { headers, bytes: card?.(plain) ?? [JSON.stringify(plain)] });
}

/** Writes as fast as the other side reads, until it has no more or is cut off. */
async function react(response: ServerResponse, { headers, bytes, after = 'end' }: Reaction): Promise<void> {
  response.writeHead(200, headers ?? { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const closed = once(response, 'close');
  for await (const piece of bytes) {
    if (response.destroyed) return;
    if (response.write(piece)) continue;
    await Promise.race([once(response, 'drain'), closed]);
    // A socket that takes all at once would leave nobody else in this process a turn.
    await setImmediate();
  }
  if (after === 'end') response.end();
}
