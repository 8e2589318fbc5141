import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { serve } from '../../test/served-agent.ts';
import { toChange } from '../agent/pieces.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { LiveTask } from '../task/live-task.ts';
import { EventStream } from './event-stream.ts';
import { JsonRpcFormat } from './format.ts';
import { NodeSink } from './node-exchange.ts';

function newTask(): LiveTask {
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] };
  return new LiveTask({
    id: 't',
    contextId: 'c',
    owner: '',
    skillId: '',
    status: { state: 'TASK_STATE_WORKING', timestamp: '' },
    history: [message],
    artifacts: [],
    journal: [],
    version: 0,
  });
}

function add(task: LiveTask, text: string): void {
  task.write(toChange(text, task.kept));
}

function complete(task: LiveTask): void {
  task.enter({ state: 'TASK_STATE_COMPLETED', timestamp: '' });
}

/** A stream of the task to a reader that has not begun to read. */
async function openUnread(t: TestContext, task: LiveTask) {
  const opened = Promise.withResolvers<{ stream: EventStream; response: ServerResponse }>();
  const server = createServer((_request, response) => {
    const options = { format: new JsonRpcFormat('1'), historyLength: undefined };
    const stream = new EventStream(new NodeSink(response), task, task, options);
    stream.open(new Set());
    opened.resolve({ stream, response });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = request({ port: (server.address() as AddressInfo).port, agent: false }).end();
  const [reader] = (await once(sent, 'response')) as [IncomingMessage];
  t.after(() => {
    reader.destroy();
    server.close();
  });
  return { ...(await opened.promise), reader };
}

/** Six characters on the wire for one in memory, so that a task within its limit is more than sockets buffer. */
const CHUNK = '\u0001'.repeat(64 * 1_024);
const FRAME_BYTES = CHUNK.length * 6 + 1_024;
const CHUNKS = 100;

test('a slow reader has a bounded buffer, and the whole answer in the end', async (t) => {
  const task = newTask();
  const { response, reader } = await openUnread(t, task);
  let most = 0;
  for (let n = 0; n < CHUNKS; n += 1) {
    add(task, CHUNK);
    most = Math.max(most, response.writableLength);
    await setImmediate();
  }
  complete(task);
  assert(response.writableLength > 0, 'the reader kept up');
  assert(most <= AGENT_LIMITS.streamBufferBytes + 2 * FRAME_BYTES, `${most} bytes waited`);
  const text = (await reader.setEncoding('utf8').toArray()).join('');
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  assert(frames.length < CHUNKS, 'nothing was dropped');
  const last = JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '').result.task;
  assert.equal(last.status.state, 'TASK_STATE_COMPLETED');
  assert.equal(last.artifacts[0].parts[0].text, CHUNK.repeat(CHUNKS));
});

test('a reader that has caught up gets the task as it stands, and then the news again', async (t) => {
  const task = newTask();
  const { response, reader } = await openUnread(t, task);
  for (let n = 0; n < CHUNKS; n += 1) {
    add(task, CHUNK);
    await setImmediate();
  }
  const pieces = reader.setEncoding('utf8')[Symbol.asyncIterator]();
  let window = '';
  const readUntil = async (text: string) => {
    while (!window.includes(text)) window = window.slice(-200) + ((await pieces.next()).value ?? '');
    window = window.slice(window.indexOf(text) + text.length);
  };
  const listeners = () => response.listenerCount('close');
  const before = listeners();
  const drained = once(response, 'drain');
  // The first task was sent when the stream was opened, the second stands for what was dropped.
  await readUntil('"task":');
  await Promise.all([drained, readUntil('"task":')]);
  add(task, 'news');
  await readUntil('"parts":[{"text":"news"}]');
  assert.equal(listeners(), before, 'it follows once, however often it fell behind');
  complete(task);
  await readUntil('"state":"TASK_STATE_COMPLETED"');
});

test('a reader that takes nothing any more is cut off', async (t) => {
  const task = newTask();
  const { stream, response } = await openUnread(t, task);
  for (let n = 0; n < CHUNKS; n += 1) {
    add(task, CHUNK);
    await setImmediate();
  }
  const closed = once(response, 'close');
  for (let n = 0; n < AGENT_LIMITS.stalledHeartbeats; n += 1) stream.beat();
  assert.equal(response.destroyed, false);
  stream.beat();
  assert.equal(response.destroyed, true);
  await closed;
  add(task, 'more');
  complete(task);
});

test('a reader that has left is told nothing any more', async (t) => {
  const task = newTask();
  const { stream, response, reader } = await openUnread(t, task);
  const told: unknown[] = [];
  stream.news = (news) => told.push(news);
  add(task, 'a');
  assert.equal(told.length, 1);
  const closed = once(response, 'close');
  reader.destroy();
  await closed;
  add(task, 'b');
  assert.equal(told.length, 1);
});

test('C044 an idle stream carries comments', async (t) => {
  const agent = await serve(t, ({ signal }) => waitForEver(signal), { heartbeatEveryMs: 1 });
  const { response } = await agent.send('m1');
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.includes('\n\n: ')) break;
  }
  assert.match(text, /\n\n: still here\n\n/);
});

async function* waitForEver(signal: AbortSignal) {
  yield 'a';
  await once(signal, 'abort');
}
