import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Observation } from '../../ports/observer.ts';
import { machineLog } from './log.ts';
import { machineObserver } from './observer.ts';

const turn = { thread: 't', turn: 'u' };

function observer(options: { queueDepth?: () => number } = {}) {
  const lines: string[] = [];
  const log = machineLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const { observe, metrics } = machineObserver({ log, ...options });
  const value = async (series: string): Promise<string | undefined> => {
    const text = await metrics.text();
    return text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length + 1);
  };
  return { observe, metrics, lines, value };
}

test('every metric of the interface is there from the start, at 0', async () => {
  const { metrics, value } = observer();
  const text = await metrics.text();
  for (const series of [
    'agentkourier_credential_rejections_total',
    'agentkourier_turns_total{outcome="completed"}',
    'agentkourier_turns_total{outcome="unreachable"}',
    'agentkourier_turn_seconds_count',
    'agentkourier_streams_open',
    'agentkourier_stream_drops_total',
    'agentkourier_retries_total{reason="stream-dropped"}',
    'agentkourier_queue_depth',
    'agentkourier_requests_open{type="text"}',
    'agentkourier_requests_open{type="questions"}',
    'agentkourier_requests_open{type="tool-approval"}',
    'agentkourier_chat_calls_total{platform="web",method="show",outcome="ok"}',
  ]) {
    assert.equal(await value(series), '0', `${series} in\n${text}`);
  }
  assert.match(metrics.contentType, /^text\/plain/);
});

test('a carried turn is counted, timed, and out of the queue', async () => {
  const { observe, value } = observer();
  observe({ event: 'message-accepted', ...turn });
  observe({ event: 'message-accepted', thread: 't', turn: 'u2' });
  observe({ event: 'message-accepted', thread: 't' });
  assert.equal(await value('agentkourier_queue_depth'), '2');
  observe({ event: 'turn-began', ...turn, trace: 'x' });
  assert.equal(await value('agentkourier_queue_depth'), '1');
  observe({ event: 'stream-opened', ...turn });
  assert.equal(await value('agentkourier_streams_open'), '1');
  observe({ event: 'stream-closed', ...turn, dropped: true });
  observe({ event: 'retry', ...turn, reason: 'stream-dropped', inMs: 1_000 });
  observe({ event: 'turn-settled', ...turn, trace: 'x', outcome: 'completed', tookMs: 1_500 });
  assert.equal(await value('agentkourier_streams_open'), '0');
  assert.equal(await value('agentkourier_stream_drops_total'), '1');
  assert.equal(await value('agentkourier_retries_total{reason="stream-dropped"}'), '1');
  assert.equal(await value('agentkourier_turns_total{outcome="completed"}'), '1');
  assert.equal(await value('agentkourier_turn_seconds_sum'), '1.5');
});

test('a turn that an earlier process accepted does not make the queue negative', async () => {
  const { observe, value } = observer();
  observe({ event: 'turn-began', ...turn, trace: 'x' });
  assert.equal(await value('agentkourier_queue_depth'), '0');
});

test('open requests are counted by type until they settle', async () => {
  const { observe, value, lines } = observer();
  const open = (type: string) => value(`agentkourier_requests_open{type="${type}"}`);
  observe({ event: 'request-opened', ...turn, type: 'text' });
  observe({ event: 'request-opened', thread: 't', turn: 'u2', type: 'tool-approval' });
  observe({ event: 'request-opened', thread: 't2', turn: 'u3', type: 'tool-approval' });
  assert.deepEqual([await open('text'), await open('questions'), await open('tool-approval')], ['1', '0', '2']);
  observe({ event: 'request-settled', ...turn, type: 'text', state: 'answered' });
  observe({ event: 'request-settled', thread: 't', turn: 'u2', type: 'tool-approval', state: 'expired' });
  assert.deepEqual([await open('text'), await open('questions'), await open('tool-approval')], ['0', '0', '1']);
  assert.equal(JSON.parse(lines.at(-1) ?? '').state, 'expired');
});

