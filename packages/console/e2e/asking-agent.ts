import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Json = Record<string, unknown>;

const HITL = 'https://kagent.dev/extensions/hitl/v1';

/** A step of what the agent does in a turn; it goes on after `ask` when it has its answer. */
export type Scene =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly args: Json }
  | { readonly kind: 'result'; readonly id: string; readonly name: string; readonly response: Json }
  /** With a payload it is structured, else a question in plain text. */
  | { readonly kind: 'ask'; readonly text: string; readonly payload?: Json };

/** What a message from the courier said. */
export interface Heard {
  readonly text: string;
  readonly taskId?: string;
  /** The answer to a structured request. */
  readonly payload?: Json;
  readonly actor?: Json;
}

interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly history: Json[];
  readonly artifacts: Json[];
  status: Json;
  left: readonly Scene[];
}

/** An A2A 1.0 agent on a real socket that plays the same scenes in each turn, and keeps what it was told. */
export class AskingAgent {
  readonly heard: Heard[] = [];
  readonly #name: string;
  readonly #scenes: readonly Scene[];
  readonly #server: Server;
  readonly #tasks = new Map<string, Task>();

  private constructor(name: string, scenes: readonly Scene[]) {
    this.#name = name;
    this.#scenes = scenes;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(name: string, ...scenes: readonly Scene[]): Promise<AskingAgent> {
    const agent = new AskingAgent(name, scenes);
    await new Promise<void>((resolve) => agent.#server.listen(0, '127.0.0.1', resolve));
    return agent;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return json(response, this.#card());
    const { id, method, params } = JSON.parse(await text(request)) as { id: unknown; method: string; params: Json };
    if (method === 'SendStreamingMessage') return this.#turn(response, id, params['message'] as Json);
    const task = this.#tasks.get(String(params['id']));
    if (method === 'GetTask' && task !== undefined) return json(response, { jsonrpc: '2.0', id, result: shown(task) });
    if (method === 'ListTasks') return json(response, { jsonrpc: '2.0', id, result: { tasks: [], nextPageToken: '' } });
    json(response, { jsonrpc: '2.0', id, error: { code: -32001, message: 'no such task' } });
  }

  #card(): Json {
    return {
      name: this.#name,
      description: 'Plays a few scenes.',
      version: '1.0.0',
      capabilities: { streaming: true, extensions: [{ uri: HITL }] },
      supportedInterfaces: [{ url: this.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [],
    };
  }

  #turn(response: ServerResponse, id: unknown, message: Json): void {
    const { taskId, metadata = {} } = message as { taskId?: string; metadata?: Json };
    const said = (message['parts'] as Json[]).map((part) => part['text']).join('');
    this.heard.push({
      text: said,
      ...(taskId === undefined ? {} : { taskId }),
      ...(metadata[HITL] === undefined ? {} : { payload: metadata[HITL] as Json }),
      ...(metadata['agentkourier.dev/actor'] === undefined
        ? {}
        : { actor: metadata['agentkourier.dev/actor'] as Json }),
    });
    const task = this.#tasks.get(taskId ?? '') ?? this.#begin(String(message['contextId'] ?? ''));
    task.history.push(message);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tell = (result: Json): unknown =>
      response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
    setState(task, 'WORKING');
    tell({ task: shown(task) });
    this.#play(task, tell);
    tell({ task: shown(task) });
    response.end();
  }

  #begin(contextId: string): Task {
    const id = `task-${this.#tasks.size + 1}`;
    const task: Task = {
      ...{ id, contextId: contextId === '' ? `context-${id}` : contextId, history: [], artifacts: [] },
      ...{ status: {}, left: this.#scenes },
    };
    this.#tasks.set(id, task);
    return task;
  }

  #play(task: Task, tell: (result: Json) => unknown): void {
    for (const [at, scene] of task.left.entries()) {
      if (scene.kind === 'ask') {
        task.left = task.left.slice(at + 1);
        return setState(task, 'INPUT_REQUIRED', questionOf(task, scene));
      }
      const artifact = { artifactId: `${task.id}-${task.artifacts.length + 1}`, parts: [partOf(scene)] };
      task.artifacts.push(artifact);
      tell({ artifactUpdate: { taskId: task.id, contextId: task.contextId, artifact, lastChunk: true } });
    }
    task.left = [];
    setState(task, 'COMPLETED');
  }
}

function questionOf(task: Task, { text: words, payload }: Extract<Scene, { kind: 'ask' }>): Json {
  const ids = { taskId: task.id, contextId: task.contextId, messageId: `${task.id}-${task.history.length}` };
  const structured = payload === undefined ? {} : { extensions: [HITL], metadata: { [HITL]: payload } };
  return { ...ids, role: 'ROLE_AGENT', parts: [{ text: words }], ...structured };
}

function partOf(scene: Exclude<Scene, { kind: 'ask' }>): Json {
  if (scene.kind === 'say') return { text: scene.text };
  const { kind, ...data } = scene;
  const type = kind === 'call' ? 'function_call' : 'function_response';
  return { data, metadata: { 'kagent.dev/a2a/part-type': type } };
}

function setState(task: Task, state: string, message?: Json): void {
  const timestamp = new Date(Date.UTC(2026, 0, 2, 3, 4, task.history.length)).toISOString();
  task.status = { state: `TASK_STATE_${state}`, timestamp, ...(message === undefined ? {} : { message }) };
}

const shown = ({ id, contextId, status, artifacts, history }: Task): Json => ({
  ...{ id, contextId, status, artifacts, history },
});

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
