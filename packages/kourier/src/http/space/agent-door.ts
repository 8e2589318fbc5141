import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatewayReply, GatewayRequest } from '../../space/gateway/exchange.ts';
import type { Place } from '../../space/gateway/gateway.ts';
import { SPACE_LIMITS } from '../../space/limits.ts';
import { readBytes } from '../read-body.ts';

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

/**
 * The request as the gateway reads it, and its answer, without the cost of standard ones: streams go through here. A reader
 * that takes nothing for `stalledMs`, while something waits for it, is cut off.
 */
export function nodeDoor(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { path, query }: { readonly path: string; readonly query: string },
  stalledMs: number = SPACE_LIMITS.stalledReaderMs,
): { readonly request: GatewayRequest; readonly reply: GatewayReply } {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  const request: GatewayRequest = {
    method: incoming.method ?? 'GET',
    path,
    query,
    // Several of one name are all told, where Node's own `headers` would keep the first.
    header: (name) => incoming.headersDistinct[name]?.join(', '),
    body: (maxBytes) => bodyOf(incoming, maxBytes),
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
    write: (piece) => (outgoing.write(piece) ? undefined : drained(outgoing, stalledMs)),
    end: (last) => {
      outgoing.end(last);
      // What is left is held until it is taken; when it is, Node has its own time for a connection without a request.
      if (outgoing.writableLength > 0) outgoing.socket?.setTimeout(stalledMs);
    },
    destroy: () => void outgoing.destroy(),
  };
  return { request, reply };
}

/** When the reader has taken what was written, or has left. */
function drained(outgoing: ServerResponse, stalledMs: number): void | Promise<void> {
  // Who has left before says neither.
  if (outgoing.closed) return undefined;
  // Without anybody who listens for it, Node cuts the connection then. Each byte that is taken begins it anew.
  outgoing.socket?.setTimeout(stalledMs);
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.socket?.setTimeout(0);
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.on('drain', done);
    outgoing.on('close', done);
  });
}

/** `undefined` past the limit; the rest is left unread, and the connection open for an answer. Rejects when it breaks. */
async function bodyOf(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const bytes = await readBytes(incoming, maxBytes);
  if (bytes === 'gone') throw new Error('the connection broke');
  return bytes === 'too-large' ? undefined : bytes;
}
