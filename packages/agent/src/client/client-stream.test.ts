import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Answering,
  type Asked,
  chunk,
  frame,
  json,
  raw,
  rawAgent,
  rpcError,
  state,
  stream,
  TestClock,
  task,
} from '../../test/raw-agent.ts';
import { AgentError, Client, type ClientOptions, type StreamResult } from '../index.ts';

interface Heard {
  readonly kinds: readonly string[];
  readonly result: StreamResult;
}

/** Sends one message to an agent that answers so, and hears it out. */
async function hear(t: TestContext, answer: Answering, options: ClientOptions = {}): Promise<Heard> {
  const agent = await rawAgent(t, answer);
  const client = await Client.connect(agent.url, options);
  const told = client.sendStreamingMessage('hello');
  const kinds: string[] = [];
  for await (const { kind } of told) kinds.push(kind);
  return { kinds, result: await told.result() };
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );

const DONE = [task('SUBMITTED'), state('WORKING'), chunk('He', false), chunk('llo'), state('COMPLETED')];

test('C052 a stream is heard to its terminal state: events in their order, and the text', async (t) => {
  const { kinds, result } = await hear(t, (_, response) => stream(response, DONE));
  assert.deepEqual(kinds, ['task', 'status-update', 'artifact-update', 'artifact-update', 'status-update']);
  assert.ok(result.kind === 'finished' && result.from === 'task');
  assert.equal(result.state, 'completed');
  assert.equal(result.text, 'Hello');
  assert.deepEqual(
    result.task.artifacts.map(({ parts }) => parts.length),
    [1],
  );
});

test('the same stream on any wire that is right: CR, CR LF, comments, names, split data, byte by byte', async (t) => {
  const text = DONE.map((result) => frame(result)).join('');
  const wires: Record<string, string> = {
    'C037 CR': text.replaceAll('\n', '\r'),
    'C038 CR LF': text.replaceAll('\n', '\r\n'),
    'C041 comments, fields, a byte order mark': `\ufeff: hi\n\n${text.replaceAll('data: ', 'id: 4\nretry: 10\ndata:')}`,
    'C032 a named event': text.replaceAll('data: ', 'event: error\ndata: '),
    'C040 split data': text.replaceAll('"id":1,', '\ndata: "id":1,'),
    'C031 other ids': DONE.map((result, index) => frame(result, [1, '1', null, 'x', 0][index])).join(''),
    'a mark of the end that is no frame': `${text}data: [DONE]\n\n`,
    'null beside what counts': text.replaceAll('"id":1', '"id":1,"error":null'),
  };
  for (const [name, wire] of Object.entries(wires)) {
    const { result } = await hear(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      for (const byte of Buffer.from(wire)) response.write(Buffer.of(byte));
      response.end();
    });
    assert.equal(result.kind, 'finished', name);
    assert.equal(result.text, 'Hello', name);
  }
});

test('C043 text is UTF-8 whatever the content type says, and only CR and LF end lines', async (t) => {
  const said = 'ä\u2028\u0085€';
  const { result } = await hear(t, (_, response) => raw(response, frame(task('COMPLETED', said))));
  assert.equal(result.text, said);
});

test('C025 a bare JSON response to a streaming call is its only event', async (t) => {
  const { result } = await hear(t, ({ body }, response) =>
    json(response, { jsonrpc: '2.0', id: body['id'], result: task('COMPLETED', 'whole') }),
  );
  assert.equal(result.kind, 'finished');
  assert.equal(result.text, 'whole');
});

test('C053 a clean end in working is a transport failure that says what was seen', async (t) => {
  const { result } = await hear(t, (_, response) =>
    stream(response, [task('SUBMITTED'), chunk('par'), state('WORKING')]),
  );
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.why, 'The stream ended while the task was in TASK_STATE_WORKING.');
  assert.equal(result.delivery, 'delivered');
  assert.equal(result.task?.id, 't');
  assert.equal(result.text, 'par');
  assert.match(result.messageId ?? '', /^[0-9a-f-]{36}$/);
});

