// An agent in a process of its own, on plain node:http: it writes bytes that it made before, so that both sides of a
// comparison read the same and neither waits for it. Speaks A2A 1.0. What it does is in the path:
// /turns/CHUNKS one whole turn in one write, ended by a status; /tasks/CHUNKS the same, ended by the whole task;
// /flood/UPDATES small updates as fast as they are read; /ticks/CHUNKS/EVERY_MS chunks that say when they were written;
// /chunks/CHUNKS and /steps/CALLS a turn that comes in many small writes; /open a task that runs on.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { frameOf, type StreamIds, Template, taskEnd, turnEnd, turnStart, updateOf } from './wire-bytes.ts';

const FLOOD_BLOCK = 500;
/** So that the reader never waits for the agent to hear that there is room. */
const AHEAD_BYTES = 4 * 1_024 * 1_024;
const SSE = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

interface Asked {
  readonly method: string;
  /** As it stands in the JSON, a string with its quotes. */
  readonly id: string;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
}

let tasks = 0;
const templates = new Map<string, Template>();

function template(name: string, make: () => string): Template {
  const known = templates.get(name) ?? new Template(make());
  templates.set(name, known);
  return known;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, kind = '', size = '', every = ''] = (request.url ?? '').split('/');
  if (request.method === 'GET') {
    response.setHeader('content-type', 'application/json');
    return void response.end(card(request));
  }
  const asked = read(await text(request));
  if (asked.method === 'GetTask') return sendTask(response, asked, kind, Number(size));
  tasks += 1;
  const ids: StreamIds = {
    rpc: asked.id,
    task: `task-${String(tasks).padStart(31, '0')}`,
    context: asked.contextId ?? `context-${String(tasks).padStart(28, '0')}`,
  };
  response.writeHead(200, SSE);
  const whole = WHOLE[kind];
  if (whole && kind in PIECEMEAL)
    await piecemeal(response, template(request.url ?? '', () => whole(Number(size))).fill(ids));
  else if (whole) response.end(template(request.url ?? '', () => whole(Number(size))).fill(ids));
  else if (kind === 'flood') await flood(response, ids, Number(size));
  else if (kind === 'ticks') await ticks(response, ids, Number(size), Number(every));
  else response.write(template('start', turnStart).fill(ids));
}

function read(body: string): Asked {
  const { id, method, params } = JSON.parse(body) as {
    id: unknown;
    method: string;
    params: { id?: string; message?: { contextId?: string } };
  };
  const contextId = params.message?.contextId;
  return { method, id: JSON.stringify(id), contextId: contextId === '' ? undefined : contextId, taskId: params.id };
}

const words = (index: number): string => `chunk ${String(index).padStart(6, '0')} `;
const textOf = (chunks: number): string => Array.from({ length: chunks }, (_, index) => words(index)).join('');
const updates = (chunks: number): string =>
  Array.from({ length: chunks }, (_, index) => updateOf(words(index))).join('');
const turn = (chunks: number): string => turnStart() + updates(chunks) + turnEnd();

/** Whole streams by the name of their path. */
const WHOLE: Readonly<Record<string, (size: number) => string>> = {
  turns: turn,
  tasks: (chunks) => turnStart() + updates(chunks) + taskEnd(textOf(chunks)),
  chunks: turn,
  steps,
};
const PIECEMEAL: Readonly<Record<string, true>> = { chunks: true, steps: true };
/** Of a few updates, and not where they end. */
const PIECE_BYTES = 2_000;

async function piecemeal(response: ServerResponse, stream: Buffer): Promise<void> {
  for (let at = 0; at < stream.length; at += PIECE_BYTES) {
    response.write(stream.subarray(at, at + PIECE_BYTES));
    await nextTurn();
  }
  response.end();
}

function steps(calls: number): string {
  const part = (type: string, data: object): object => ({ data, metadata: { adk_type: type } });
  const frames = Array.from({ length: calls }, (_, index) => {
    const call = { id: `call-${index}`, name: 'get_pods', args: { namespace: 'default', index } };
    const result = { id: `call-${index}`, name: 'get_pods', response: { pods: index } };
    return updateOf('', [part('function_call', call)]) + updateOf(words(index), [part('function_response', result)]);
  });
  return turnStart() + frames.join('') + turnEnd();
}

/** The whole task, as GetTask answers after a stream that ended with a status. */
function sendTask(response: ServerResponse, { id, taskId = '' }: Asked, kind: string, size: number): void {
  const text = textOf(kind === 'turns' || kind === 'chunks' ? size : 0);
  const artifacts = text === '' ? [] : [{ artifactId: 'answer', parts: [{ text }] }];
  const task = { id: taskId, contextId: '', status: { state: 'TASK_STATE_COMPLETED' }, artifacts };
  response.setHeader('content-type', 'application/json');
  response.end(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(task)}}`);
}

async function flood(response: ServerResponse, ids: StreamIds, updates: number): Promise<void> {
  const block = template('flood', () => updateOf('some words ').repeat(FLOOD_BLOCK)).fill(ids);
  response.write(template('start', turnStart).fill(ids));
  for (let sent = 0; sent < updates; sent += FLOOD_BLOCK) {
    if (!response.write(block) && response.writableLength > AHEAD_BYTES) {
      await new Promise<void>((resolve) => response.once('drain', resolve));
    }
  }
  response.end(template('end', turnEnd).fill(ids));
}

async function ticks(response: ServerResponse, ids: StreamIds, chunks: number, everyMs: number): Promise<void> {
  response.write(template('start', turnStart).fill(ids));
  for (let index = 0; index < chunks; index += 1) {
    await pause(everyMs);
    response.write(frameOf(ids, `${process.hrtime.bigint()} `));
  }
  await pause(everyMs);
  response.end(template('end', turnEnd).fill(ids));
}

function card(request: IncomingMessage): string {
  const url = `http://${request.headers.host}${(request.url ?? '').replace('/.well-known/agent-card.json', '')}`;
  return JSON.stringify({
    name: 'bench',
    description: 'Writes what it is asked for',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  });
}

const server = createServer((request, response) => void answer(request, response));
server.keepAliveTimeout = 60_000;
server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('disconnect', () => process.exit(0));
