import { request } from 'node:http';
import { SseReader } from '@agentkourier/a2a/sse';
import type { SpaceCaller } from './space-caller.ts';

/** A stream of an agent's events, read as it comes. */
export interface OpenStream {
  readonly status: number;
  readonly task: string;
  /** What JSON-RPC brought as `result`, so far. */
  readonly results: readonly unknown[];
  /** The next time that something came: whether `found` is so then. Rejects when the stream breaks before. */
  until(found: (results: readonly unknown[]) => boolean): Promise<void>;
  /** How it ended. */
  readonly ended: Promise<'whole' | 'broken'>;
  leave(): void;
}

/** Opens a stream of JSON-RPC; resolves with the head of the answer. */
export function openStream(caller: SpaceCaller, agent: string, method: string, params: object): Promise<OpenStream> {
  const results: unknown[] = [];
  const heard = new Set<() => void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<'whole' | 'broken'>();
  return new Promise((resolve, reject) => {
    const asked = request(
      `${caller.url}/spaces/${caller.space}/agents/${agent}`,
      {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
      },
      (response) => {
        const reader = new SseReader({
          maxFrameLength: 1_000_000,
          onData: (data) => {
            results.push((JSON.parse(data) as { readonly result?: unknown }).result);
            return 'more';
          },
        });
        const tell = (): void => {
          for (const one of heard) one();
        };
        response.on('data', (piece: Buffer) => {
          reader.push(piece);
          tell();
        });
        response.on('error', () => undefined);
        response.once('close', () => {
          end(response.complete ? 'whole' : 'broken');
          tell();
        });
        const until = async (found: (results: readonly unknown[]) => boolean): Promise<void> => {
          while (!found(results)) {
            if (response.closed) throw new Error(`the stream ended before: ${JSON.stringify(results)}`);
            await new Promise<void>((next) => {
              const one = (): void => {
                heard.delete(one);
                next();
              };
              heard.add(one);
            });
          }
        };
        const { statusCode: status = 0, headers } = response;
        const task = String(headers['a2a-space-task'] ?? '');
        resolve({ status, task, results, until, ended, leave: () => void asked.destroy() });
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  });
}

/** Whether this text stands in what came. */
export const says =
  (text: string) =>
  (results: readonly unknown[]): boolean =>
    JSON.stringify(results).includes(text);
