// The field cases of envelopes and streams, as the gateway sees them: it carries what others wrote.
import assert from 'node:assert/strict';
import { request, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

const RESULT = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task: TASK } });

/** One streaming call; what came, and what is on record then. */
async function streamed(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  { method = 'SendStreamingMessage', versions = ['1.0'] as readonly ('1.0' | '0.3')[] } = {},
) {
  const { base, ledger, events } = await openGateway(t, (_request, response) => answer(response), { versions });
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: message() });
  const response = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
  const text = await response.text();
  const { remoteTaskId, state } = ledger.all.get('task-1') ?? {};
  return { status: response.status, headers: response.headers, text, record: [remoteTaskId, state], events };
}

const sends = (type: string | undefined, text: string) => (response: ServerResponse) => {
  response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(text);
};

test('C025 one response in place of a stream is on record and passes, whatever its content type says', async (t) => {
  for (const [type, text] of [
    [undefined, RESULT],
    ['text/plain', RESULT],
    ['application/json', RESULT],
    ['text/event-stream', RESULT],
    ['text/event-stream', `\n ${RESULT}`],
    ['text/event-stream', `data: ${RESULT}`],
    ['text/event-stream', `: hello\n\ndata: ${RESULT}\n`],
  ] as const) {
    const { status, text: got, record } = await streamed(t, sends(type, text));
    assert.deepEqual([status, got, record], [200, text, ['t1', 'completed']], `${type} ${text.slice(0, 20)}`);
  }
});

test('C025 a stream that is none of ours is not shown before it is known whose task it tells of', async (t) => {
  for (const whole of [RESULT, `\uFEFF${RESULT}`, `\u00A0${RESULT}`, `data: ${RESULT}`]) {
    const { base, ledger } = await openGateway(t, (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(whole),
    );
    const send = (key: string) =>
      fetch(base, {
        method: 'POST',
        headers: { ...JSON_OF_ALICE, authorization: `Bearer ${key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message() }),
      });
    assert.equal(Buffer.from(await (await send('alice')).arrayBuffer()).toString(), whole);
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const piece of (await send('bob')).body ?? []) seen.push(Buffer.from(piece).toString());
    });
    assert.deepEqual([seen.join(''), ledger.all.get('task-2')?.remoteTaskId], ['', undefined], whole);
  }
});

test('C025 one that begins like an answer and goes on with the events of two tasks is broken off, and no more', async (t) => {
  const events = [TASK, { ...TASK, id: 't2' }].map(
    (task) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { task } })}\n\n`,
  );
  await assert.rejects(streamed(t, sends('text/event-stream', `{}\n${events.join('')}`)));
});

test('C026 a status tells itself, with how long to wait, and no page of a server on the way', async (t) => {
  for (const [status, type, retryAfter, code] of [
    [401, 'application/json', undefined, 'A2A_UPSTREAM_CREDENTIALS_REFUSED'],
    [503, 'text/html', '7', 'A2A_UPSTREAM_HTTP_503'],
    [429, 'text/plain', '30', 'A2A_UPSTREAM_HTTP_429'],
    [404, 'text/html', undefined, 'A2A_UPSTREAM_NOT_A2A'],
  ] as const) {
    const head = { 'content-type': type, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) };
    const answered = await streamed(t, (response) => response.writeHead(status, head).end('<p>secret of a proxy'));
    assert.equal(answered.status, 502);
    assert.equal(JSON.parse(answered.text).error.data[0].metadata.reason, code);
    assert.equal(answered.headers.get('retry-after'), retryAfter ?? null);
    assert.ok(!answered.text.includes('secret'));
  }
});

test('C028 the codes of an agent are its own, in an answer and in a stream, and -32603 is none of the gateway’s', async (t) => {
  for (const code of [-32_001, -32_004, -32_603, -32_099, -1]) {
    const error = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message: 'own words' } });
    assert.equal((await streamed(t, sends('application/json', error))).text, error);
    const frame = `data: ${error}\n\n`;
    assert.equal((await streamed(t, sends('text/event-stream', frame))).text, frame);
  }
  const failing = await openGateway(t, () => undefined, {
    parts: { upstream: () => ({ call: () => Promise.reject(new Error('a bug')) }) },
  });
  assert.equal((await failing.rpc('SendMessage', message())).json.error.code, -32_090);
});

