import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceObserver } from './space-observer.ts';

const numbersOf = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('an event is one line of the log, at its level, and a step of the numbers', async () => {
  const lines: unknown[] = [];
  const { observe, metrics } = spaceObserver(
    (...line) => void lines.push(line),
    async () => ({ dead: 1, owed: 7 }),
  );
  observe({ event: 'call-carried', operation: 'SendMessage' });
  observe({ event: 'call-refused', operation: 'GetTask', code: 'permit-used' });
  observe({ event: 'call-failed' });
  observe({ event: 'event-delivered' });
  observe({ event: 'event-failed', error: 'HTTP_503' });
  observe({ event: 'queue-died' });
  observe({ event: 'agent-registered' });
  assert.deepEqual(lines, [
    ['debug', { event: 'call-carried', operation: 'SendMessage' }],
    ['info', { event: 'call-refused', operation: 'GetTask', code: 'permit-used' }],
    ['warn', { event: 'call-failed' }],
    ['debug', { event: 'event-delivered' }],
    ['warn', { event: 'event-failed', error: 'HTTP_503' }],
    ['error', { event: 'queue-died' }],
    ['info', { event: 'agent-registered' }],
  ]);
  assert.deepEqual(numbersOf(await metrics.text()), [
    'agentkourier_space_calls_total{operation="SendMessage",outcome="carried"} 1',
    'agentkourier_space_calls_total{operation="GetTask",outcome="refused"} 1',
    'agentkourier_space_calls_total{operation="",outcome="failed"} 1',
    'agentkourier_space_events_total{outcome="delivered"} 1',
    'agentkourier_space_events_total{outcome="failed"} 1',
    'agentkourier_space_outbox{state="dead"} 1',
    'agentkourier_space_outbox{state="owed"} 7',
  ]);
});

test('a store that fails takes its own numbers away, and no others', async () => {
  let isDown = false;
  const { observe, metrics } = spaceObserver(
    () => undefined,
    () => (isDown ? Promise.reject(new Error('no store')) : Promise.resolve({ dead: 0, owed: 0 })),
  );
  observe({ event: 'event-delivered' });
  assert.equal(numbersOf(await metrics.text()).length, 3);
  isDown = true;
  assert.deepEqual(numbersOf(await metrics.text()), ['agentkourier_space_events_total{outcome="delivered"} 1']);
});
