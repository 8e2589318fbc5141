import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@agentkourier/a2a/canonical-json';

/** An answer, whole. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  /** Of a JSON text. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  readonly json: any;
  readonly headers: Headers;
  /** All of it that may tell something: status, headers without their date, body. */
  readonly bytes: string;
}

export interface Asking {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Whoever calls a Space with a key, or with none. */
export class SpaceCaller {
  readonly url: string;
  readonly space: string;
  readonly key: string | undefined;

  constructor(url: string, space: string, key?: string) {
    this.url = url;
    this.space = space;
    this.key = key;
  }

  get base(): string {
    return `/api/v1/spaces/${this.space}`;
  }

  async ask(method: string, path: string, { body, headers = {} }: Asking = {}): Promise<Answered> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const told = [...response.headers].filter(([name]) => name !== 'date');
    const bytes = JSON.stringify([response.status, told, text]);
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    return {
      ...{ status: response.status, text, headers: response.headers, bytes },
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** Below the Space. */
  get(path: string): Promise<Answered> {
    return this.ask('GET', this.base + path);
  }

  post(path: string, body: unknown = {}): Promise<Answered> {
    return this.ask('POST', this.base + path, { body });
  }

  /** JSON-RPC of an agent. */
  rpc(
    agent: string,
    method: string,
    params: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> {
    const body = { jsonrpc: '2.0', id: '1', method, params };
    return this.ask('POST', `/spaces/${this.space}/agents/${agent}`, { body, headers });
  }

  /** A message of 1.0 that is sent without more ado. */
  send(agent: string, message: Readonly<Record<string, unknown>>, permit?: string): Promise<Answered> {
    return this.rpc(agent, 'SendMessage', { message }, permit === undefined ? {} : { 'a2a-space-permit': permit });
  }

  prepare(agentId: string, message: Readonly<Record<string, unknown>>, more: object = {}): Promise<Answered> {
    const { messageId } = message;
    return this.post('/calls', { agentId, messageId, messageSha256: sha256Of(message), ...more });
  }
}

export const messageOf = (text: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  messageId: randomUUID(),
  role: 'ROLE_USER',
  parts: [{ text }],
  ...more,
});

/** As rule A3 binds a message to its permit. */
export function sha256Of({
  taskId: _task,
  contextId: _context,
  ...message
}: Readonly<Record<string, unknown>>): string {
  return createHash('sha256')
    .update(canonicalJson(message) ?? '')
    .digest('hex');
}
