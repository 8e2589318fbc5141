import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';
import { hasRepeatedMember } from './two-readings.ts';

test('a member that stands there twice is found in what is judged, however it is written', () => {
  for (const text of [
    '{"a":1,"a":2}',
    '{"a":1, "\\u0061" : 2}',
    '{"params":{"id":"x","b":[{"c":1}],"id":"y"}}',
    '{"params":{"message":{"taskId":"x","taskId" :"y"}}}',
    '[{"a":1,"a":1}]',
    '{"a\\\\":1,"a\\\\":2}',
    '{"":1,"":2}',
  ])
    assert.equal(hasRepeatedMember(text), true, text);
  for (const text of [
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    '{"a":"\\"a\\":1","b":"a"}',
    '{"a":"a","b":["a","a"]}',
    '{"a":{"b":{"c":{"d":{"e":1,"e":2}}}}}',
    '"a"',
    '{}',
  ])
    assert.equal(hasRepeatedMember(text), false, text);
});

test('nothing that an agent may read in another way than the gateway did comes to it', async (t) => {
  const { base, asked } = await openGateway(
    t,
    (_request, response, body) => {
      const { id } = body === '' ? { id: 1 } : JSON.parse(body);
      const answer = { jsonrpc: '2.0', id, result: { task: TASK }, task: TASK };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    },
    { versions: ['1.0', '0.3'] },
  );
  const post = async (path: string, body: string, more: Record<string, string> = {}) => {
    const response = await fetch(base + path, { method: 'POST', headers: { ...JSON_OF_ALICE, ...more }, body });
    const { error } = (await response.json()) as { error?: { code: number } };
    return error?.code;
  };
  const rpc = (params: string, more = '') =>
    post('', `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${params}${more}}`);
  assert.equal(await rpc(JSON.stringify(message())), undefined, 'a task of the caller, t1');
  asked.length = 0;
  const get = (params: string) => post('', `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${params}}`);
  const said = (more: object) => JSON.stringify(message({ messageId: 'm2', ...more }));
  for (const [why, code] of [
    ['two ids', await get('{"id":"t1","id":"theirs"}')],
    ['two params', await rpc(said({}), ',"params":{"message":{"taskId":"theirs"}}')],
    ['two methods', await rpc(said({}), ',"method":"CancelTask"')],
    ['other letters of the envelope', await rpc(said({}), ',"Params":{"message":{"taskId":"theirs"}}')],
  ] as const)
    assert.ok(code === -32_600, `${why}: ${code}`);
  for (const [why, code] of [
    ['the name of protocol buffers', await rpc(said({ task_id: 'theirs' }))],
    ['of a context', await rpc(said({ context_id: 'theirs' }))],
    ['of tasks that are referred to', await rpc(said({ reference_task_ids: ['theirs'] }))],
    ['of another message', await rpc(said({ message_id: 'm1' }))],
    ['other letters', await rpc(said({ TaskId: 'theirs' }))],
    ['a long s', await rpc(said({ taſkId: 'theirs' }))],
    ['beside the id', await get('{"id":"t1","ID":"theirs"}')],
    ['a tenant in other letters', await get('{"id":"t1","Tenant":"theirs"}')],
  ] as const)
    assert.equal(code, -32_602, why);
  const V1 = { 'a2a-version': '1.0' };
  const rest = async (method: string, path: string, body?: string) => {
    const headers = { ...JSON_OF_ALICE, ...V1 };
    const response = await fetch(`${base}/a2a/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    return response.status;
  };
  assert.equal(await rest('GET', '/tasks/t1?tenant=theirs'), 400);
  assert.equal(await rest('GET', '/tasks?Tenant=theirs'), 400);
  assert.equal(await rest('GET', '/tasks/t1?id=theirs'), 400);
  assert.equal(await rest('GET', '/tasks/t1?task_id=theirs'), 400);
  assert.equal(await rest('POST', '/tasks/t1:cancel', '{"id":"theirs"}'), 400);
  assert.equal(await rest('POST', '/tasks/t1:subscribe', '{"taskId":"theirs"}'), 400);
  assert.deepEqual(asked, []);
  assert.equal(await rest('POST', '/tasks/t1:cancel', '{"id":"t1"}'), 200);
  assert.equal(await rest('GET', '/tasks/t1?historyLength=1'), 200);
  assert.equal(await rpc(said({ metadata: { task_id: 'a word of ours' } })), undefined);
});

test('the agent is told no charset but the one that was read', async (t) => {
  const { base, asked } = await openGateway(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  );
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: message() });
  await new Promise<void>((resolve, reject) => {
    const headers = { ...JSON_OF_ALICE, 'content-type': 'application/json; charset=utf-16le' };
    const sent = request(base, { method: 'POST', headers }, (response) => response.resume().on('end', resolve));
    sent.on('error', reject).end(body);
  });
  assert.equal(asked[0]?.headers['content-type'], 'application/json');
});

test('C031 numbers that are more than a JavaScript number holds come to the agent, and back to the caller, as they are', async (t) => {
  const { base, asked } = await openGateway(
    t,
    (_request, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
    { tenant: 'inner' },
  );
  const post = async (body: string) => {
    const response = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body });
    return response.text();
  };
  const data = '{"at":1234567890123456789,"rate":1.0}';
  const sent = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"data":${data}}]}}}`;
  await post(sent);
  assert.equal(asked[0]?.text, `${sent.slice(0, -2)},"tenant":"inner"}}`);
  const refused = await post('{"jsonrpc":"2.0","id":1234567890123456789,"method":"GetTask","params":{"id":"none"}}');
  assert.match(refused, /"id":1234567890123456789,/);
});
