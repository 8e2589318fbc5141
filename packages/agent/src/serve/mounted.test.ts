import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { clientOf, message } from '../../test/served-agent.ts';
import { AGENT_LIMITS, AgentServer } from '../index.ts';

const echo = { name: 'Echo', description: 'Says it again.', turn: ({ text }: { readonly text: string }) => text };

/** What parsers that stand before the agent leave of a body, as `request.body`. */
const PARSERS: Readonly<Record<string, (body: Buffer) => unknown>> = {
  'express.json()': (body) => JSON.parse(body.toString()),
  'express.text()': (body) => body.toString(),
  'express.raw()': (body) => body,
};

async function mountedBehind(t: { after(end: () => unknown): void }, parse: (body: Buffer) => unknown) {
  const server = new AgentServer(echo, { url: 'http://agent.example' });
  await server.open();
  const http = createServer(async (request: IncomingMessage & { body?: unknown }, response) => {
    request.body = parse(await buffer(request));
    server.listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(async () => {
    http.close();
    http.closeAllConnections();
    await server.close();
  });
  return clientOf(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
}

for (const [name, parse] of Object.entries(PARSERS)) {
  test(`a body that was read before the agent is taken from there: ${name}`, async (t) => {
    const agent = await mountedBehind(t, parse);
    const { result } = await agent.call('SendMessage', message('m1'));
    assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED');
    const huge = message('m2', { parts: [{ text: 'x'.repeat(AGENT_LIMITS.bodyBytes) }] });
    assert.equal((await agent.call('SendMessage', huge)).status, 413);
  });
}

test('a body that was read before the agent, and kept nowhere, is an error and no silence', async (t) => {
  const agent = await mountedBehind(t, () => undefined);
  assert.equal((await agent.call('SendMessage', message('m1'))).error?.code, -32700);
});

test('a standard request whose body was read before is an error and no silence', async () => {
  const server = new AgentServer(echo, { url: 'http://agent.example' });
  await server.open();
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message('m1') });
  const request = new Request('http://agent.example/', { method: 'POST', headers, body });
  await request.text();
  const answer = (await (await server.fetch(request)).json()) as { error: { code: number } };
  assert.equal(answer.error.code, -32700);
  await server.close();
});
