import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Browsers and `fetch` refuse some ports; the highest of them in this range is 10080. */
const LOWEST = 11_000;
/** From here on Linux gives ports to whoever asks for any, and to each connection that goes out. */
const ABOVE = 32_768;

/**
 * A port of 127.0.0.1 for who is named before it listens, or comes back to where it was. A port that was found free by
 * asking for any is given to the next who asks for any.
 */
export async function ownPort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, ABOVE);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await once(server.close(), 'close');
    return port;
  }
}
