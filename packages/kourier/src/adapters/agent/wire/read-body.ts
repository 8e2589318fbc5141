import type { Readable } from 'node:stream';
import { CALLED_OFF, type CalledOff, discard } from './exchange.ts';
import { errorCode } from './failures.ts';
import type { Share } from './unfinished.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** For a body that can be large. */
  readonly share?: Share;
}

export type BodyReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'lost'; readonly why: string }
  | CalledOff;

/** An error that the body explains is short; more of it is not worth waiting for. */
export const ERROR_BODY_BYTES = 64 * 1_024;

const DECODER = new TextDecoder();

/** A whole body as text, always UTF-8 (case C043). Bounded in bytes and time; never throws. */
export function readBody(body: Readable, { maxBytes, withinMs, signal, share }: BodyLimits): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    let finished = false;
    const finish = (reading: BodyReading) => {
      finished = true;
      clearTimeout(timer);
      share?.end();
      signal.removeEventListener('abort', off);
      resolve(reading);
      if (reading.kind !== 'text') discard(body);
    };
    const off = () => finish(CALLED_OFF);
    const timer = setTimeout(
      () => finish({ kind: 'lost', why: `the body did not end within ${withinMs} ms` }),
      withinMs,
    );
    signal.addEventListener('abort', off, { once: true });
    body.on('data', (chunk: Uint8Array) => {
      if (finished) return;
      size += chunk.length;
      if (size > maxBytes) return finish({ kind: 'over' });
      const noRoom = share?.grow(size);
      if (noRoom) finish({ kind: 'lost', why: noRoom.why });
      else chunks.push(chunk);
    });
    body.on('end', () => finish({ kind: 'text', text: DECODER.decode(Buffer.concat(chunks)) }));
    body.on('error', (error) =>
      finish({ kind: 'lost', why: `the connection was lost (${errorCode(error) || 'no code'})` }),
    );
    body.on('close', () => finish({ kind: 'lost', why: 'the connection was lost' }));
    if (signal.aborted) off();
  });
}
