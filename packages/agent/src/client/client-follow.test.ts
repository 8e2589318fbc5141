import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Answering,
  type Asked,
  chunk,
  type RawAgent,
  rawAgent,
  rpc,
  rpcError,
  state,
  stream,
  TestClock,
  task,
} from '../../test/raw-agent.ts';
import { AgentError, Client, type StreamResult, type TransportFailure } from '../index.ts';

/** Answers each call with the next of its method's; the last one stays. */
function scripted(script: Readonly<Record<string, readonly Answering[]>>): Answering {
  const done = new Map<string, number>();
  return (asked, response) => {
    const { method = '' } = asked.body;
    const index = done.get(method) ?? 0;
    done.set(method, index + 1);
    const answers = script[method] ?? [];
    const answer = answers[index] ?? answers.at(-1) ?? assert.fail(`nobody expected ${method}`);
    return answer(asked, response);
  };
}

const says =
  (results: readonly unknown[], then: 'end' | 'cut' | 'hold' = 'end'): Answering =>
  (_, response) =>
    stream(response, results, then);
const reads =
  (name: string, text?: string): Answering =>
  (asked, response) =>
    rpc(response, asked, task(name, text).task);
const refuses =
  (code: number): Answering =>
  (asked, response) =>
    rpcError(response, asked, code);
const breaks: Answering = (_, response) => response.destroy();

const FOLLOW = { firstMs: 10, mostMs: 40 };

async function followed(t: TestContext, script: Readonly<Record<string, readonly Answering[]>>, most = FOLLOW) {
  const agent = await rawAgent(t, scripted(script));
  const clock = new TestClock((ms) => ms < 100);
  const client = await Client.connect(agent.url, { clock });
  const texts: string[] = [];
  const told = client.sendStreamingMessage('hello', { follow: most });
  for await (const event of told) {
    if (event.kind === 'task') texts.push('=');
    if (event.kind === 'artifact-update')
      texts.push(event.artifact.parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''));
  }
  const waits = clock.waits.filter((ms) => ms < 100);
  return { agent, waits, texts, result: await told.result() };
}

const methods = ({ asked }: RawAgent): string[] => asked.map(({ body }: Asked) => body.method ?? '');

function finished(result: StreamResult): string {
  assert.ok(result.kind === 'finished', JSON.stringify(result));
  return result.text;
}

test('C044 C124 a cut stream is followed: GetTask, SubscribeToTask; the snapshot replaces, no text twice', async (t) => {
  const { agent, waits, texts, result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING'), chunk('He', false)], 'cut')],
    GetTask: [reads('WORKING', 'Hell')],
    SubscribeToTask: [says([task('WORKING', 'Hello'), chunk(' you'), state('COMPLETED')])],
  });
  assert.equal(finished(result), 'Hello you');
  assert.deepEqual(methods(agent), ['SendStreamingMessage', 'GetTask', 'SubscribeToTask']);
  assert.deepEqual(agent.asked[2]?.body.params, { id: 't' });
  assert.deepEqual(texts, ['=', 'He', '=', '=', ' you']);
  assert.deepEqual(waits, [10]);
});

test('C053 a clean end in working, C052 no second stream for what has ended meanwhile', async (t) => {
  const { agent, result } = await followed(t, {
    SendStreamingMessage: [says([task('SUBMITTED'), state('WORKING'), chunk('par', false)])],
    GetTask: [reads('COMPLETED', 'partial no more')],
  });
  assert.equal(finished(result), 'partial no more');
  assert.deepEqual(methods(agent), ['SendStreamingMessage', 'GetTask']);
});

test('C124 a subscription that is refused is no end: the task is read with a back-off that is capped', async (t) => {
  for (const code of [-32001, -32004, -32601, -32602]) {
    const { agent, waits, result } = await followed(t, {
      SendStreamingMessage: [says([task('WORKING')], 'cut')],
      SubscribeToTask: [refuses(code)],
      GetTask: [...Array.from({ length: 4 }, () => reads('WORKING', 'a')), reads('COMPLETED', 'ab')],
    });
    assert.equal(finished(result), 'ab');
    assert.equal(methods(agent).filter((method) => method === 'SubscribeToTask').length, 1);
    assert.deepEqual(waits, [10, 20, 40, 40, 40]);
  }
});

