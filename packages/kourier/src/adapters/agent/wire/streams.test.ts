import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { frame, json, type Reaction, raw, reply, stream } from '../../../../contract/http-agent.ts';
import { renderEvent, type WireVersion } from '../../../../contract/render-wire.ts';
import { callOptions, overHttp, type Setup } from '../../../../test/agent-over-http.ts';
import type { AgentEvent, Part } from '../../../core/reply/agent-event.ts';
import type { MessageId, TaskId } from '../../../core/thread/ids.ts';
import type { StreamEnd } from '../../../ports/agent.ts';

const WIRES: readonly WireVersion[] = ['1.0', '0.3'];
const TASK = 'task-1' as TaskId;

const status = (state: 'working' | 'completed'): AgentEvent => ({
  kind: 'status',
  taskId: TASK,
  status: { state, codes: [] },
  final: false,
});

async function sent(context: TestContext, wire: WireVersion, reaction: Reaction, setup: Setup = {}) {
  const { http, agent } = await overHttp(context, wire, setup);
  http.on('send', reaction);
  const events: AgentEvent[] = [];
  const end = await agent.send(
    { messageId: 'm' as MessageId, text: 'Hi' },
    (event) => {
      events.push(event);
      return 'more';
    },
    callOptions(),
  );
  return { events, end };
}

const kinds = (events: readonly AgentEvent[]) => events.map(({ kind }) => kind);
const why = (end: StreamEnd) => ('why' in end ? end.why : '');

