import type { Readable } from 'node:stream';
import { EgressRefused } from './egress-refused.ts';
import { brokenBy } from './exchange.ts';
import type { Operation } from './operation.ts';

/** What waits for a slow reader before the connection is left to fill. */
const WAITING_BYTES = 65_536;

export interface BodyBounds {
  readonly maxBytes: number;
  /** Between two chunks, whoever is slow: the other side, or our reader. */
  readonly idleMs: number;
}

/**
 * The body of a response as it comes. Errors with the reason that ended the operation; a body that ends early is an
 * error, too. The operation ends with the body, or when its reader cancels it.
 */
export function boundedBody(message: Readable, operation: Operation, bounds: BodyBounds): ReadableStream<Uint8Array> {
  const { maxBytes, idleMs } = bounds;
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false;
        const over = (settle: () => void) => {
          if (isOver) return;
          isOver = true;
          settle();
        };
        const fail = (error: unknown) => operation.end(error);
        const renew = () => operation.enter('A2A_EGRESS_IDLE_TIMEOUT', idleMs);
        renew();
        operation.signal.addEventListener('abort', () => over(() => controller.error(operation.signal.reason)));
        message.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > maxBytes)
            return fail(new EgressRefused('A2A_EGRESS_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`));
          if (isOver) return;
          renew();
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) message.pause();
        });
        message.once('end', () => {
          over(() => controller.close());
          operation.end();
        });
        message.once('error', (error) => fail(brokenBy(error)));
        message.once('close', () => fail(new EgressRefused('A2A_EGRESS_CONNECTION_LOST')));
      },
      pull() {
        message.resume();
      },
      cancel() {
        operation.end();
      },
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk.byteLength },
  );
}
