import type { AgentServer } from '../src/index.ts';

type Json = Record<string, unknown>;

/** A plain client of A2A 0.3 without a socket: it names no version, as clients of 0.3 do. */
export function legacyCallerOf(server: Pick<AgentServer, 'fetch'>, headers: Record<string, string> = {}) {
  const fetch = (path: string, init: RequestInit = {}) =>
    server.fetch(new Request(`http://agent.example${path}`, { ...init, headers: { ...headers, ...init.headers } }));
  const post = (body: unknown) =>
    fetch('/a2a/jsonrpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const rpc = async (method: string, params: unknown, id: unknown = 1) =>
    (await (await post({ jsonrpc: '2.0', id, method, params })).json()) as LegacyAnswer;
  const stream = async (method: string, params: unknown) =>
    frames(await (await post({ jsonrpc: '2.0', id: 's', method, params })).text()) as LegacyAnswer[];
  const http = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`/a2a${path}`, { method, headers: { 'content-type': 'application/json' }, ...sent });
    const text = await response.text();
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    return { status: response.status, json: (isStream ? {} : JSON.parse(text)) as Json, frames: frames(text) };
  };
  return { fetch, post, rpc, stream, http };
}

export interface LegacyAnswer {
  readonly id?: unknown;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function frames(text: string): Json[] {
  const data = text.split('\n\n').filter((frame) => frame.startsWith('data: '));
  return data.map((frame) => JSON.parse(frame.slice('data: '.length)) as Json);
}

export function legacyMessage(messageId: string, fields: Json = {}) {
  const parts = [{ kind: 'text', text: 'hello' }];
  return { message: { kind: 'message', messageId, role: 'user', parts, ...fields } };
}
