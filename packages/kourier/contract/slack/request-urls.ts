import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RequestUrls } from './delivery/http-hooks.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What an app answers. `undefined`: nothing, until Slack gives up. */
export type Reply =
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> }
  | undefined;

/** An app that is reached by HTTP, answers what it is told to, in order, then 200; and keeps what it got. */
export async function requestUrls(noted: () => void): Promise<{
  readonly urls: RequestUrls;
  readonly received: Received[];
  readonly replies: Reply[];
  close(): Promise<void>;
}> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const reply = replies.length === 0 ? { status: 200 } : replies.shift();
      if (reply !== undefined) response.writeHead(reply.status, reply.headers).end(reply.body);
      noted();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urls: { events: `${origin}/slack/events`, interactivity: `${origin}/slack/interactivity` },
    received,
    replies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
