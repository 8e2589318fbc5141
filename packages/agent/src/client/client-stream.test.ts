import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DONE, hear } from '../../test/heard.ts';
import { type Answering, chunk, frame, json, raw, state, stream, TestClock, task } from '../../test/raw-agent.ts';

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
    'a mark of the end that is no frame': `data: [DONE]\n\n${text}`,
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