test('a stream that ends without an event, inside one, or with its connection is one, too', async (t) => {
  const ends: Record<string, [Answering, RegExp, string]> = {
    empty: [(_, response) => stream(response, []), /without a task/, 'unknown'],
    'C025 inside a frame': [
      (_, response) => raw(response, frame(task('WORKING')) + frame(state('COMPLETED')).trimEnd()),
      /inside an event/,
      'delivered',
    ],
    cut: [(_, response) => stream(response, [task('WORKING')], 'cut'), /was lost/, 'delivered'],
    'cut before headers': [(_, response) => response.destroy(), /was lost/, 'unknown'],
    'a page': [(_, response) => response.end('<html>'), /without a task/, 'unknown'],
    'no JSON': [(_, response) => raw(response, 'data: {"a\n\n'), /is not JSON/, 'unknown'],
    'no response': [(_, response) => raw(response, 'data: {"a":1}\n\n'), /no JSON-RPC response/, 'unknown'],
    'C029 no version': [(_, response) => raw(response, 'data: {"id":1,"result":{}}\n\n'), /its version/, 'unknown'],
  };
  for (const [name, [answer, why, delivery]] of Object.entries(ends)) {
    const { result } = await hear(t, answer);
    assert.ok(result.kind === 'transport-failure', name);
    assert.match(result.why, why, name);
    assert.equal(result.delivery, delivery, name);
  }
});

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

test('C055 a pause is told at once, though the agent leaves the stream open', async (t) => {
  const question = { message: { messageId: 'q', role: 'ROLE_AGENT', parts: [{ text: 'Which?' }] } };
  const closed = Promise.withResolvers<void>();
  const { result } = await hear(t, (_, response) => {
    response.once('close', closed.resolve);
    stream(response, [task('WORKING'), state('INPUT_REQUIRED', question)], 'hold');
  });
  assert.ok(result.kind === 'paused');
  assert.equal(result.state, 'input-required');
  assert.deepEqual(result.question?.parts[0]?.source, { text: 'Which?' });
  await closed.promise;
});

test('after the end only a whole task is still heard, and C062 nothing rolls it back', async (t) => {
  const late = [chunk(' late'), state('WORKING'), task('WORKING', 'old'), task('COMPLETED', 'whole')];
  const { kinds, result } = await hear(t, (_, response) => stream(response, [...DONE, ...late]));
  assert.equal(kinds.length, DONE.length + 1);
  assert.ok(result.kind === 'finished');
  assert.equal(result.state, 'completed');
  assert.equal(result.text, 'whole');
});

test('an agent that leaves the stream of an ended task open is not waited for', async (t) => {
  const clock = new TestClock((ms) => ms === 1_000);
  const { result } = await hear(t, (_, response) => stream(response, DONE, 'hold'), { clock });
  assert.equal(result.kind, 'finished');
});

test('C073 rejected and canceled end; an unknown state that is final is a failure, one that is not goes on', async (t) => {
  const cases: [unknown[], string | undefined][] = [
    [[task('REJECTED')], 'rejected'],
    [[task('WORKING'), state('CANCELED')], 'canceled'],
    [[{ statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_FOO' }, final: true } }], 'failed'],
    [[task('FOO'), state('COMPLETED')], 'completed'],
    [[task('FOO')], undefined],
  ];
  for (const [results, wanted] of cases) {
    const { result } = await hear(t, (_, response) => stream(response, results));
    assert.equal(result.kind === 'finished' ? result.state : undefined, wanted);
  }
});

test('a bare message is the whole answer; C086 after a task it is none; decision 9 the first counts', async (t) => {
  const said = (text: string) => ({ message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text }] } });
  const bare = await hear(t, (_, response) => stream(response, [said('one'), said('two')], 'hold'));
  assert.ok(bare.result.kind === 'finished' && bare.result.from === 'message');
  assert.equal(bare.result.text, 'one');
  const after = await hear(t, (_, response) =>
    stream(response, [task('WORKING'), said('aside'), task('COMPLETED', 'a')]),
  );
  assert.ok(after.result.kind === 'finished' && after.result.from === 'task');
  assert.equal(after.result.text, 'a');
});

test('C026 a status tells itself, with what the body and Retry-After say', async (t) => {
  const answers: [Answering, Partial<AgentError>][] = [
    [(_, response) => response.writeHead(401).end('{}'), { status: 401, code: undefined }],
    [
      (_, response) => response.writeHead(503, { 'retry-after': '17' }).end('<html>'),
      { status: 503, retryAfterMs: 17_000, code: undefined },
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