for (const wire of WIRES) {
  const result = (state: 'working' | 'completed') => renderEvent(status(state), wire);
  const working = frame(result('working'));

  describe(`streams over A2A ${wire}`, () => {
    test('C037, C038, C040, C041, C043 line ends, fields, several data lines, a byte order mark, U+2028', async (t) => {
      const pretty = JSON.stringify({ jsonrpc: '2.0', id: '1', result: result('working'), x: '\u2028' }, null, 1);
      const lines = pretty.split('\n').map((line) => `data: ${line}`);
      for (const eol of ['\r', '\n', '\r\n']) {
        const text = ['\uFEFF: hi', 'event: x', 'id: 4', 'retry: 10', ...lines, '', ''].join(eol);
        const { events, end } = await sent(t, wire, raw(text, 'text/event-stream'));
        assert.deepEqual([kinds(events), end], [['status'], { kind: 'closed' }]);
      }
    });

    test('C025 one response with no, a wrong or the right content type is read as one', async (t) => {
      const error = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'secret' } };
      for (const type of [
        'application/json',
        'text/event-stream',
        'text/plain',
        'application/a2a+json; charset=utf-8',
      ]) {
        const { end } = await sent(t, wire, json(error, type));
        assert.deepEqual(end, { kind: 'not-found', why: 'JSON-RPC error -32001' });
      }
      const bare: Reaction = (response) => void response.end(JSON.stringify(error));
      assert.equal((await sent(t, wire, bare)).end.kind, 'not-found');
      const unterminated = await sent(t, wire, raw(`data: ${JSON.stringify(error)}`));
      assert.equal(unterminated.end.kind, 'not-found');
      const good = await sent(t, wire, reply({ result: result('working') }));
      assert.deepEqual([kinds(good.events), good.end], [['status'], { kind: 'closed' }]);
    });

    test('C025 a frame that is not terminated after good ones is a cut', async (t) => {
      const { events, end } = await sent(t, wire, raw(working + working.trimEnd()));
      assert.deepEqual([kinds(events), end.kind], [['status'], 'cut']);
    });

    test('a body that is no A2A has an unknown outcome, and none of it is told', async (t) => {
      for (const body of [
        '',
        '<html>secret</html>',
        'data: secret\n\n',
        '{"secret":1}',
        '[]',
        'data: {"jsonrpc":"2.0"}\n\n',
      ]) {
        const { events, end } = await sent(t, wire, raw(body, 'text/html'));
        assert.deepEqual([events, end.kind], [[], 'unknown']);
        assert.doesNotMatch(why(end), /secret/);
      }
    });

    test('C026 a compressed answer that was not asked for fails clearly', async (t) => {
      const zipped: Reaction = (response, { headers }) => {
        assert.equal(headers['accept-encoding'], undefined);
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
      };
      const { end } = await sent(t, wire, zipped);
      assert.equal(end.kind, 'unknown');
      assert.match(why(end), /content encoding/);
    });

    test('C029 without its version a response names the task and nothing else', async (t) => {
      const unversioned = `data: ${JSON.stringify({ id: 1, result: result('completed') })}\n\n`;
      const { events, end } = await sent(t, wire, raw(unversioned));
      assert.deepEqual(events, [
        { kind: 'status', taskId: TASK, status: { state: 'unknown', codes: [] }, final: false },
      ]);
      assert.equal(end.kind, 'cut');
      const message = { role: 'agent', parts: [{ kind: 'text', text: 'Hi' }], kind: 'message' };
      const other = await sent(t, wire, raw(`data: ${JSON.stringify({ jsonrpc: '1.0', id: 1, result: message })}\n\n`));
      assert.deepEqual([other.events, other.end.kind], [[], 'unknown']);
    });

    test('C031 ids of any type, in the envelope and in what it holds', async (t) => {
      const update = { taskId: 7, contextId: 8, status: { state: 'working' } };
      const value = wire === '1.0' ? { statusUpdate: update } : { kind: 'status-update', ...update };
      const { events } = await sent(t, wire, raw(frame(value, 0) + frame(value, null) + frame(value, 'x')));
      assert.deepEqual(
        events.map((event) => event.kind === 'status' && [event.taskId, event.contextId]),
        Array(3).fill(['7', '8']),
      );
    });

    test('C032 an error in an event of any name is read, by its code', async (t) => {
      const error = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_004, data: { retryAfterMs: 5 } } });
      const { end } = await sent(t, wire, raw(`event: error\ndata: ${error}\n\n`));
      assert.deepEqual(end, { kind: 'busy', retryAfterMs: 5, why: 'JSON-RPC error -32004' });
    });

    test('C041 heartbeats are no sign of life: a stream of them is cut no later than a silent one', async (t) => {
      const { http, agent } = await overHttp(t, wire, { timings: { streamIdleMs: 500 } });
      http.on('send', stream([working], beat)).on(
        'subscribe',
        stream([working], () => undefined),
      );
      const cuts: string[] = [];
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const beating = agent.send({ messageId: 'm' as MessageId, text: '' }, () => more(begin), callOptions());
      const first = beating.then(({ kind }) => cuts.push(`beating ${kind}`));
      await begun;
      const silent = await agent.subscribe(TASK, () => 'more', callOptions());
      cuts.push(`silent ${silent.kind}`);
      await first;
      assert.deepEqual(cuts, ['beating cut', 'silent cut']);
    });

    test('C046 a stream has no limit on its whole length', async (t) => {
      const { http, agent } = await overHttp(t, wire, { timings: { responseHeadersMs: 1_000 } });
      const { promise: opened, resolve: open } = Promise.withResolvers<ServerResponse>();
      const [begun, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      http.on('send', stream([working], open)).on('get', () => asked.resolve());
      t.mock.timers.enable({ apis: ['setTimeout'] });
      const events: AgentEvent[] = [];
      const ended = agent.send(
        { messageId: 'm' as MessageId, text: '' },
        (event) => {
          begun.resolve();
          return events.push(event) > 9 ? 'enough' : 'more';
        },
        callOptions(),
      );
      const [response] = await Promise.all([opened, begun.promise]);
      // Another call that runs into the limit for headers tells that this stream has outlived it.
      const reading = agent.getTask(TASK, callOptions());
      await asked.promise;
      t.mock.timers.tick(1_000);
      assert.equal((await reading).kind, 'unknown');
      response.end(frame(result('completed')));
      assert.deepEqual(await ended, { kind: 'closed' });
      assert.deepEqual(kinds(events), ['status', 'status']);
    });

    test('C136, C137 the other version is read too, and a state that nobody knows is unknown', async (t) => {
      const other = wire === '1.0' ? '0.3' : '1.0';
      const novel = { statusUpdate: { taskId: TASK, status: { state: 'TASK_STATE_FOO' } } };
      const { events } = await sent(t, wire, raw(frame(renderEvent(status('completed'), other)) + frame(novel)));
      assert.deepEqual(
        events.map((event) => event.kind === 'status' && event.status.state),
        ['completed', 'unknown'],
      );
    });

    test('an event of a kind that we do not know is passed over', async (t) => {
      const { events, end } = await sent(t, wire, raw(`${frame({ kind: 'novel' })}${working}data: [DONE]\n\n`));
      assert.deepEqual([kinds(events), end], [['status'], { kind: 'closed' }]);
    });
  });
}

