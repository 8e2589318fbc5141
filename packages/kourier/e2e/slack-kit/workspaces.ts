import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { clockFor } from '../process/clock-for.ts';
import type { Cleanup } from '../process/product-process.ts';
import type { Mode } from '../process/slack-product.ts';
import type { Answered } from './slack-people.ts';
import { BEGAN, CONFIGURE, READY, type Told } from './told.ts';
import { Workspace } from './workspace.ts';

/**
 * Serves the Slacks of a run of the kit, one for each folder of data, in this process: the kit kills the product with
 * all that is in its process group, and this is in no such group. They are gone when the test is over.
 */
export async function serveWorkspaces(t: Cleanup, mode: Mode): Promise<string> {
  const clock = clockFor(t);
  const workspaces = new Map<string, Promise<Workspace>>();
  const answer = async (request: IncomingMessage): Promise<Answered> => {
    const [, folder = '', path = ''] = /^\/([^/]*)(.*)$/.exec(request.url ?? '') ?? [];
    const data = decodeURIComponent(folder);
    const workspace = workspaces.get(data) ?? Workspace.open(mode, clock);
    workspaces.set(data, workspace);
    return answered(await workspace, data, path, request);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    for (const workspace of workspaces.values()) await (await workspace).close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answered(workspace: Workspace, data: string, path: string, request: IncomingMessage): Promise<Answered> {
  const body = await text(request);
  const { config = '', url = '', thread = '' } = told(path, body);
  switch (path) {
    case CONFIGURE:
      return { status: 200, body: workspace.configure(config, data) };
    case READY:
      workspace.ready(url);
      return { status: 200, body: '' };
    case BEGAN:
      workspace.began(thread);
      return { status: 200, body: '' };
    default:
      return workspace.answer({ method: request.method ?? '', path, body });
  }
}

function told(path: string, body: string): Told {
  return [CONFIGURE, READY, BEGAN].includes(path) ? (JSON.parse(body) as Told) : {};
}