test('C125 a subscription without a snapshot: the whole task is read at its end', async (t) => {
  const { agent, result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING')], 'cut')],
    GetTask: [reads('WORKING', 'He'), reads('WORKING', 'Hello'), reads('COMPLETED', 'Hello!')],
    SubscribeToTask: [says([chunk('!'), state('COMPLETED')])],
  });
  assert.equal(finished(result), 'Hello!');
  // C058: the first reading after the end was older than the end.
  assert.deepEqual(methods(agent), ['SendStreamingMessage', 'GetTask', 'SubscribeToTask', 'GetTask', 'GetTask']);
});

test('C058 an agent whose GetTask stays behind the end: what was heard counts', async (t) => {
  const { agent, result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING')], 'cut')],
    GetTask: [reads('WORKING', 'He')],
    SubscribeToTask: [says([chunk('llo'), state('COMPLETED')])],
  });
  assert.equal(finished(result), 'Hello');
  assert.equal(methods(agent).filter((method) => method === 'GetTask').length, 4);
});

test('C056 C055 a snapshot that waits settles it, on a stream that stays open, too', async (t) => {
  const { result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING')], 'cut')],
    GetTask: [reads('WORKING')],
    SubscribeToTask: [says([task('INPUT_REQUIRED', 'so far')], 'hold')],
  });
  assert.equal(result.kind, 'paused');
});