describe('limits of a stream', () => {
  const working = frame(renderEvent(status('working'), '1.0'));

  test('C050 a frame of 100 MB is cut off after 8, before or after an event', async (t) => {
    for (const [before, kind] of [
      ['', 'too-large'],
      [working, 'cut'],
    ] as const) {
      const flood = flooding(before, 100);
      const { events, end } = await sent(t, '1.0', flood.reaction);
      assert.deepEqual([events.length, end.kind], [before === '' ? 0 : 1, kind]);
      assert.match(why(end), /a frame is over/);
      assert.ok((await flood.writtenMiB) < 40, 'the agent was stopped');
    }
  });

  test('C050 many frames have no limit together', async (t) => {
    const { events, end } = await sent(t, '1.0', raw(working.repeat(20_000)));
    assert.deepEqual([events.length, end], [20_000, { kind: 'closed' }]);
  });

  test('invalid UTF-8 becomes U+FFFD and harms nothing else', async (t) => {
    const [head = '', tail = ''] = frame({
      artifactUpdate: { artifact: { artifactId: 'a', parts: [{ text: '@' }] } },
    }).split('@');
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xc3]), Buffer.from(tail)]);
    const { events } = await sent(t, '1.0', raw(bytes));
    assert.deepEqual(partsOf(events), [{ kind: 'text', text: '\uFFFD\uFFFD', thought: false }]);
  });

  test('data that is 10,000 deep is not kept', async (t) => {
    const deep = '{"a":'.repeat(10_000) + 1 + '}'.repeat(10_000);
    const parts = `[{"data":${deep}},{"data":1,"metadata":${deep}},{"data":{"a":1}},{"text":"x","metadata":${deep}}]`;
    const text = `data: {"jsonrpc":"2.0","result":{"artifactUpdate":{"artifact":{"artifactId":"a","parts":${parts}}}}}\n\n`;
    const { events } = await sent(t, '1.0', raw(text));
    const other: Part = { kind: 'other' };
    assert.deepEqual(partsOf(events), [
      other,
      other,
      { kind: 'data', data: { a: 1 } },
      { kind: 'text', text: 'x', thought: false },
    ]);
  });

  test('a task of 10,000 artifacts', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    const artifacts = Array.from({ length: 10_000 }, (_, index) => ({ artifactId: index, parts: [{ text: 'x' }] }));
    http.on('get', reply({ result: { id: TASK, status: { state: 'completed' }, artifacts } }));
    const reading = await agent.getTask(TASK, callOptions());
    assert.equal(reading.kind === 'task' && reading.task.artifacts.length, 10_000);
  });

  test('a body over the limit is too large', async (t) => {
    const { http, agent } = await overHttp(t, '1.0');
    const flood = flooding('', 100);
    http.on('get', flood.reaction);
    assert.equal((await agent.getTask(TASK, callOptions())).kind, 'too-large');
    assert.ok((await flood.writtenMiB) < 60);
  });
});

function partsOf(events: readonly AgentEvent[]): readonly Part[] {
  return events.flatMap((event) => (event.kind === 'artifact' ? event.artifact.parts : []));
}

function more(told: () => void): 'more' {
  told();
  return 'more';
}

/** Comments as fast as they go, until the other side hangs up. */
function beat(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(': beat\n\n', () => setImmediate(() => beat(response)));
}

/** One line without an end; tells how much of it was written when the other side hung up. */
function flooding(before: string, mib: number) {
  const { promise: writtenMiB, resolve } = Promise.withResolvers<number>();
  const chunk = Buffer.alloc(1_024 * 1_024, 'x');
  const reaction: Reaction = async (response) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`${before}data: `);
    const closed = once(response, 'close');
    let written = 0;
    for (; written < mib && !response.destroyed; written += 1) {
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
    resolve(written);
  };
  return { reaction, writtenMiB };
}
