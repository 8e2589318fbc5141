import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResponse } from '@agentkourier/a2a/json-rpc';
import { parseJson } from '@agentkourier/a2a/json-value';
import { readEvent } from '@agentkourier/a2a/read-event';
import type { AgentEvent } from '../../../core/reply/agent-event.ts';
import { AlikeFrames } from './alike-frames.ts';
import { toAgentEvent } from './to-core.ts';

function whole(frame: string): AgentEvent | undefined {
  const reply = readResponse(parseJson(frame));
  const event = reply.kind === 'result' ? readEvent(reply.result) : undefined;
  return event && toAgentEvent(event);
}

const frameOf = (part: object, more: object = {}, space?: number): string => {
  const artifact = { artifactId: 'a', parts: [part], ...more };
  const artifactUpdate = { taskId: 't', contextId: 'c', append: true, artifact };
  const json = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { artifactUpdate } }, undefined, space);
  return json.replaceAll(/\n */g, '');
};

function learned(frame: string): AlikeFrames {
  const alike = new AlikeFrames(whole);
  const event = whole(frame);
  assert.ok(event);
  alike.learn(frame, event);
  return alike;
}

test('a frame that differs in its words alone is known, and says what it would say when read whole', () => {
  for (const space of [undefined, 1]) {
    const alike = learned(frameOf({ text: 'one' }, {}, space));
    for (const text of ['two', '', 'a "quoted" \\ line\n\ttab \u0001 é 😀', 'x'.repeat(50_000)]) {
      const frame = frameOf({ text }, {}, space);
      assert.deepEqual(alike.recall(frame), whole(frame));
      assert.ok(alike.recall(frame));
    }
  }
});

test('a thought stays one, and a frame that differs elsewhere is not known', () => {
  const thought = { text: 'one', metadata: { adk_thought: true } };
  const alike = learned(frameOf(thought));
  assert.deepEqual(alike.recall(frameOf({ ...thought, text: 'two' })), whole(frameOf({ ...thought, text: 'two' })));
  for (const other of [frameOf({ text: 'two' }), frameOf(thought, { name: 'n' }), frameOf(thought).slice(1)]) {
    assert.equal(alike.recall(other), undefined);
  }
});

test('words that would leave their string are no words', () => {
  const frame = frameOf({ text: 'one' });
  const alike = learned(frame);
  for (const forged of ['two","metadata":{"thought":true},"x":"', 'two\\', 'two\n', '"', '\\u00']) {
    assert.equal(alike.recall(frame.replace('one', forged)), undefined, forged);
  }
  assert.equal(alike.recall(frame.replace('"one"', '["one"]')), undefined);
  assert.equal(alike.recall(frame.replace('"one"', '')), undefined);
});

test('the same words elsewhere in a frame are not taken for the part', () => {
  const frame = frameOf({ metadata: { text: 'one' }, text: 'one' });
  assert.equal(learned(frame).recall(frame), undefined);
});

test('a stream whose frames are never alike costs a few attempts and no more', () => {
  let reads = 0;
  const alike = new AlikeFrames((frame) => {
    reads += 1;
    return whole(frame);
  });
  for (let index = 0; index < 100; index += 1) {
    const frame = frameOf({ text: 'one' }, { name: `n${index}` });
    assert.equal(alike.recall(frame), undefined);
    const event = whole(frame);
    if (event) alike.learn(frame, event);
  }
  assert.ok(reads <= 4);
});

test('what stands around the words is not kept when it is long', () => {
  const padded = (text: string, size: number) => frameOf({ text }, { name: 'n'.repeat(size) });
  assert.ok(learned(padded('one', 8_000)).recall(padded('two', 8_000)));
  assert.equal(learned(padded('one', 16_384)).recall(padded('two', 16_384)), undefined);
});
