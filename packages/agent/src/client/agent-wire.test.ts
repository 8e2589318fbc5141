import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, hear, thrownBy } from '../../test/heard.ts';
import {
  type Answering,
  type Asked,
  chunk,
  frame,
  json,
  raw,
  rawAgent,
  rpc,
  rpcError,
  state,
  stream,
  TestClock,
  task,
} from '../../test/raw-agent.ts';
import { connected, line, TASKS } from '../../test/wires.ts';
import { AgentError, Client, guardedFetch } from '../index.ts';

test('an agent that cannot be reached has certainly got nothing', async (t) => {
  const agent = await rawAgent(t, () => undefined);
  const refused: typeof fetch = () =>
    Promise.reject(Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' }));
  const client = await Client.connect(
    (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as object,
    {
      fetch: refused,
    },
  );
  const result = await client.sendStreamingMessage('hello').result();
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.delivery, 'not-delivered');
  assert.match(result.why, /ECONNREFUSED/);
});

test('a call that the guarded transport did not let out has certainly reached nobody', async (t) => {
  const agent = await rawAgent(t, () => undefined);
  const card = (await (await fetch(`${agent.url}/.well-known/agent-card.json`)).json()) as object;
  const client = await Client.connect(card, { fetch: guardedFetch({ route: 'public', enabled: true }) });
  const result = await client.sendStreamingMessage('hello').result();
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.delivery, 'not-delivered');
  assert.match(result.why, /^A2A_EGRESS_SCHEME_REFUSED: /);
});

test('C047 no headers within their time, and C044 silence, are transport failures', async (t) => {
  const slow: TestClock = new TestClock((ms) => ms === 77 && slow.waits.filter((one) => one === 77).length > 1);
  const late = await hear(t, () => undefined, { headersMs: 77, clock: slow });
  assert.ok(late.result.kind === 'transport-failure');
  assert.equal(late.result.why, 'No response headers within 77 ms.');
  const agent = await rawAgent(t, (_, response) => stream(response, [task('WORKING')], 'hold'));
  const clock: TestClock = new TestClock((ms) => ms === 66 && clock.waits.filter((one) => one === 66).length > 2);
  const client = await Client.connect(agent.url, { idleMs: 66, clock });
  const result = await client.sendStreamingMessage('hello').result();
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.why, 'Nothing came for 66 ms.');
});

test('C026 a status tells itself, with what the body and Retry-After say', async (t) => {
  const answers: [Answering, Partial<AgentError>][] = [
    [(_, response) => response.writeHead(401).end('{}'), { status: 401, code: undefined }],
    [
      (_, response) => response.writeHead(503, { 'retry-after': '17' }).end('<html>'),
      { status: 503, retryAfterMs: 17_000, code: undefined },
    ],
    [
      (_, response) => json(response, { message: 'gone' }, 404),
      { status: 404, message: 'The agent answered HTTP 404: gone' },
    ],
    [
      ({ body }, response) =>
        json(response, { jsonrpc: '2.0', id: body['id'], error: { code: -32004, message: 'busy' } }, 429),
      { status: 429, code: -32004, message: 'The agent answered error -32004: busy' },
    ],
    [
      (asked, response) =>
        rpcError(response, asked, -32001, 'gone', { data: [{ reason: 'X', metadata: { retryAfterMs: '5' } }] }),
      { status: 200, code: -32001, retryAfterMs: 5 },
    ],
    [
      (_, response) =>
        raw(response, 'event: error\ndata: {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}\n\n'),
      { status: 200, code: -32603 },
    ],
  ];
  for (const [answer, wanted] of answers) {
    const error = await thrownBy(hear(t, answer));
    assert.ok(error instanceof AgentError);
    const seen = Object.fromEntries(Object.keys(wanted).map((key) => [key, error[key as keyof AgentError]]));
    assert.deepEqual(seen, wanted);
  }
});

test('C049 an error after events is no proof of anything: it is told beside what was seen', async (t) => {
  const { result } = await hear(t, (_, response) =>
    raw(
      response,
      `${frame(task('WORKING'))}data: {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"timed out"}}\n\n`,
    ),
  );
  assert.ok(result.kind === 'transport-failure');
  assert.ok(result.error instanceof AgentError);
  assert.equal(result.error.code, -32001);
  assert.equal(result.delivery, 'delivered');
});

test('C113 no redirect is followed: the error says where it points, without its query', async (t) => {
  const other = await rawAgent(t, (_, response) => stream(response, DONE));
  for (const status of [301, 302, 307, 308]) {
    const error = await thrownBy(
      hear(t, (_, response) => response.writeHead(status, { location: `${other.url}/agent/?key=secret` }).end()),
    );
    assert.ok(error instanceof AgentError);
    assert.equal(error.status, status);
    assert.equal(
      error.message,
      `The agent answered HTTP ${status}: redirects are not followed; it points to ${other.url}/agent/`,
    );
  }
  assert.equal(other.asked.length, 0);
});

