import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CHUNK, scriptOf } from './script.ts';

interface Body {
  readonly id: unknown;
  readonly method: string;
  readonly params: { readonly message: { readonly parts: readonly { readonly text: string }[] } };
}

/** The least that a server can do: it reads the JSON, writes JSON of the same shape, and keeps and checks nothing. */
export function bareServer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
    if (body.method === 'SendMessage') return answer(body, response);
    stream(body, response);
  });
}

const wrap = ({ id }: Body, result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result });

function task({ params }: Body, state: string) {
  const timestamp = new Date(0).toISOString();
  return { id: randomUUID(), contextId: randomUUID(), status: { state, timestamp }, history: [params.message] };
}

function answer(body: Body, response: ServerResponse): void {
  const artifacts = [{ artifactId: 'answer', parts: [{ text: CHUNK }] }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(wrap(body, { task: { ...task(body, 'TASK_STATE_COMPLETED'), artifacts } }));
}

function stream(body: Body, response: ServerResponse): void {
  const script = scriptOf(body.params.message.parts[0]?.text ?? '');
  const first = task(body, 'TASK_STATE_SUBMITTED');
  const ids = { taskId: first.id, contextId: first.contextId };
  const frame = (result: object): void => void response.write(`data: ${wrap(body, result)}\n\n`);
  const status = (state: string): void => frame({ statusUpdate: { ...ids, status: { state, timestamp: '' } } });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  frame({ task: first });
  status('TASK_STATE_WORKING');
  if (script.kind === 'hold') return;
  for (let n = 0; n < (script.kind === 'chunks' ? script.count : 1); n += 1) {
    frame({ artifactUpdate: { ...ids, artifact: { artifactId: 'answer', parts: [{ text: CHUNK }] }, append: n > 0 } });
  }
  status('TASK_STATE_COMPLETED');
  response.end();
}
