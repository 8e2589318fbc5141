import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { ownPort } from '../../agent/test/own-port.ts';
import type { Actor, AuditRecord, Binding, Entry, Given, RequestEntry, ThreadStatus } from '../src/api/wire.ts';
import { ScriptedThread } from './scripted-thread.ts';

const DIST = join(import.meta.dirname, '..', 'dist');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};
/** As the product serves the page. */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:",
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

export interface Call {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The HTTP interface without a courier: a test says what a thread shows, so that a page can be seen in states that a
 * real agent rarely makes. What it keeps outlives `stop()`, as a store does.
 */
export class ScriptedServer {
  readonly calls: Call[] = [];
  bindings: readonly Binding[] = [{ name: 'demo', backend: 'demo', platform: 'web', agent: { name: 'Demo agent' } }];
  /** What the next calls are answered with, instead of being done. `drop`: done, and the answer is lost on its way. */
  refusals: ('drop' | { readonly status: number; readonly code: string; readonly detail: string })[] = [];
  /** What a new turn does. */
  onTurn: (thread: ScriptedThread, turnId: string, text: string) => void = () => {};
  /** What the record of decisions has. */
  audit: readonly AuditRecord[] = [];
  /** Holds an answer to a request until it resolves. */
  onAnswer: () => Promise<void> = async () => {};
  readonly #threads = new Map<string, ScriptedThread>();
  readonly #turns = new Map<string, { thread: string; turnId: string }>();
  #server: Server | undefined;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The same port as before, so that a page finds it again. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    this.#server = server;
    if (this.#port === 0) this.#port = await ownPort();
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  thread(id: string): ScriptedThread {
    const thread = this.#threads.get(id) ?? new ScriptedThread(id);
    this.#threads.set(id, thread);
    return thread;
  }

  /** A thread that is there already. */
  withThread(id: string, entries: readonly Entry[], status: ThreadStatus = 'idle'): string {
    const thread = this.thread(id);
    for (const entry of entries) thread.put(entry);
    thread.setStatus(status);
    return `${this.url}/threads/${id}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    if (request.method === 'POST') return this.#take(path, await bodyOf(request), response);
    if (path === '/api/v1/bindings') return json(response, 200, { bindings: this.bindings });
    if (path === '/api/v1/audit') return json(response, 200, { records: this.audit, next: null });
    const [, id, events] = /^\/api\/v1\/threads\/([^/]+)(\/events)?$/.exec(path) ?? [];
    if (id === undefined) return sendFile(response, path);
    const thread = this.#threads.get(id);
    if (thread === undefined)
      return problem(response, { status: 404, code: 'thread-not-found', detail: 'No such thread.' });
    if (events === undefined) return json(response, 200, thread.timeline());
    thread.stream(response, Number(request.headers['last-event-id'] ?? 0));
  }

  async #take(path: string, body: Record<string, unknown>, response: ServerResponse): Promise<void> {
    this.calls.push({ path, body });
    const refusal = this.refusals.shift();
    if (refusal !== undefined && refusal !== 'drop') {
      problem(response, refusal);
      return;
    }
    const request = /^\/api\/v1\/requests\/([^/]+)\/answer$/.exec(path)?.[1];
    if (request !== undefined) {
      await this.onAnswer();
      const settled = this.#decide(decodeURIComponent(request), body as unknown as Given & { actor: Actor });
      if (refusal === 'drop') response.destroy();
      else if (settled !== undefined) problem(response, { status: 409, code: 'already-settled', detail: settled });
      else json(response, 202, {});
      return;
    }
    const [, id = `t${this.#threads.size + 1}`, verb] =
      /^\/api\/v1\/threads(?:\/([^/]+)\/(messages|stop))?$/.exec(path) ?? [];
    if (verb === 'stop') {
      this.thread(id).stopped();
      json(response, 202, {});
      return;
    }
    const taken = this.#turn(id, String(body['idempotencyKey']), body);
    if (refusal === 'drop') response.destroy();
    else json(response, verb === undefined ? 201 : 202, taken);
  }

  /** Once; afterwards, what was decided. */
  #decide(id: string, given: Given & { readonly actor: Actor }): string | undefined {
    for (const thread of this.#threads.values()) {
      const entry = thread
        .timeline()
        .entries.find((one): one is RequestEntry => one.id === id && one.kind === 'request');
      if (entry === undefined) continue;
      if (entry.state !== 'open') return `The request was ${entry.state} by ${entry.answer?.actor.name ?? 'nobody'}.`;
      const answer = { answers: [], approvals: [], ...given };
      thread.put({ ...entry, state: 'answered', answer });
      thread.setStatus('running');
    }
    return undefined;
  }

  #turn(id: string, key: string, body: Record<string, unknown>): { thread: string; turnId: string } {
    const known = this.#turns.get(key);
    if (known !== undefined) return known;
    const thread = this.thread(id);
    const turnId = `turn-${this.#turns.size + 1}`;
    const text = String(body['text']);
    const actor = body['actor'] as { id: string };
    thread.put({ id: `m-${turnId}`, kind: 'message', turnId, actor, text, at: new Date().toISOString() });
    this.#turns.set(key, { thread: id, turnId });
    this.onTurn(thread, turnId, text);
    return { thread: id, turnId };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function problem(response: ServerResponse, value: { status: number; code: string; detail: string }): void {
  response.writeHead(value.status, { 'content-type': 'application/problem+json' }).end(JSON.stringify(value));
}

async function sendFile(response: ServerResponse, path: string): Promise<void> {
  const file = extname(path) === '' ? '/index.html' : path;
  const content = await readFile(join(DIST, file)).catch(() => undefined);
  if (content === undefined) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': TYPES[extname(file)] ?? '', 'content-security-policy': POLICY })
    .end(content);
}
