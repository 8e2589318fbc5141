import { request as httpRequest, type IncomingMessage } from 'node:http';
import { type AnswerTurn, type ServedAgent, type ServeOptions, serveAgent } from '../src/index.ts';

/** What the tests of this package share: a served agent and a plain client of its wire. Not exported by the package. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly id?: unknown;
  readonly result?: Result;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly timestamp: string; readonly message?: Record<string, unknown> };
  readonly artifacts?: readonly { readonly artifactId: string; readonly parts: readonly Record<string, unknown>[] }[];
  readonly history?: readonly Record<string, unknown>[];
}

export interface Result {
  readonly task?: TaskJson;
  readonly statusUpdate?: { readonly taskId: string; readonly status: { readonly state: string } };
  readonly artifactUpdate?: {
    readonly append: boolean;
    readonly artifact: { readonly artifactId: string; readonly parts: readonly Record<string, unknown>[] };
  };
  readonly tasks?: readonly TaskJson[];
  readonly nextPageToken?: string;
  readonly totalSize?: number;
  readonly pageSize?: number;
  readonly id?: string;
  readonly status?: TaskJson['status'];
  readonly artifacts?: TaskJson['artifacts'];
  readonly history?: TaskJson['history'];
}

interface Cleanup {
  after(end: () => unknown): void;
}

export async function serve(t: Cleanup, turn: AnswerTurn, options: ServeOptions = {}): Promise<ServedAgent & Client> {
  const quiet = { onError: () => undefined, ...options };
  const agent = await serveAgent({ name: 'Test', description: 'An agent of a test.', turn }, quiet);
  t.after(() => agent.close());
  return { ...agent, ...clientOf(agent.url) };
}

type Client = ReturnType<typeof clientOf>;

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

export function clientOf(url: string) {
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = HEADERS,
    query = '',
  ) => {
    const response = await fetch(url + query, { method: 'POST', headers, body });
    const text = await response.text();
    const json = text === '' ? {} : JSON.parse(text);
    return { status: response.status, headers: response.headers, ...json } as Answer;
  };
  const call = (method: string, params: unknown = {}, id: unknown = 1) =>
    post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const stream = (method: string, params: unknown) => openStream(url, { jsonrpc: '2.0', id: 's', method, params });
  const send = (messageId: string, fields: Record<string, unknown> = {}) =>
    stream('SendStreamingMessage', message(messageId, fields));
  return { post, call, stream, send };
}

export function message(messageId: string, fields: Record<string, unknown> = {}) {
  return { message: { messageId, role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields } };
}

/** One open stream: frames one at a time, the raw lines beside them. */
export interface OpenStream extends AsyncIterable<Result> {
  /** The next frame; throws when there is none. */
  next(): Promise<Result>;
  /** Every frame that is left. */
  rest(): Promise<Result[]>;
  readonly response: IncomingMessage;
  leave(): void;
}

async function openStream(url: string, body: unknown): Promise<OpenStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers: HEADERS, agent: false }, resolve);
    request.once('error', reject);
    request.end(JSON.stringify(body));
  });
  const frames = framesOf(response);
  return {
    response,
    async next() {
      const { done, value } = await frames.next();
      if (done === true) throw new Error('the stream has ended');
      return value;
    },
    async rest() {
      const left: Result[] = [];
      for await (const frame of frames) left.push(frame);
      return left;
    },
    leave: () => response.destroy(),
    [Symbol.asyncIterator]: () => frames,
  };
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<Result, undefined> {
  let waiting = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const frames = (waiting + chunk).split('\n\n');
    waiting = frames.pop() ?? '';
    for (const frame of frames) if (frame.startsWith('data: ')) yield JSON.parse(frame.slice('data: '.length)).result;
  }
  return undefined;
}

/** A gate that a turn waits at until the test opens it. */
export function gate() {
  return Promise.withResolvers<void>();
}

export function textOf(task: Pick<TaskJson, 'artifacts'> | undefined): string {
  const parts = (task?.artifacts ?? []).flatMap((artifact) => artifact.parts);
  return parts.map((part) => part['text'] ?? '').join('');
}
