import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Card, Piece } from '../layout/slack-body.ts';
import { type Sent, streamDelta } from './stream-delta.ts';

const text = (words: string): Piece => ({ kind: 'text', text: words });
const card = (more: Partial<Card> = {}): Piece => ({
  kind: 'card',
  card: { id: 's', title: 'get_pods', status: 'in_progress', ...more },
});

test('C157 only what is new is sent', () => {
  const first = streamDelta([], [text('Hel')]);
  assert.ok(first.kind === 'grows');
  assert.deepEqual(first.chunks, [{ type: 'markdown_text', text: 'Hel' }]);
  const second = streamDelta(first.sent, [text('Hello')]);
  assert.ok(second.kind === 'grows');
  assert.deepEqual(second.chunks, [{ type: 'markdown_text', text: 'lo' }]);
  assert.deepEqual(streamDelta(second.sent, [text('Hello')]), { kind: 'same' });
});

test('what a card says in details and output is sent once, its title and status as often as they change', () => {
  const first = streamDelta([], [card({ details: '{"a":1}' })]);
  assert.ok(first.kind === 'grows');
  const changed = [card({ details: '{"a":2}', output: '3 pods', status: 'complete' })];
  const second = streamDelta(first.sent, changed);
  assert.ok(second.kind === 'grows');
  assert.deepEqual(second.chunks, [
    { type: 'task_update', id: 's', title: 'get_pods', status: 'complete', output: '3 pods' },
  ]);
  assert.deepEqual(streamDelta(second.sent, changed), { kind: 'same' });
});

test('a text that was taken back, or that grows above something, is no matter for a stream', () => {
  const sent = [text('Hello'), card(), text('more')];
  for (const pieces of [
    [text('Help'), card(), text('more')],
    [text('Hello you'), card(), text('more')],
    [text('Hello')],
    [text('Hello'), text('x'), text('more')],
    [text('Hello'), card({ id: 'other' }), text('more')],
  ]) {
    assert.deepEqual(streamDelta(sent, pieces), { kind: 'no-way' });
  }
});

test('C155 however a text grows, what was sent together is the text, each part once', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 80 }), fc.array(fc.nat(80)), (whole, cuts) => {
      let sent: Sent = [];
      let shown = '';
      for (const cut of [...cuts.map((at) => Math.min(at, whole.length)).sort((a, b) => a - b), whole.length]) {
        const delta = streamDelta(sent, cut === 0 ? [] : [text(whole.slice(0, cut))]);
        assert.notEqual(delta.kind, 'no-way');
        if (delta.kind !== 'grows') continue;
        for (const chunk of delta.chunks) shown += 'text' in chunk ? chunk.text : '';
        sent = delta.sent;
      }
      assert.equal(shown, whole);
    }),
  );
});
