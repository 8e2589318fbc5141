import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A way to the database that can break: `cutAt` says after which bytes of ours no answer comes through any more. */
export async function breakable(t: TestContext, url: string) {
  const folder = new URL(url.replace('@/', '@host/')).searchParams.get('host') ?? '';
  let cutAt: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'));
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    let isCut = false;
    near.on('data', (bytes) => {
      if (cutAt !== undefined && bytes.includes(cutAt)) {
        cutAt = undefined;
        isCut = true;
      }
      far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (isCut) near.destroy();
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { pathname } = new URL(url.replace('@/', '@host/'));
  return {
    url: `postgres://postgres@127.0.0.1:${port}${pathname}`,
    cut: (at: string) => {
      cutAt = at;
    },
  };
}