test('C113 a fetch that follows redirects against its orders is found out, and its answer is not read', async (t) => {
  const other = await rawAgent(t, (asked, response) => rpc(response, asked, task('COMPLETED', 'stolen')));
  const agent = await rawAgent(t, (_, response) => response.writeHead(307, { location: other.url }).end());
  const obstinate: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'follow' });
  const telling: typeof fetch = async (input, init) => {
    const { status, headers, body, url } = await obstinate(input, init);
    return Object.defineProperty(new Response(body, { status, headers }), 'url', { value: url });
  };
  for (const wayward of [obstinate, telling]) {
    const client = await Client.connect(agent.url, { fetch: wayward });
    const result = await client.sendMessage('hello');
    assert.ok(result.kind === 'transport-failure');
    assert.equal(
      result.why,
      `The fetch that was given followed a redirect to ${other.url}: it has to obey redirect: 'manual'.`,
    );
    assert.equal(result.delivery, 'unknown');
  }
});

for (const [wire, first, second] of [
  ['HTTP+JSON 1.0', 'POST /rest/tasks/t:subscribe', 'GET /rest/tasks/t:subscribe'],
  ['HTTP+JSON 0.3', 'GET /rest/v1/tasks/t:subscribe', 'POST /rest/v1/tasks/t:subscribe'],
] as const) {
  test(`${wire}: a subscription by the method that the agent takes`, async (t) => {
    for (const status of [405, 501]) {
      const { client, agent } = await connected(t, wire, (asked, response) => {
        if (line(asked) === first) response.writeHead(status).end();
        else response.end(`data: ${JSON.stringify(TASKS[wire])}\n\n`);
      });
      assert.equal((await client.subscribeToTask('t').result()).text, 'yes');
      assert.deepEqual(agent.asked.map(line), [first, second]);
      assert.equal(agent.asked[1]?.text, '');
    }
    const { client, agent } = await connected(t, wire, (_, response) => response.writeHead(405).end());
    await assert.rejects(client.subscribeToTask('t').result(), { name: 'AgentError', status: 405 });
    assert.equal(agent.asked.length, 2);
  });
}

test('C050 a stream may be long, an event may not be huge', async (t) => {
  const long = await hear(t, (_, response) => {
    const pieces = Array.from({ length: 2_000 }, () => frame(chunk('x'.repeat(2_000))));
    raw(response, `${frame(task('WORKING'))}${pieces.join('')}${frame(state('COMPLETED'))}`);
  });
  assert.equal(long.result.text.length, 4_000_000);
  const huge = await hear(t, (_, response) =>
    raw(response, `${frame(task('WORKING'))}data: ${'x'.repeat(9 * 1_024 * 1_024)}`, 'hold'),
  );
  assert.ok(huge.result.kind === 'transport-failure');
  assert.match(huge.result.why, /longer than/);
  const dense = await hear(t, (_, response) => raw(response, `data: [${'{},'.repeat(600_000)}{}]\n\n`));
  assert.ok(dense.result.kind === 'transport-failure');
  assert.match(dense.result.why, /objects and arrays/);
});

test('leaving the loop closes the connection, and the result says that the stream was left', async (t) => {
  const closed = Promise.withResolvers<void>();
  const agent = await rawAgent(t, (_, response) => {
    response.once('close', closed.resolve);
    stream(response, [task('WORKING'), chunk('a')], 'hold');
  });
  const told = (await Client.connect(agent.url)).sendStreamingMessage('hello');
  for await (const { kind } of told) if (kind === 'artifact-update') break;
  const result = await told.result();
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.why, 'The stream was left.');
  assert.equal(result.text, 'a');
  await closed.promise;
});

test("an abort rejects with the caller's own reason, before headers and in the middle", async (t) => {
  for (const answers of [false, true]) {
    const caller = new AbortController();
    const reason = new Error('enough');
    const agent = await rawAgent(t, (_: Asked, response) => {
      if (answers) stream(response, [task('WORKING')], 'hold');
      else caller.abort(reason);
    });
    const client = await Client.connect(agent.url);
    const told = client.sendStreamingMessage('hello', { signal: caller.signal });
    const heard = (async () => {
      for await (const _ of told) caller.abort(reason);
    })();
    await assert.rejects(heard, reason);
    await assert.rejects(told.result(), reason);
  }
});

test('C071 an agent that does not say that it streams is not asked to', async (t) => {
  const card = { name: 'N', description: 'N', capabilities: { streaming: 'yes' }, skills: [] };
  const agent = await rawAgent(
    t,
    () => undefined,
    (url) => ({ ...card, url, protocolVersion: '0.3' }),
  );
  const client = await Client.connect(agent.url);
  assert.throws(() => client.sendStreamingMessage('hello'), { name: 'UnsupportedError' });
  assert.equal(agent.asked.length, 0);
});