test('a request that is told of again counts once, and one that nobody told of does not count below nothing', async () => {
  const { observe, value } = observer();
  const open = (type: string) => value(`agentkourier_requests_open{type="${type}"}`);
  observe({ event: 'request-settled', ...turn, type: 'text', state: 'answered' });
  observe({ event: 'request-opened', ...turn, type: 'text' });
  observe({ event: 'request-opened', ...turn, type: 'text' });
  assert.equal(await open('text'), '1');
  // The turn's next question, of another type, when the end of the first was never told.
  observe({ event: 'request-opened', ...turn, type: 'questions' });
  assert.deepEqual([await open('text'), await open('questions')], ['0', '1']);
  observe({ event: 'request-settled', ...turn, type: 'questions', state: 'failed' });
  observe({ event: 'request-settled', ...turn, type: 'questions', state: 'failed' });
  assert.equal(await open('questions'), '0');
});

test('a request ends with its turn, and goes with its thread to another courier', async () => {
  const { observe, value } = observer();
  const open = () => value('agentkourier_requests_open{type="text"}');
  for (const [thread, each] of [
    ['t', 'u'],
    ['t', 'u2'],
    ['t2', 'u3'],
    ['t3', 'u4'],
  ] as const) {
    observe({ event: 'request-opened', thread, turn: each, type: 'text' });
  }
  observe({ event: 'lease-lost', thread: 't' });
  assert.equal(await open(), '2');
  observe({ event: 'turn-settled', thread: 't2', turn: 'u3', trace: 'x', outcome: 'canceled', tookMs: 1 });
  assert.equal(await open(), '1');
});

test('the queue is asked for where somebody knows it', async () => {
  let depth = 7;
  const { value } = observer({ queueDepth: () => depth });
  assert.equal(await value('agentkourier_queue_depth'), '7');
  depth = 3;
  assert.equal(await value('agentkourier_queue_depth'), '3');
});

test('two observers share nothing', async () => {
  const one = observer();
  const other = observer();
  one.observe({ event: 'credentials-rejected', ...turn });
  one.observe({ event: 'chat-called', platform: 'slack', method: 'post', outcome: 'ok' });
  assert.equal(await one.value('agentkourier_credential_rejections_total'), '1');
  assert.equal(await one.value('agentkourier_chat_calls_total{platform="slack",method="post",outcome="ok"}'), '1');
  assert.equal(await other.value('agentkourier_credential_rejections_total'), '0');
});

test('an observation is one JSON line with its level, its time and its members', () => {
  const { observe, lines } = observer();
  const observations: Observation[] = [
    { event: 'turn-began', ...turn, trace: 'x' },
    { event: 'call-failed', ...turn, call: 'send', kind: 'unknown', why: 'line\nbreak' },
    { event: 'store-failed', thread: 't', why: 'disk full' },
    { event: 'configuration-refused', problems: ['a.yaml:3: wrong'] },
  ];
  for (const observation of observations) observe(observation);
  assert.equal(lines.length, observations.length);
  const read = lines.map((line) => {
    assert.equal(line.indexOf('\n'), line.length - 1);
    return JSON.parse(line);
  });
  assert.deepEqual(
    read.map(({ level }) => level),
    ['info', 'warn', 'error', 'error'],
  );
  for (const [index, { level, time, ...rest }] of read.entries()) {
    assert.deepEqual(rest, observations[index]);
    assert.ok(level && new Date(time).toISOString() === time);
  }
});

test('a long reason is cut, and a level that is not asked for is left out', () => {
  const { observe, lines } = observer();
  observe({ event: 'store-failed', thread: 't', why: 'x'.repeat(100_000) });
  assert.ok((lines[0]?.length ?? 0) < 1_000);
  const quiet: string[] = [];
  const log = machineLog({ destination: { write: (line) => void quiet.push(line) } });
  machineObserver({ log }).observe({ event: 'stream-opened', ...turn });
  assert.deepEqual(quiet, []);
});
