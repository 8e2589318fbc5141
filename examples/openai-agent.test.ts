import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { startExample } from './testing/start-example.ts';

/** What the fake endpoint was asked. */
interface Asked {
  readonly authorization: string | undefined;
  readonly body: { readonly model: string; readonly stream: boolean; readonly messages: readonly unknown[] };
}

/** A tiny OpenAI-compatible endpoint. */
async function fakeEndpoint(t: TestContext, answer: (response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    assert.equal(request.url, '/v1/chat/completions');
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''));
    asked.push({ authorization: request.headers.authorization, body });
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/** Splits in the middle of a line, of an event and of a character, as sockets do. */
function streamWords(words: readonly string[]): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = words.map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
    const bytes = Buffer.from(`: comment\n\n${events.join('')}data: {"choices":[]}\n\ndata: [DONE]\n\n`);
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
    response.end();
  };
}

interface Frame {
  readonly artifactUpdate?: { readonly artifact: { readonly parts: readonly { readonly text: string }[] } };
  readonly task?: {
    readonly contextId: string;
    readonly status: { readonly state: string; readonly message?: { readonly metadata: unknown } };
    readonly artifacts: readonly { readonly parts: readonly { readonly text: string }[] }[];
  };
}

async function ask(url: string, text: string, contextId = '') {
  const message = { messageId: text, contextId, role: 'ROLE_USER', parts: [{ text }] };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
  });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  const frames: Frame[] = lines.map((line) => JSON.parse(line.slice('data: '.length)).result);
  const task = frames.at(-1)?.task;
  assert(task);
  const chunks = frames.flatMap((frame) => frame.artifactUpdate?.artifact.parts[0]?.text ?? []);
  return { chunks, task, text: task.artifacts[0]?.parts[0]?.text };
}

test('the model is streamed, and a second turn carries the first', async (t) => {
  const endpoint = await fakeEndpoint(t, streamWords(['Grüß ', 'dich', ', 🐦!']));
  const env = { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: 'key', OPENAI_MODEL: 'tiny' };
  const url = await startExample(t, 'openai-agent.ts', env);
  const first = await ask(url, 'hello');
  assert.equal(first.task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(first.chunks, ['Grüß ', 'dich', ', 🐦!']);
  assert.equal(first.text, 'Grüß dich, 🐦!');
  await ask(url, 'again', first.task.contextId);
  await ask(url, 'elsewhere');
  assert.deepEqual(
    endpoint.asked.map(({ body }) => body.messages),
    [
      [{ role: 'user', content: 'hello' }],
      [
        { role: 'user', content: 'hello' },
        { role: 'assistant', content: 'Grüß dich, 🐦!' },
        { role: 'user', content: 'again' },
      ],
      [{ role: 'user', content: 'elsewhere' }],
    ],
  );
  const [{ authorization, body } = assert.fail()] = endpoint.asked;
  assert.deepEqual([authorization, body.model, body.stream], ['Bearer key', 'tiny', true]);
});

test('a refusal of the endpoint is told as what it is, without its text', async (t) => {
  const endpoint = await fakeEndpoint(t, (response) => response.writeHead(429).end('{"error":{"message":"secret"}}'));
  const url = await startExample(t, 'openai-agent.ts', { OPENAI_BASE_URL: endpoint.url });
  const { task } = await ask(url, 'hello');
  assert.equal(task.status.state, 'TASK_STATE_FAILED');
  assert.deepEqual(task.status.message?.metadata, { code: 'http_429', error_code: 'rate-limit' });
  assert(!JSON.stringify(task).includes('secret'));
});

test('echo says it again, word by word', async (t) => {
  const { chunks } = await ask(await startExample(t, 'echo.ts', {}), 'one two  three');
  assert.deepEqual(chunks, ['one ', 'two ', ' ', 'three']);
});
