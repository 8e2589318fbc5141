// An agent that knows no callers lists everybody's tasks, and not every agent writes a list in the same way.
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { SPACE_LIMITS } from '../limits.ts';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

const FOREIGN = { ...TASK, id: 'foreign', contextId: 'c2' };

/** What alice, whose task is `t1`, is told when she lists; the agent writes its list by `answer`. */
async function listed(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  choices: { readonly isRest: boolean },
) {
  const { base, rpc } = await openGateway(t, (request, response, body) => {
    if (request.method === 'POST' && JSON.parse(body).method === 'SendMessage')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: 7, result: { task: TASK } }));
    answer(response);
  });
  await rpc('SendMessage', message());
  const response = choices.isRest
    ? await fetch(`${base}/a2a/v1/tasks`, { headers: { ...JSON_OF_ALICE, 'a2a-version': '1.0' } })
    : await fetch(base, {
        method: 'POST',
        headers: JSON_OF_ALICE,
        body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ListTasks', params: {} }),
      });
  return { status: response.status, text: await response.text() };
}

test('C110 of a bare list, as some agents of 0.3 write one, the caller sees its own', async (t) => {
  const list = [TASK, FOREIGN];
  for (const isRest of [true, false]) {
    const body = isRest ? list : { jsonrpc: '2.0', id: 7, result: list };
    const { status, text } = await listed(
      t,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      { isRest },
    );
    assert.deepEqual([status, JSON.parse(text)], [200, isRest ? [TASK] : { ...body, result: [TASK] }]);
  }
});

test('C110 what is no list that can be read is not shown, and a stream of one neither', async (t) => {
  const told = JSON.stringify(JSON.stringify([FOREIGN]));
  const page = { tasks: [FOREIGN] };
  for (const [isRest, type, text] of [
    [true, 'application/json', told],
    [false, 'application/json', `{"jsonrpc":"2.0","id":7,"result":${told}}`],
    [false, 'application/json', `{"jsonrpc":"2.0","id":7,"tasks":[{"id":"foreign"}]}`],
    [true, 'Text/Event-Stream; charset=utf-8', `data: ${JSON.stringify(page)}\n\n`],
    [false, 'text/event-stream', `data: ${JSON.stringify({ jsonrpc: '2.0', id: 7, result: page })}\n\n`],
  ] as const) {
    const answered = await listed(t, (response) => response.writeHead(200, { 'content-type': type }).end(text), {
      isRest,
    });
    assert.equal(answered.status, 502, text);
    assert.ok(!answered.text.includes('foreign') && answered.text.includes('A2A_UPSTREAM_NOT_A2A'), answered.text);
  }
});

test('C025 one answer that is called a stream is read as one, and one in an envelope that the binding has not', async (t) => {
  for (const body of [
    { tasks: [FOREIGN, TASK], total_size: 2 },
    { jsonrpc: '2.0', id: 7, result: { tasks: [FOREIGN, TASK] } },
  ]) {
    const { text } = await listed(
      t,
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(JSON.stringify(body)),
      { isRest: true },
    );
    const shown = 'tasks' in body ? { tasks: [TASK], total_size: 1 } : { ...body, result: { tasks: [TASK] } };
    assert.deepEqual(JSON.parse(text), shown);
  }
});

test('a list of more tasks than are looked up one by one is refused whole', async (t) => {
  const tasks = Array(SPACE_LIMITS.listedTasks + 1).fill({ id: 't1' });
  for (const body of [tasks, { tasks }]) {
    const { status, text } = await listed(
      t,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      { isRest: true },
    );
    assert.equal(status, 502);
    assert.match(text, /A2A_UPSTREAM_ANSWER_TOO_LARGE/);
  }
});

test('an agent that lists nothing, or refuses to, is told as it is', async (t) => {
  const error = JSON.stringify({ jsonrpc: '2.0', id: 7, error: { code: -32_004, message: 'own words' } });
  for (const text of [error, '{"jsonrpc":"2.0","id":7,"result":null}']) {
    const answered = await listed(
      t,
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
      { isRest: false },
    );
    assert.deepEqual([answered.status, JSON.parse(answered.text)], [200, JSON.parse(text)]);
  }
});

test('numbers that are more than a JavaScript number holds pass as they came', async (t) => {
  const page = `{"jsonrpc":"2.0","id":7,"result":{"tasks":[{"id":"t1","metadata":{"at":1234567890123456789,"many":1E400,"rate":1.0}}],"pageSize":50}}`;
  const { text } = await listed(
    t,
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(page),
    { isRest: false },
  );
  assert.equal(text, page);
});
