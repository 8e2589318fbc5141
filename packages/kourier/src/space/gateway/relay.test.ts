import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

test('a stream passes byte for byte as it comes, and each state is on record before its bytes', async (t) => {
  let stream: ServerResponse | undefined;
  const opened = Promise.withResolvers<void>();
  const { base, ledger } = await openGateway(t, (_request, response) => {
    stream = response;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    opened.resolve();
  });
  const responding = fetch(base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() }),
  });
  await opened.promise;
  const reader = (await responding).body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async (text: string): Promise<void> => {
    stream?.write(text);
    let got = '';
    while (got.length < text.length) got += (await reader?.read())?.value ?? assert.fail('the stream ended');
    assert.equal(got, text);
  };
  const frame = (result: object) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
  await next(': hello\r\n\r\n');
  await next(frame({ task: { ...TASK, status: { state: 'TASK_STATE_SUBMITTED' } } }));
  assert.deepEqual(ledger.written, ['submitted']);
  await next(
    frame({ artifactUpdate: { taskId: 't1', contextId: 'c1', artifact: { artifactId: 'a', parts: [{ text: 'ü' }] } } }),
  );
  await next(frame({ statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } }));
  assert.deepEqual(ledger.written, ['submitted', 'working']);
  const both = frame({ statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } });
  await next(
    both + frame({ statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } }),
  );
  assert.deepEqual(ledger.written, ['submitted', 'working', 'completed']);
  stream?.end();
  assert.equal((await reader?.read())?.done, true);
});

test('a stream that breaks is broken off, and one that tells of another task', async (t) => {
  const frames = [
    { task: { ...TASK, status: { state: 'TASK_STATE_WORKING' } } },
    { statusUpdate: { taskId: 'another', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } },
  ].map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
  for (const isForged of [true, false]) {
    const { base, events, ledger } = await openGateway(t, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frames[0]);
      response.write(isForged ? frames[1] : ': quiet\n\n', () => !isForged && response.destroy());
    });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() });
    const reading = fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body }).then((response) => response.text());
    await assert.rejects(reading);
    assert.equal(ledger.all.get('task-1')?.state, 'working');
    const codes = events.map(({ event, code }) => `${event} ${code}`);
    assert.deepEqual(codes, [
      isForged ? 'call-refused A2A_REMOTE_BINDING_CONFLICT' : 'call-failed A2A_UPSTREAM_CONNECTION_LOST',
    ]);
  }
});

test('a caller who leaves lets go of the agent, and nothing failed', async (t) => {
  const left = Promise.withResolvers<void>();
  const { base, events } = await openGateway(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': here\n\n');
    response.on('close', () => left.resolve());
  });
  const leaving = new AbortController();
  const response = await fetch(base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
  await left.promise;
  assert.deepEqual(events, []);
});

test('a slow reader costs what waits in sockets, not the stream', async (t) => {
  const { base } = await openGateway(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const piece = Buffer.alloc(64 * 1_024, ': quiet\n\n');
    let written = 0;
    const more = (): void => {
      while (!response.destroyed && written < 200 * 1_024 * 1_024) {
        written += piece.length;
        if (!response.write(piece)) return void response.once('drain', more);
      }
    };
    more();
    response.once('close', () => assert.ok(written < 100 * 1_024 * 1_024, `the agent wrote ${written} bytes`));
  });
  const leaving = new AbortController();
  const response = await fetch(base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() }),
    signal: leaving.signal,
  });
  await response.body?.getReader().read();
  leaving.abort();
});
