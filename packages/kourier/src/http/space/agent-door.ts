import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayReply, GatewayRequest } from '../../space/gateway/exchange.ts';
import type { Place } from '../../space/gateway/gateway.ts';

const ADDRESS = /^\/spaces\/([^/?]+)\/agents\/([^/?]+)(\/[^?]*)?(?:\?(.*))?$/;

/** Where at the gateway a request of Node's http server goes; `undefined` when it is not for an agent. */
export function agentPlace(url: string): (Place & { readonly path: string; readonly query: string }) | undefined {
  const [match, space = '', agent = '', path = '', query = ''] = ADDRESS.exec(url) ?? [];
  return match === undefined ? undefined : { space: decoded(space), agent: decoded(agent), path, query };
}

/** An id that is not well encoded is nobody's. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** The request as the gateway reads it, and its answer, without the cost of standard ones: streams go through here. */
export function nodeDoor(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, query }: { readonly path: string; readonly query: string },
): { readonly request: GatewayRequest; readonly reply: GatewayReply } {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request: GatewayRequest = {
    method: incoming.method ?? 'GET',
    path,
    query,
    header: (name) => {
      const value = incoming.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: (maxBytes) => readBytes(incoming, maxBytes),
    signal: gone.signal,
  };
  const reply: GatewayReply = {
    get begun() {
      return outgoing.headersSent;
    },
    head: (status, headers) => {
      outgoing.writeHead(status, headers);
      // A stream may be quiet for long, and its caller waits for the head.
      if (headers['content-length'] === undefined) outgoing.flushHeaders();
    },
    write: (piece) => (outgoing.write(piece) ? undefined : drained(outgoing)),
    end: (last) => void outgoing.end(last),
    destroy: () => void outgoing.destroy(),
  };
  return { request, reply };
}

/** When the reader has taken what was written, or has left. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}

/** `undefined` past the limit; the rest is left unread, and the connection open for an answer. Rejects when it breaks. */
function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const data = (piece: Buffer): void => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= maxBytes) return;
      incoming.pause();
      settle(() => resolve(undefined));
    };
    const end = (): void => settle(() => resolve(Buffer.concat(pieces)));
    const broken = (): void => settle(() => reject(new Error('the connection broke')));
    const events = { data, end, error: broken, close: broken };
    const settle = (tell: () => void): void => {
      for (const [name, listener] of Object.entries(events)) incoming.off(name, listener);
      tell();
    };
    for (const [name, listener] of Object.entries(events)) incoming.on(name, listener);
  });
}
