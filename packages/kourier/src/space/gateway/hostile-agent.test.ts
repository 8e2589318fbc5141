// What an agent sends to be read in two ways, or to be held for ever.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { SPACE_LIMITS } from '../limits.ts';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

const frame = (result: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
const WORKING = { task: { ...TASK, status: { state: 'TASK_STATE_WORKING' } } };
const FORGED = { statusUpdate: { taskId: 'another', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } };

async function streaming(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  { claimed }: { readonly claimed?: readonly [contextId: string, caller: string] } = {},
) {
  const opened = await openGateway(t, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    answer(response);
  });
  if (claimed !== undefined) {
    const [contextId, caller] = claimed;
    await opened.ledger.claimContext({ space: 'demo', agent: 'echo', contextId, caller });
  }
  const leaving = new AbortController();
  t.after(() => leaving.abort());
  const response = await fetch(opened.base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() }),
    signal: leaving.signal,
  });
  return { ...opened, response };
}

/** What came until the reply ended or broke. */
async function read(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

test('events behind what begins like an object are judged like all others', async (t) => {
  const { response, ledger, events } = await streaming(t, (agent) =>
    agent.end(`{}\n${frame(WORKING)}${frame(FORGED)}`),
  );
  assert.deepEqual(await read(response), { text: '', isWhole: false });
  assert.equal(ledger.all.get('task-1')?.state, 'working');
  assert.deepEqual(
    events.map(({ code }) => code),
    ['A2A_REMOTE_BINDING_CONFLICT'],
  );
});

test('what begins like an object is held no longer than to its first event', async (t) => {
  const text = `{"not": "an event"}\n${frame(WORKING)}`;
  const { response, ledger } = await streaming(t, (agent) => agent.write(text));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let got = '';
  while (got.length < text.length) got += (await reader?.read())?.value ?? assert.fail('the stream ended');
  assert.equal(got, text);
  assert.deepEqual(ledger.written, ['working']);
});

test('what begins like an object and never ends is broken off', async (t) => {
  const { response, events } = await streaming(t, (agent) => {
    const piece = Buffer.alloc(64 * 1_024, ': quiet\n\n');
    const more = (): void => {
      while (!agent.destroyed) if (!agent.write(piece)) return void agent.once('drain', more);
    };
    agent.write('{\n');
    more();
  });
  assert.deepEqual(await read(response), { text: '', isWhole: false });
  assert.deepEqual(
    events.map(({ code }) => code),
    ['A2A_UPSTREAM_EVENT_TOO_LARGE'],
  );
});

test('a mark of the byte order before one answer is no way around', async (t) => {
  const whole = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task: { ...TASK, contextId: 'foreign' } } });
  const { response } = await streaming(t, (agent) => agent.end(`\ufeff\u00a0${whole}`), {
    claimed: ['foreign', 'somebody else'],
  });
  assert.deepEqual(await read(response), { text: '', isWhole: false });
});

test('C031 a letter of the answer is read as it was judged, and whose it is in every envelope', async (t) => {
  for (const [type, result] of [
    ['application/json; charset=utf-16le', { task: TASK }],
    ['application/a2a+json;charset="iso-8859-7"', { jsonrpc: '2.0', id: 1, result: { task: TASK } }],
  ] as const) {
    const { base, ledger } = await openGateway(t, (_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(JSON.stringify(result)),
    );
    const response = await fetch(`${base}/a2a/v1/message:send`, {
      method: 'POST',
      headers: { ...JSON_OF_ALICE, 'a2a-version': '1.0' },
      body: JSON.stringify(message()),
    });
    assert.equal(response.headers.get('content-type'), type.split(';')[0]);
    assert.deepEqual(await response.json(), result);
    assert.equal(ledger.all.get('task-1')?.remoteTaskId, 't1');
  }
});

const MANY = `[${'[],'.repeat(SPACE_LIMITS.callContainers)}0]`;

test('a call, an answer and an event of more objects than memory should hold are refused before they are made', async (t) => {
  const task = JSON.stringify(WORKING.task);
  const huge = `{"jsonrpc":"2.0","id":1,"result":{"task":${task.slice(0, -1)},"metadata":{"many":${MANY}}}}}`;
  for (const [type, text, code] of [
    ['application/json', huge, 'A2A_UPSTREAM_ANSWER_TOO_LARGE'],
    ['text/plain', huge, 'A2A_UPSTREAM_ANSWER_TOO_LARGE'],
    ['text/event-stream', `data: ${huge}\n\n`, 'A2A_UPSTREAM_EVENT_TOO_LARGE'],
    ['text/event-stream', `data: ${huge}`, 'A2A_UPSTREAM_EVENT_TOO_LARGE'],
    ['text/event-stream', huge, 'A2A_UPSTREAM_EVENT_TOO_LARGE'],
  ] as const) {
    const { base, events, ledger, asked } = await openGateway(t, (_request, response) =>
      response.writeHead(200, { 'content-type': type }).end(text),
    );
    const post = (body: string) => fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() });
    await read(await post(body));
    assert.deepEqual([events.map((event) => event.code), ledger.written], [[code], []], type);
    const { error } = (await (await post(body.replace('"hi"', `"hi","metadata":{"many":${MANY}}`))).json()) as {
      error: { code: number };
    };
    assert.deepEqual([error.code, asked.length], [-32_600, 1]);
  }
});

test('an agent that goes from state to state without an end fills no record', async (t) => {
  const states = ['SUBMITTED', 'WORKING'];
  const { response, events, ledger } = await streaming(t, (agent) => {
    for (let said = 0; said < SPACE_LIMITS.statesOfOneCall + 10; said += 1) {
      const status = { state: `TASK_STATE_${states[said % 2]}` };
      agent.write(frame({ statusUpdate: { taskId: 't1', contextId: 'c1', status } }));
    }
    agent.end();
  });
  assert.equal((await read(response)).isWhole, false);
  assert.deepEqual(
    [events.map(({ code }) => code), ledger.written.length],
    [['A2A_UPSTREAM_TOO_MANY_STATES'], SPACE_LIMITS.statesOfOneCall],
  );
});
