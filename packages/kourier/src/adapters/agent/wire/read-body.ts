import type { Readable } from 'node:stream';
import { CALLED_OFF, type CalledOff, discard } from './exchange.ts';
import { errorCode } from './failures.ts';

export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole body. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

export type BodyReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'over' }
  | { readonly kind: 'lost'; readonly why: string }
  | CalledOff;

const DECODER = new TextDecoder();

/** A whole body as text, always UTF-8 (case C043). Bounded in bytes and time; never throws. */
export function readBody(body: Readable, { maxBytes, withinMs, signal }: BodyLimits): Promise<BodyReading> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (reading: BodyReading) => {
      clearTimeout(timer);
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
      size += chunk.length;
      if (size > maxBytes) finish({ kind: 'over' });
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
