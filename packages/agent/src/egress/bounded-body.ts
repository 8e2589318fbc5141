import { Readable } from 'node:stream';
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
 * The body of a response as it comes, counted as it comes. Errors with the reason that ended the operation; a body that
 * ends early is an error, too. The operation ends with the body, or when its reader destroys it.
 */
export function boundedBody(message: Readable, operation: Operation, { maxBytes, idleMs }: BodyBounds): Readable {
  let [bytes, isOver] = [0, false];
  const fail = (error: unknown) => operation.end(error);
  const body = new Readable({
    highWaterMark: WAITING_BYTES,
    read: () => void message.resume(),
    destroy: (error, destroyed) => {
      isOver = true;
      operation.end();
      destroyed(error);
    },
  });
  // Whoever does not read it hears of it nowhere, and that must not end the process.
  body.on('error', () => undefined);
  const renew = () => operation.enter('A2A_EGRESS_IDLE_TIMEOUT', idleMs);
  renew();
  operation.signal.addEventListener('abort', () => {
    if (!isOver) body.destroy(asError(operation.signal.reason));
  });
  message.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) return fail(new EgressRefused('A2A_EGRESS_RESPONSE_TOO_LARGE', `over ${maxBytes} bytes`));
    if (isOver) return;
    renew();
    if (!body.push(chunk)) message.pause();
  });
  message.once('end', () => {
    isOver = true;
    body.push(null);
    operation.end();
  });
  message.once('error', (error) => fail(brokenBy(error)));
  message.once('close', () => fail(new EgressRefused('A2A_EGRESS_CONNECTION_LOST')));
  return body;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the call was called off', { cause: reason });
}

/** The same as a web stream, which errors with the very reason that ended the operation. */
export function webBody(body: Readable, { signal }: Operation): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        body.on('data', (chunk: Buffer) => {
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) body.pause();
        });
        body.once('end', () => controller.close());
        body.once('close', () => {
          if (!body.readableEnded) controller.error(signal.reason);
        });
      },
      pull() {
        body.resume();
      },
      cancel() {
        body.destroy();
      },
    },
    { highWaterMark: WAITING_BYTES, size: (chunk) => chunk.byteLength },
  );
}
