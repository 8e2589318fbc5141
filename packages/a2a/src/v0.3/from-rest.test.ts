import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEvent } from '../read-event.ts';
import { fromRest } from './from-rest.ts';

test("a message's content, wherever it stands, becomes its parts", () => {
  const content = [{ data: { data: { data: 1 } } }, { file: { fileWithUri: 'https://f', mimeType: 'a/b' } }];
  const parts = [{ data: { data: 1 } }, { file: { mimeType: 'a/b', uri: 'https://f', bytes: undefined } }];
  const read = (value: unknown): unknown => JSON.parse(JSON.stringify(fromRest(value)));
  const wanted = JSON.parse(JSON.stringify(parts));
  const update = read({ statusUpdate: { status: { state: 'x', update: { content } } } });
  assert.deepEqual(
    (update as { statusUpdate: { status: { message: { parts: unknown } } } }).statusUpdate.status.message.parts,
    wanted,
  );
  const { task } = read({ task: { history: [{ content }], artifacts: [{ parts: content }] } }) as Record<string, never>;
  assert.deepEqual([task?.['history'][0]['parts'], task?.['artifacts'][0]['parts']], [wanted, wanted]);
  const event = readEvent(fromRest({ msg: { content: [{ text: 'hi' }] } }));
  assert.ok(event?.kind === 'message');
  assert.deepEqual(event.message.parts[0]?.source, { text: 'hi' });
});

test('parts that say their kind are left as they are, and so is what is nested past any sense', () => {
  const parts = [{ kind: 'data', data: { data: 1 } }];
  assert.deepEqual(fromRest({ parts }), { parts });
  let deep: unknown = { content: [] };
  for (let level = 0; level < 200_000; level += 1) deep = { task: deep };
  fromRest(deep);
});