test('C029 C031 the envelope of an agent passes as it wrote it, its ids included; ids are compared by their texts', async (t) => {
  const odd = '{"id":"1","result":{"task":{"id":7,"contextId":8,"status":{"state":"TASK_STATE_WORKING"}}}}';
  const { base, rpc, ledger } = await openGateway(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(odd),
  );
  const post = (id: unknown) =>
    fetch(base, {
      method: 'POST',
      headers: JSON_OF_ALICE,
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'SendMessage', params: message() }),
    });
  assert.equal(await (await post(0)).text(), odd);
  assert.equal(ledger.all.get('task-1')?.remoteTaskId, '7');
  for (const id of ['7', 7]) assert.equal((await rpc('GetTask', { id })).status, 200);
  // What the gateway says itself has the id that it was asked with.
  for (const id of [0, '0', 'é', 1.5]) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'GetTask', params: { id: 'none' } });
    const refused = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
    assert.equal(((await refused.json()) as { id: unknown }).id, id);
  }
});

test('C032 C034 events are told by what they hold: whatever they are named, and a right one of 0.3', async (t) => {
  const frame = (result: object) => `event: error\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
  const named = frame({ task: TASK });
  assert.deepEqual((await streamed(t, sends('text/event-stream', named))).record, ['t1', 'completed']);
  const update = { taskId: 't1', contextId: 'c1', kind: 'status-update', status: { state: 'failed' }, final: true };
  const old = { method: 'message/stream', versions: ['0.3'] as const };
  const told = await streamed(t, sends('text/event-stream', frame(update)), old);
  assert.deepEqual([told.text, told.record], [frame(update), ['t1', 'failed']]);
});

test('C035 bodies that are none get an error of JSON-RPC with their id, over every path, and the agent is not asked', async (t) => {
  const { base, asked } = await openGateway(t, () => undefined);
  for (const path of ['', '/', '/a2a/jsonrpc'])
    for (const [body, code, id] of [
      ['{', -32_700, null],
      ['', -32_700, null],
      ['[]', -32_600, null],
      ['"x"', -32_600, null],
      ['{"jsonrpc":"2.0","id":"a","method":"GetTask","params":"x"}', -32_602, 'a'],
      ['{"jsonrpc":"2.0","id":"a","method":"GetTask","params":[]}', -32_602, 'a'],
      ['{"jsonrpc":"2.0","id":"a","method":7}', -32_600, 'a'],
      ['{"jsonrpc":"2.0","id":"a","method":"constructor"}', -32_601, 'a'],
    ] as const) {
      const response = await fetch(base + path, { method: 'POST', headers: JSON_OF_ALICE, body });
      const { error, ...rest } = (await response.json()) as { error: { code: number }; jsonrpc: string; id: unknown };
      assert.deepEqual([response.status, error.code, rest], [200, code, { jsonrpc: '2.0', id }], body);
    }
  assert.deepEqual(asked, []);
});

test('C113 a slash behind the endpoint is the endpoint, and nobody is redirected with a key', async (t) => {
  const { base } = await openGateway(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(RESULT),
  );
  for (const path of ['', '/', '/a2a/jsonrpc/']) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message() });
    const response = await fetch(base + path, { method: 'POST', headers: JSON_OF_ALICE, body, redirect: 'manual' });
    assert.deepEqual([response.status, await response.text()], [200, RESULT]);
  }
});

test('C020 whatever Host is asked for is in no answer', async (t) => {
  const { base } = await openGateway(t, () => undefined);
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { authorization: 'Bearer alice', host: 'evil.example' };
    request(`${base}/.well-known/agent-card.json`, { headers }, async (response) => {
      resolve(JSON.stringify(response.headers) + (await response.setEncoding('utf8').toArray()).join(''));
    })
      .on('error', reject)
      .end();
  });
  assert.ok(text.includes('Echo') && !text.includes('evil.example'));
});

test('C110 no cache on the way keeps an answer for the next caller, whatever the agent says', async (t) => {
  for (const type of ['application/json', 'text/event-stream']) {
    const text = type === 'application/json' ? RESULT : `data: ${RESULT}\n\n`;
    const { headers } = await streamed(t, (response) =>
      response.writeHead(200, { 'content-type': type, 'cache-control': 'public, max-age=600' }).end(text),
    );
    assert.equal(headers.get('cache-control'), 'no-store');
  }
});
