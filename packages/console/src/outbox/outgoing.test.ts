import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextToSend, type Outgoing, withoutConfirmed } from './outgoing.ts';

const item = (key: string, more: Partial<Outgoing> = {}): Outgoing => ({
  key,
  text: key,
  thread: 't',
  state: 'sending',
  ...more,
});

test('the messages of a thread are sent one after the other, those of two threads side by side', () => {
  const items = [item('1'), item('2'), item('3', { thread: 'u' }), item('4', { thread: 'u' })];
  assert.deepEqual(
    nextToSend(items, new Set()).map(({ key }) => key),
    ['1', '3'],
  );
});

test('one that is on its way is not sent again, and holds the next one back', () => {
  assert.deepEqual(nextToSend([item('1'), item('2')], new Set(['1'])), []);
});

test('one that the server has lets the next one go', () => {
  const items = [item('1', { state: 'sent', turnId: 'x' }), item('2', { state: 'waiting' })];
  assert.deepEqual(
    nextToSend(items, new Set()).map(({ key }) => key),
    ['2'],
  );
});

test('an entry in the timeline confirms its message, and nothing else changes the list', () => {
  const items = [item('1', { state: 'sent', turnId: 'x' }), item('2')];
  assert.deepEqual(withoutConfirmed(items, new Set(['x'])), [item('2')]);
  assert.equal(withoutConfirmed(items, new Set(['y'])), items);
});