test('C049 an error in the stream is no proof: GetTask decides', async (t) => {
  const { result } = await followed(t, {
    SendStreamingMessage: [
      (_, response) => {
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: task('WORKING') })}\n\n`);
        response.end('data: {"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"timed out"}}\n\n');
      },
    ],
    GetTask: [reads('INPUT_REQUIRED')],
  });
  assert.equal(result.kind, 'paused');
});

test('C029 an answer without its version is not believed; the task that it names is read', async (t) => {
  const { agent, result } = await followed(t, {
    SendStreamingMessage: [
      (_, response) => response.end(`data: ${JSON.stringify({ id: 1, result: task('COMPLETED', 'no') })}\n\n`),
    ],
    GetTask: [reads('COMPLETED', 'yes')],
  });
  assert.equal(finished(result), 'yes');
  assert.deepEqual(methods(agent), ['SendStreamingMessage', 'GetTask']);
});

test('lost calls in a row end it, and a call that is answered begins the count anew', async (t) => {
  const lost = Array.from({ length: 2 }, () => breaks);
  const { agent, result } = await followed(
    t,
    {
      SendStreamingMessage: [says([task('WORKING'), chunk('a')], 'cut')],
      SubscribeToTask: [refuses(-32004)],
      GetTask: [...lost, reads('WORKING', 'ab'), breaks],
    },
    { ...FOLLOW, attempts: 3 } as typeof FOLLOW,
  );
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.text, 'ab');
  assert.equal(result.delivery, 'delivered');
  assert.equal(methods(agent).filter((method) => method === 'GetTask').length, 6);
});

test('a task that the agent does not know any more, or may not be read, is followed no further', async (t) => {
  const { agent, result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING')], 'cut')],
    GetTask: [refuses(-32001)],
  });
  assert.ok(result.kind === 'transport-failure' && result.error instanceof AgentError);
  assert.equal(result.error.code, -32001);
  assert.deepEqual(methods(agent), ['SendStreamingMessage', 'GetTask']);
});

/** Time that passes while something waits for less than 100 ms. */
class WaitedClock extends TestClock {
  override after(ms: number, run: () => void): () => void {
    return super.after(ms, () => {
      this.nowMs += ms;
      run();
    });
  }
}

async function lifeless(t: TestContext, script: Readonly<Record<string, readonly Answering[]>>) {
  const agent = await rawAgent(t, scripted(script));
  const clock = new WaitedClock((ms) => ms < 100);
  const client = await Client.connect(agent.url, { clock });
  const result = await client.followTask('t', { follow: { ...FOLLOW, lifelessMs: 95 } }).result();
  return { agent, result, waitedMs: clock.nowMs - 1_000_000 };
}

test('C059 a task that only stands still is followed no longer than that, and the result says so', async (t) => {
  const closing = says([task('WORKING', 'a')]);
  const { result, waitedMs } = await lifeless(t, { GetTask: [reads('WORKING', 'a')], SubscribeToTask: [closing] });
  assert.ok(result.kind === 'transport-failure');
  assert.match(result.why, /no sign of life for 95 ms.*lifelessMs/);
  assert.equal(result.text, 'a');
  assert.equal(result.delivery, 'delivered');
  assert.equal(waitedMs, 95);
});

test('C059 a task that moves is alive: one that was read anew, and one whose stream said something', async (t) => {
  const moving = Array.from({ length: 6 }, (_, turn) => reads('WORKING', `a${turn}`));
  const read = await lifeless(t, {
    GetTask: [...moving, reads('COMPLETED', 'done')],
    SubscribeToTask: [refuses(-32004)],
  });
  assert.equal(finished(read.result), 'done');
  assert.ok(read.waitedMs > 95);
  const heard = await lifeless(t, {
    GetTask: [...Array.from({ length: 20 }, () => reads('WORKING', 'a')), reads('COMPLETED', 'done')],
    SubscribeToTask: [says([task('WORKING', 'a'), state('WORKING')])],
  });
  assert.equal(finished(heard.result), 'done');
  assert.ok(heard.waitedMs > 95);
});

test('C059 an agent that asks for a day is asked once more when the time is up', async (t) => {
  const busy: Answering = (_, response) => response.writeHead(503, { 'retry-after': '86400' }).end();
  const { result, waitedMs } = await lifeless(t, { GetTask: [reads('WORKING'), busy], SubscribeToTask: [breaks] });
  assert.ok(result.kind === 'transport-failure');
  assert.match(result.why, /no sign of life/);
  assert.equal(waitedMs, 95);
});

test('an agent that is busy is asked when it says', async (t) => {
  const { waits, result } = await followed(t, {
    SendStreamingMessage: [says([task('WORKING')], 'cut')],
    GetTask: [(_, response) => response.writeHead(503, { 'retry-after': '0.09' }).end(), reads('COMPLETED', 'x')],
  });
  assert.equal(finished(result), 'x');
  assert.deepEqual(waits, [10, 90]);
});

test('C133 without a task there is nothing to follow; C131 the message id is told, to send it again', async (t) => {
  const { agent, result } = await followed(t, { SendStreamingMessage: [breaks] });
  assert.ok(result.kind === 'transport-failure');
  assert.equal(result.delivery, 'unknown');
  const [asked] = agent.asked;
  assert.deepEqual(asked?.body.params?.['message'], {
    messageId: (result as TransportFailure).messageId,
    role: 'ROLE_USER',
    parts: [{ text: 'hello' }],
  });
  assert.deepEqual(methods(agent), ['SendStreamingMessage']);
});

test('sendMessage follows what still runs; followTask one that is known by its id', async (t) => {
  const agent = await rawAgent(
    t,
    scripted({
      SendMessage: [(asked, response) => rpc(response, asked, task('WORKING'))],
      GetTask: [reads('WORKING'), reads('COMPLETED', 'done')],
      SubscribeToTask: [says([task('WORKING')])],
    }),
  );
  const client = await Client.connect(agent.url, { clock: new TestClock((ms) => ms < 100) });
  const sent = await client.sendMessage('hello', { returnImmediately: true, follow: FOLLOW });
  assert.equal(sent.kind, 'finished');
  assert.equal(sent.text, 'done');
  const known = await client.followTask('t', { follow: FOLLOW }).result();
  assert.equal(known.kind, 'finished');
  assert.deepEqual(methods(agent), ['SendMessage', 'GetTask', 'SubscribeToTask', 'GetTask', 'GetTask']);
});

test('an abort ends the waiting', async (t) => {
  const agent = await rawAgent(t, scripted({ GetTask: [reads('WORKING')], SubscribeToTask: [refuses(-32004)] }));
  const caller = new AbortController();
  const reason = new Error('enough');
  const clock = new TestClock((ms) => ms === 10);
  const client = await Client.connect(agent.url, { clock });
  clock.after = (ms) => {
    if (ms === 10) caller.abort(reason);
    return () => undefined;
  };
  await assert.rejects(client.followTask('t', { follow: FOLLOW, signal: caller.signal }).result(), reason);
});

test('without `follow` nothing is asked after a cut', async (t) => {
  const agent = await rawAgent(t, scripted({ SendStreamingMessage: [says([task('WORKING')], 'cut')] }));
  const client = await Client.connect(agent.url);
  assert.equal((await client.sendStreamingMessage('hello').result()).kind, 'transport-failure');
  assert.equal(agent.asked.length, 1);
});
