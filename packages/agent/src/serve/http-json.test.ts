import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, message, serve, textOf } from '../../test/served-agent.ts';

const HEADERS = { 'content-type': 'application/json', 'a2a-version': '1.0' };

test('the HTTP+JSON interface of the card answers every operation', async (t) => {
  const open = gate();
  const agent = await serve(t, async function* ({ text }) {
    yield text;
    if (text === 'hello') return;
    await open.promise;
  });
  const http = async (method: string, path: string, body?: unknown, headers: Record<string, string> = HEADERS) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${agent.url}/a2a/v1${path}`, init);
    const answered = await response.text();
    return { status: response.status, type: response.headers.get('content-type'), json: JSON.parse(answered || '{}') };
  };
  const sent = await http('POST', '/message:send', message('m1'));
  assert.equal(sent.status, 200);
  assert.equal(sent.type, 'application/json');
  assert.equal(textOf(sent.json.task), 'hello');
  const { id, contextId } = sent.json.task;
  assert.deepEqual((await http('GET', `/tasks/${id}?historyLength=0`)).json.history, undefined);
  const listed = await http('GET', `/tasks?contextId=${contextId}&pageSize=5&includeArtifacts=true`);
  assert.equal(textOf(listed.json.tasks[0]), 'hello');
  assert.equal((await http('GET', '/tasks?pageSize=x')).json.error.code, 400);
  const ended = await http('POST', `/tasks/${id}:cancel`, {});
  assert.deepEqual([ended.status, ended.json.error.details[0].reason], [400, 'TASK_NOT_CANCELABLE']);
  const waits = { message: { ...message('m2').message, parts: [{ text: 'wait' }] } };
  const slow = await http('POST', '/message:send', { ...waits, configuration: { returnImmediately: true } });
  assert.equal((await http('POST', `/tasks/${slow.json.task.id}:cancel`)).json.status.state, 'TASK_STATE_CANCELED');
  const missing = await http('GET', '/tasks/none');
  assert.deepEqual([missing.status, missing.json.error.status], [404, 'NOT_FOUND']);
  assert.equal((await http('GET', '/nothing')).status, 404);
  assert.equal(
    (await http('GET', '/extendedAgentCard')).json.error.details[0].reason,
    'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
  );
  assert.equal(
    (await http('GET', `/tasks/${id}`, undefined, {})).json.error.details[0].reason,
    'VERSION_NOT_SUPPORTED',
  );
  const named = await http('GET', `/tasks/${id}`, undefined, { ...HEADERS, accept: 'application/a2a+json' });
  assert.equal(named.type, 'application/a2a+json');
});

test('HTTP+JSON streams events as they are, without an envelope', async (t) => {
  const agent = await serve(t, async function* () {
    yield 'a';
    yield 'b';
  });
  const init = { method: 'POST', headers: HEADERS, body: JSON.stringify(message('m1')) };
  const response = await fetch(`${agent.url}/a2a/v1/message:stream`, init);
  assert.equal(response.headers.get('content-type'), 'text/event-stream');
  const frames = (await response.text()).split('\n\n').filter((frame) => frame.startsWith('data: '));
  const events = frames.map((frame) => JSON.parse(frame.slice(6)));
  assert.equal(events[0].task.status.state, 'TASK_STATE_SUBMITTED');
  assert.equal(textOf(events.at(-1).task), 'ab');
});

test('a malformed HTTP+JSON request is refused with its reason', async (t) => {
  const agent = await serve(t, async function* () {});
  const send = async (body: string, type = 'application/json') => {
    const headers = { ...HEADERS, 'content-type': type };
    const response = await fetch(`${agent.url}/a2a/v1/message:send`, { method: 'POST', headers, body });
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    assert.equal(error.code, response.status, 'google.rpc.Status over HTTP repeats the status');
    return [response.status, error.message];
  };
  assert.deepEqual(await send('{'), [400, 'The body is not JSON.']);
  assert.deepEqual(await send('[]'), [400, 'The body must be an object.']);
  assert.deepEqual(await send('{}', 'text/plain'), [415, 'Content-Type must be application/json.']);
  assert.deepEqual(await send('{}'), [400, 'message must be an object.']);
  assert.deepEqual(await send(' '.repeat(1_024 * 1_024 + 1)), [413, 'The body is too large.']);
  assert.deepEqual(await send('['.repeat(70) + ']'.repeat(70)), [400, 'The body is nested too deeply.']);
});
