import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { agentCard } from './agent-card.ts';
import { EventStream } from './event-stream.ts';
import { readJsonBody } from './json-body.ts';
import { HEARTBEAT_EVERY_MS } from './limits.ts';
import { type Outcome, operations } from './operations.ts';
import { asksForVersion1 } from './protocol-version.ts';
import { idOf, readRequest } from './request.ts';
import { internalError, invalidRequest, parseError, RpcError, versionNotSupported } from './rpc-error.ts';
import type { ReportFailure } from './run-turn.ts';
import { TaskStore } from './task-store.ts';
import type { AgentDefinition } from './turn.ts';

export interface ServeOptions {
  /** `127.0.0.1` unless given. A wider one is open to whoever reaches it: nothing here asks who calls. */
  readonly host?: string;
  /** A free one unless given. */
  readonly port?: number;
  /** What the card names as the agent's address, where that is not `http://host:port` (behind a proxy). */
  readonly publicUrl?: string;
  /** Gets what a turn threw; standard error unless given. Callers never see it. */
  readonly onError?: ReportFailure;
  readonly heartbeatEveryMs?: number;
  /** Milliseconds since the epoch, for the times of tasks. */
  readonly now?: () => number;
}

export interface ServedAgent {
  /** The endpoint: `http://host:port`. Its card is at `/.well-known/agent-card.json` below it. */
  readonly url: string;
  /** Aborts the turns that run, drops the open streams, and stops listening. Their tasks end without a last word. */
  close(): Promise<void>;
}

const CARD_PATH = '/.well-known/agent-card.json';

/**
 * Serves an agent on A2A 1.0, JSON-RPC, with its tasks in memory. Rejects when the definition is incomplete (TypeError)
 * or the address cannot be had.
 *
 *     await serveAgent({ name: 'Echo', description: 'Says it again.', async *turn({ text }) { yield text } })
 */
export async function serveAgent(agent: AgentDefinition, options: ServeOptions = {}): Promise<ServedAgent> {
  const { host = '127.0.0.1', port = 0, heartbeatEveryMs = HEARTBEAT_EVERY_MS } = options;
  agentCard(agent, '');
  const store = new TaskStore({ now: options.now ?? Date.now, newId: randomUUID });
  const report = options.onError ?? reportToStandardError;
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');

  const url = `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
  const card = JSON.stringify(agentCard(agent, options.publicUrl ?? url));
  const perform = operations({ store, answer: agent.turn, report });
  const streams = new Set<EventStream>();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A connection that breaks while its body is read leaves nobody to answer.
    answerHttp({ request, response, card, perform, streams, report }).catch(() => response.destroy());
  });
  const heartbeat = setInterval(() => {
    for (const stream of streams) stream.beat();
  }, heartbeatEveryMs);
  heartbeat.unref();

  return {
    url,
    async close() {
      clearInterval(heartbeat);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      for (const task of store.running()) task.abort.abort();
      await closed;
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly card: string;
  readonly perform: ReturnType<typeof operations>;
  readonly streams: Set<EventStream>;
  readonly report: ReportFailure;
}

async function answerHttp(exchange: Exchange): Promise<void> {
  const { request, response, card } = exchange;
  const url = new URL(request.url ?? '/', 'http://agent');
  if (url.pathname === CARD_PATH && (request.method === 'GET' || request.method === 'HEAD')) {
    return send(response, 200, request.method === 'HEAD' ? '' : card);
  }
  if (url.pathname !== '/') return send(response, 404, '');
  if (request.method !== 'POST') return send(response, 405, '', { allow: 'POST' });
  // Only a browser sends Origin, and no web page has business with an agent that nothing guards.
  if (request.headers.origin !== undefined) return send(response, 403, '');

  if (!isJson(request.headers['content-type'])) {
    return sendError(response, 'null', invalidRequest('Content-Type must be application/json.'));
  }
  const body = await readJsonBody(request);
  if (body === 'too-large') return sendError(response, 'null', invalidRequest('The body is too large.'), 413);
  if (body === 'too-deep') return sendError(response, 'null', invalidRequest('The body is nested too deeply.'));
  if (body === 'not-json') return sendError(response, 'null', parseError());
  const id = idOf(body.value);
  try {
    const rpc = readRequest(body.value);
    if (!asksForVersion1(header(request, 'a2a-version'), url)) throw versionNotSupported();
    deliver(exchange, id, exchange.perform(rpc));
  } catch (error) {
    if (!(error instanceof RpcError)) exchange.report(error, { taskId: '', contextId: '' });
    sendError(response, id, error instanceof RpcError ? error : internalError());
  }
}

function deliver({ response, streams }: Exchange, id: string, outcome: Outcome): void {
  const sendResult = (result: object) =>
    send(response, 200, `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
  if (outcome.kind === 'result') {
    sendResult(outcome.result);
    return;
  }
  const { task, historyLength } = outcome;
  if (outcome.kind === 'wait') {
    const ended = () => sendResult({ task: task.snapshot({ historyLength }) });
    if (task.ended) ended();
    else response.once('close', task.watch({ frame: () => undefined, ended }));
    return;
  }
  const stream = new EventStream(response, task, { id, historyLength });
  streams.add(stream);
  response.once('close', () => streams.delete(stream));
  stream.open();
  outcome.start();
}

function sendError(response: ServerResponse, id: string, error: RpcError, status = 200): void {
  const { code, message, data, retryAfterMs } = error;
  const headers: Record<string, string> = {
    ...(retryAfterMs === undefined ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / 1_000)) }),
    // What is left of a body that was refused is not read.
    ...(status === 413 ? { connection: 'close' } : {}),
  };
  send(response, status, `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message, data })}}`, headers);
}

function send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...(body === '' ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(body);
}

function isJson(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function reportToStandardError(error: unknown, { taskId }: { readonly taskId: string }): void {
  process.stderr.write(`agent: the turn of task ${taskId} failed: ${inspect(error)}\n`);
}
