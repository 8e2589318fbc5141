import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientClock } from '../src/index.ts';

interface Cleanup {
  after(end: () => unknown): void;
}

/** One request, as it came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of a JSON body; empty otherwise. */
  readonly body: Record<string, unknown> & { readonly method?: string; readonly params?: Record<string, unknown> };
}

export type Answering = (asked: Asked, response: ServerResponse) => unknown;

export interface RawAgent {
  readonly url: string;
  /** Without those for cards. */
  readonly asked: Asked[];
}

/** An agent that answers what its test writes, byte by byte. Its card is at the well-known path unless it has `none`. */
export async function rawAgent(
  t: Cleanup,
  answer: Answering,
  card: ((url: string) => unknown) | 'none' = (url) =>
    cardOf([{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }]),
): Promise<RawAgent> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://agent');
    const { method = '', headers } = request;
    const body = headers['content-type'] === 'application/json' ? JSON.parse(text) : {};
    const one: Asked = { method, path: pathname, query: searchParams, headers, text, body };
    if (pathname === '/.well-known/agent-card.json' && card !== 'none') return json(response, card(url));
    asked.push(one);
    answer(one, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked };
}

export function cardOf(supportedInterfaces: readonly object[], more: object = {}): Record<string, unknown> {
  const capabilities = { streaming: true, pushNotifications: true };
  const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] };
  return {
    name: 'Raw',
    description: 'Raw',
    version: '1',
    skills: [],
    ...modes,
    capabilities,
    supportedInterfaces,
    ...more,
  };
}

export function card03(url: string, more: object = {}): Record<string, unknown> {
  const { supportedInterfaces: _, ...others } = cardOf([]);
  return { ...others, url, protocolVersion: '0.3.0', preferredTransport: 'JSONRPC', ...more };
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

export function rpc(response: ServerResponse, { body }: Asked, result: unknown): void {
  json(response, { jsonrpc: '2.0', id: body['id'], result });
}

export function rpcError(
  response: ServerResponse,
  { body }: Asked,
  code: number,
  message = 'no',
  more: object = {},
): void {
  json(response, { jsonrpc: '2.0', id: body['id'], error: { code, message, ...more } });
}

export function frame(result: unknown, id: unknown = 1): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`;
}

/** A stream of results that is then left open, ended, or cut off. */
export function stream(
  response: ServerResponse,
  results: readonly unknown[],
  then: 'end' | 'cut' | 'hold' = 'end',
): void {
  raw(response, results.map((result) => frame(result)).join(''), then);
}

export function raw(response: ServerResponse, text: string | Buffer, then: 'end' | 'cut' | 'hold' = 'end'): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (then === 'end') response.end(text);
  else response.write(text, () => then === 'cut' && response.destroy());
}

export const state = (name: string, more: object = {}) => ({
  statusUpdate: { taskId: 't', contextId: 'c', status: { state: `TASK_STATE_${name}`, ...more } },
});

export const task = (name: string, text?: string, more: object = {}) => ({
  task: {
    id: 't',
    contextId: 'c',
    status: { state: `TASK_STATE_${name}` },
    ...(text === undefined ? {} : { artifacts: [{ artifactId: 'a', parts: [{ text }] }] }),
    ...more,
  },
});

export const chunk = (text: string, append = true, artifactId = 'a') => ({
  artifactUpdate: { taskId: 't', contextId: 'c', append, artifact: { artifactId, parts: [{ text }] } },
});

/** Time that only passes where the test says so: what waits for less than `shortMs` waits for nothing. */
export class TestClock implements ClientClock {
  /** Every wait that was begun. */
  readonly waits: number[] = [];
  nowMs = 1_000_000;
  readonly #passes: (ms: number) => boolean;

  constructor(passes: (ms: number) => boolean) {
    this.#passes = passes;
  }

  now(): number {
    return this.nowMs;
  }

  after(ms: number, run: () => void): () => void {
    this.waits.push(ms);
    if (!this.#passes(ms)) return () => undefined;
    const soon = setImmediate(run);
    return () => clearImmediate(soon);
  }
}
