import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { message, serve } from '../../test/served-agent.ts';
import { AGENT_LIMITS } from '../limits.ts';

async function* nothing() {}

test('C035 malformed bodies get a JSON-RPC error and not a framework page', async (t) => {
  const agent = await serve(t, nothing);
  const ok = { jsonrpc: '2.0', id: 7, method: 'GetTask', params: { id: 'x' } };
  const bodies: [string, number, unknown][] = [
    ['', -32700, null],
    ['{', -32700, null],
    ['{"a":1}trailing', -32700, null],
    ['[]', -32600, null],
    ['null', -32600, null],
    ['"text"', -32600, null],
    [JSON.stringify([ok]), -32600, null],
    [JSON.stringify({ ...ok, jsonrpc: '1.0' }), -32600, 7],
    [JSON.stringify({ ...ok, jsonrpc: undefined }), -32600, 7],
    [JSON.stringify({ ...ok, id: undefined }), -32600, null],
    [JSON.stringify({ ...ok, id: {} }), -32600, {}],
    [JSON.stringify({ ...ok, id: [1, null] }), -32600, [1, null]],
    [JSON.stringify({ ...ok, id: true }), -32600, true],
    [JSON.stringify({ ...ok, id: 'x'.repeat(AGENT_LIMITS.idCharacters + 1) }), -32600, null],
    [JSON.stringify({ ...ok, method: 7 }), -32600, 7],
    [JSON.stringify({ ...ok, method: 'message/send' }), -32601, 7],
    [JSON.stringify({ ...ok, method: 'constructor' }), -32601, 7],
    [JSON.stringify({ ...ok, params: 'x' }), -32602, 7],
    [JSON.stringify({ ...ok, params: [] }), -32602, 7],
    [JSON.stringify({ ...ok, params: {} }), -32602, 7],
    [JSON.stringify({ ...ok, params: { id: 7 } }), -32602, 7],
    [
      `{"jsonrpc":"2.0","id":7,"method":"GetTask","params":{"id":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
      -32600,
      null,
    ],
  ];
  for (const [body, code, id] of bodies) {
    const answer = await agent.post(body);
    assert.deepEqual([answer.status, answer.error?.code, answer.id], [200, code, id], body.slice(0, 80));
  }
});

test('a body that is not UTF-8 or not JSON by its type is refused', async (t) => {
  const agent = await serve(t, nothing);
  const broken = new Uint8Array([0x22, 0xff, 0x22]);
  assert.equal((await agent.post(broken)).error?.code, -32700);
  const plain = await agent.post('{}', { 'content-type': 'text/plain', 'a2a-version': '1.0' });
  assert.deepEqual([plain.status, plain.error?.code], [200, -32005]);
  const page = await agent.post('{}', { 'content-type': 'application/json', origin: 'http://page.example' });
  assert.equal(page.status, 403);
});

test('the id is echoed as it came', async (t) => {
  const agent = await serve(t, nothing);
  for (const id of [0, 1.5, -1, '', '0', 'a"b', null]) {
    assert.deepEqual((await agent.call('Unknown', {}, id)).id, id);
    const [frame] = await agent.send(`m${id}`).then((stream) => stream.response.toArray());
    assert.match(String(frame), /"id":"s"/);
  }
});

test('a number that JavaScript cannot hold is echoed digit by digit', async (t) => {
  const agent = await serve(t, nothing);
  for (const id of ['9007199254740993', '-1764470000000000001', '1e400', '0.10000000000000000001']) {
    const body = `{"params":{"id":"x"},"jsonrpc":"2.0","id":${id},"method":"GetTask"}`;
    const answer = await fetch(agent.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body,
    });
    assert.match(await answer.text(), new RegExp(`"id":${id.replace('.', '\\.')},"error":{"code":-32001,`), id);
  }
  const long = await agent.post(
    `{"jsonrpc":"2.0","id":${'9'.repeat(AGENT_LIMITS.idCharacters + 1)},"method":"GetTask"}`,
  );
  assert.equal(long.id, null, 'what is repeated has a limit');
});

test('messages of the wrong shape are refused, and no turn runs', async (t) => {
  let turns = 0;
  const agent = await serve(t, async function* () {
    turns += 1;
    yield 'a';
  });
  const wrong: [unknown, number][] = [
    [{}, -32602],
    [{ message: 'hello' }, -32602],
    [message(''), -32602],
    [message('m', { messageId: 7 }), -32602],
    [message('m', { role: 'user' }), -32602],
    [message('m', { role: undefined }), -32602],
    [message('m', { parts: [] }), -32602],
    [message('m', { parts: {} }), -32602],
    [message('m', { parts: ['hello'] }), -32602],
    [message('m', { parts: [{ text: 7 }] }), -32602],
    [message('m', { parts: [{ text: 'a' }, { data: {} }] }), -32005],
    [message('m', { parts: Array(AGENT_LIMITS.messageParts + 1).fill({ text: '' }) }), -32602],
    [message('m', { contextId: 7 }), -32602],
    [message('m', { contextId: 'x'.repeat(AGENT_LIMITS.idCharacters + 1) }), -32602],
    [message('m', { taskId: {} }), -32602],
    [message('m', { extensions: 'https://a.example' }), -32602],
    [message('m', { extensions: [7] }), -32602],
    [message('m', { referenceTaskIds: [{}] }), -32602],
    [message('m', { metadata: [] }), -32602],
    [message('m', { parts: [{ text: 'a', metadata: 7 }] }), -32602],
    [message('m', { parts: [{ raw: 'not base64!' }] }), -32602],
    [message('m', { parts: [{ raw: 'abcde' }] }), -32602],
    [{ ...message('m'), configuration: 'now' }, -32602],
    [{ ...message('m'), configuration: { historyLength: '1' } }, -32602],
    [{ ...message('m'), configuration: { returnImmediately: 1 } }, -32602],
    [{ ...message('m'), configuration: { acceptedOutputModes: 'text/plain' } }, -32602],
    [{ ...message('m'), metadata: 7 }, -32602],
  ];
  for (const method of ['SendMessage', 'SendStreamingMessage']) {
    for (const [params, code] of wrong) {
      assert.equal((await agent.call(method, params)).error?.code, code, JSON.stringify(params).slice(0, 80));
    }
  }
  assert.equal(turns, 0);
});

test('what looks like base64 for as long as a body is refused as soon as what is short', async (t) => {
  const agent = await serve(t, nothing);
  for (const filling of ['\n', '\r\n', '=', '=\n', 'A\n', 'A=']) {
    // A line break is written as two characters.
    const raw = `${filling.repeat(AGENT_LIMITS.bodyBytes / 4 / filling.length)}!`;
    assert.equal((await agent.call('SendMessage', message('m', { parts: [{ raw }] }))).error?.code, -32602);
  }
  for (const raw of ['', 'QUJD', 'QUI=', 'QUI', 'Q_-=', 'QUJD\r\nQUI=\n'])
    assert.equal((await agent.call('SendMessage', message('m', { parts: [{ raw }] }))).error?.code, -32005, raw);
});

test('null and empty ids count as absent', async (t) => {
  const agent = await serve(t, nothing);
  const { result } = await agent.call('SendMessage', {
    ...message('m1', { contextId: '', taskId: null, metadata: null }),
    configuration: null,
  });
  assert.equal(result?.task?.status.state, 'TASK_STATE_COMPLETED');
  assert.notEqual(result.task.contextId, '');
});

test('a body over the limit is refused by its length, and by its bytes', async (t) => {
  const agent = await serve(t, nothing);
  const { port, hostname } = new URL(agent.url);
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\n';
  const chunk = 'x'.repeat(AGENT_LIMITS.bodyBytes / 2 + 1);
  const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  const bodies = [
    `${head}Content-Length: ${AGENT_LIMITS.bodyBytes + 1}\r\n\r\n`,
    `${head}Transfer-Encoding: chunked\r\n\r\n${chunked}${chunked}`,
  ];
  for (const body of bodies) {
    const socket = connect(Number(port), hostname);
    socket.write(body);
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    assert.match(answer, /^HTTP\/1\.1 413 /);
    assert.match(answer, /"code":-32600/);
    socket.destroy();
  }
});

test('a connection that breaks within its body leaves the server well', async (t) => {
  const agent = await serve(t, nothing);
  const { port, hostname } = new URL(agent.url);
  const socket = connect(Number(port), hostname);
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{');
  await once(socket, 'connect');
  socket.resetAndDestroy();
  await once(socket, 'close');
  assert.equal((await agent.call('ListTasks')).result?.totalSize, 0);
});

test('C139 C140 the version: 1.0 and its patches; everything else is refused by name', async (t) => {
  const agent = await serve(t, nothing);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks' });
  const ask = async (version: string | undefined, query = '') => {
    const versioned = version === undefined ? {} : { 'a2a-version': version };
    const { error } = await agent.post(body, { 'content-type': 'application/json', ...versioned }, query);
    return error?.code ?? 'answered';
  };
  for (const version of ['1.0', '1.0.0', '1.0.1', ' 1.0 ', '1', '01.0'])
    assert.equal(await ask(version), 'answered', version);
  const refused = [undefined, '', '0.3', '0.3.0', '0.30', '1.1', '1.00001', '10.0', '9.9', '1.0, 0.3', '1.0-rc', 'x'];
  for (const version of refused) assert.equal(await ask(version), -32009, version);
  assert.equal(await ask(undefined, '/?A2A-Version=1.0'), 'answered');
  assert.equal(await ask('0.3', '/?A2A-Version=1.0'), -32009);
});

test('operations that the agent does not have are refused by their own codes', async (t) => {
  const agent = await serve(t, nothing);
  assert.equal((await agent.call('GetExtendedAgentCard')).error?.code, -32007);
  assert.equal((await agent.call('CreateTaskPushNotificationConfig')).error?.code, -32003);
});
