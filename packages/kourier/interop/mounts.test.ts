import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { AgentBuilder, AgentServer, Client } from '@agentkourier/agent';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';

/** How each framework takes the agent below `/ops`, and what path is left for the agent. */
const MOUNTS: Readonly<Record<string, { basePath: string; mount: (agent: AgentServer) => RequestListener }>> = {
  'node:http': { basePath: '/ops', mount: (agent) => agent.listener },
  Express: {
    basePath: '',
    mount: (agent) => {
      const app = express().use('/ops', agent.listener);
      return (request, response) => app(request, response);
    },
  },
  'Hono, by a route': {
    basePath: '/ops',
    mount: (agent) => getRequestListener(new Hono().all('/ops/*', ({ req }) => agent.fetch(req.raw)).fetch),
  },
  'Hono, by mount': {
    basePath: '',
    mount: (agent) => getRequestListener(new Hono().mount('/ops', agent.fetch).fetch),
  },
};

async function serve(t: TestContext, { basePath, mount }: (typeof MOUNTS)[string]): Promise<string> {
  const http = createServer().listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/ops`;
  const builder = new AgentBuilder({ name: 'Mounted', description: 'An agent of a test.' });
  const agent = new AgentServer(
    builder.answer(async function* ({ text }) {
      for (const word of text.split(' ')) yield `${word}!`;
    }),
    { url, basePath },
  );
  await agent.open();
  http.on('request', mount(agent));
  t.after(async () => {
    http.close();
    http.closeAllConnections();
    await agent.close();
  });
  return url;
}

test('the agent sees the headers that the middleware before it left, and not those that came', async (t) => {
  const users: (string | undefined)[] = [];
  const agent = new AgentServer(
    { name: 'Guarded', description: 'An agent of a test.', turn: async () => '' },
    {
      url: 'http://agent.example',
      authenticate: ({ header }) => {
        users.push(header('x-user'));
        return { id: header('x-user') ?? '' };
      },
    },
  );
  await agent.open();
  const app = express()
    .use('/', (request, _response, next) => {
      // What a proxy does that trusts no caller to say who it is.
      delete request.headers['x-user'];
      next();
    })
    .use('/', agent.listener);
  const http = createServer((request, response) => app(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  t.after(async () => {
    http.close();
    http.closeAllConnections();
    await agent.close();
  });
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  await fetch(url, { method: 'POST', headers: { 'x-user': 'admin', 'content-type': 'application/json' }, body: '{}' });
  assert.deepEqual(users, [undefined]);
});

for (const [name, mounting] of Object.entries(MOUNTS)) {
  test(`an agent below a path of ${name} answers and streams on both bindings`, async (t) => {
    const url = await serve(t, mounting);
    for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
      const client = await Client.connect(url, { prefer: { binding } });
      const sent = await client.sendMessage('one two');
      assert(sent.kind === 'finished' && 'task' in sent);
      const stream = client.sendStreamingMessage('three four');
      const kinds = new Set<string>();
      for await (const { kind } of stream) kinds.add(kind);
      assert.deepEqual([...kinds].sort(), ['artifact-update', 'status-update', 'task']);
      const result = await stream.result();
      assert(result.kind === 'finished' && 'task' in result);
      const texts = result.task.artifacts.flatMap(({ parts }) =>
        parts.map((part) => (part.kind === 'text' ? part.text : '')),
      );
      assert.equal(texts.join(''), 'three!four!');
    }
  });
}
