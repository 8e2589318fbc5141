import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ownPort } from '../../test/own-port.ts';
import { clientOf, gate, message, serve } from '../../test/served-agent.ts';
import { MemoryTaskStore, serveAgent } from '../index.ts';
import { FetchSink } from './fetch-exchange.ts';
import { NodeSink } from './node-exchange.ts';
import type { Sink } from './sink.ts';

/** Each with a reader that has left before anything was said. */
const LEFT: Readonly<Record<string, () => Promise<Sink>>> = {
  async fetch() {
    const sink = new FetchSink();
    sink.leave();
    return sink;
  },
  async node() {
    const got = Promise.withResolvers<ServerResponse>();
    const server = createServer((_request, response) => got.resolve(response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sent = request({ port: (server.address() as AddressInfo).port, agent: false }).end();
    sent.on('error', () => undefined);
    const response = await got.promise;
    sent.destroy();
    await once(response, 'close');
    server.close();
    return new NodeSink(response);
  },
};

for (const [name, leave] of Object.entries(LEFT)) {
  test(`whoever asks after a reader has left is told so, ${name}`, async () => {
    const sink = await leave();
    let told = 0;
    sink.onClose(() => {
      told += 1;
    });
    await setImmediate();
    assert.equal(told, 1);
  });
}

class SlowlyOpened extends MemoryTaskStore {
  readonly reached = gate();
  readonly goOn = gate();
  override async open(): Promise<void> {
    this.reached.resolve();
    await this.goOn.promise;
  }
}

const echo = { name: 'Echo', description: 'Says it again.', turn: ({ text }: { readonly text: string }) => text };

test('a request that comes while the store is opened is answered when it is open', async (t) => {
  const store = new SlowlyOpened();
  const port = await ownPort();
  const serving = serveAgent(echo, { store, port });
  t.after(async () => (await serving).close());
  await store.reached.promise;
  const headers = { 'content-type': 'application/json', 'a2a-version': '1.0', expect: '100-continue' };
  const sent = request({ port, path: '/a2a/v1/message:send', method: 'POST', headers, agent: false });
  sent.flushHeaders();
  // The server says so when it has the head, whoever answers then.
  await once(sent, 'continue');
  store.goOn.resolve();
  await serving;
  sent.end(JSON.stringify(message('m1')));
  const [response] = await once(sent, 'response');
  const { task } = JSON.parse(Buffer.concat(await response.toArray()).toString());
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
});

test('a request that comes while the store cannot be opened is broken off, and the address is free again', async () => {
  const store = new SlowlyOpened();
  const port = await ownPort();
  const serving = serveAgent(echo, { store, port });
  await store.reached.promise;
  const answer = clientOf(`http://127.0.0.1:${port}`).call('SendMessage', message('m1'));
  const broken = assert.rejects(answer);
  store.goOn.reject(new Error('no store'));
  await assert.rejects(serving, /no store/);
  await broken;
});

const LISTENERS: Readonly<Record<string, () => unknown>> = {
  throws() {
    throw new Error('the log is full');
  },
  rejects: async () => {
    throw new Error('the log is full');
  },
};

for (const [what, onError] of Object.entries(LISTENERS)) {
  test(`a log that ${what} costs no task and no process`, async (t) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    t.after(() => process.off('unhandledRejection', listen));
    const turn = () => Promise.reject(new Error('a bug'));
    const agent = await serve(t, turn, { onError });
    const { result } = await agent.call('SendMessage', message('m1'));
    assert.equal(result?.task?.status.state, 'TASK_STATE_FAILED');
    await setImmediate();
    assert.deepEqual(unhandled, []);
  });
}

test('a task is subscribed to with GET and POST, and with nothing else', async (t) => {
  const agent = await serve(t, ({ ask }) => ask('Who?'));
  const { result } = await agent.call('SendMessage', message('m1'));
  for (const [method, status] of [
    ['GET', 200],
    ['POST', 200],
    ['HEAD', 404],
    ['DELETE', 404],
    ['PUT', 404],
  ] as const) {
    const response = await fetch(`${agent.url}/a2a/v1/tasks/${result?.task?.id}:subscribe`, {
      method,
      headers: { 'a2a-version': '1.0' },
    });
    await response.body?.cancel();
    assert.equal(response.status, status, method);
  }
});
