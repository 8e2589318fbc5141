import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { SPACE_LIMITS } from '../limits.ts';
import { CallsUnderWay } from './calls-under-way.ts';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

const { callsAtOnce, callsOfCaller } = SPACE_LIMITS;

function fill(calls: CallsUnderWay, caller: string, count: number): (() => void)[] {
  return Array.from({ length: count }, () => calls.enter(caller) ?? assert.fail(`${caller} has no place`));
}

test('one caller has so many places, and all together so many; who leaves makes room for one', () => {
  const calls = new CallsUnderWay();
  const [leave] = fill(calls, 'one', callsOfCaller);
  assert.equal(calls.enter('one'), undefined);
  fill(calls, 'two', callsAtOnce - callsOfCaller);
  assert.equal(calls.enter('three'), undefined);
  leave?.();
  assert.ok(calls.enter('three'));
  assert.equal(calls.enter('one'), undefined);
});

test('a caller with too many calls is told to wait before its body is read, and others are not', async (t) => {
  const calls = new CallsUnderWay();
  const answers = (_request: unknown, response: ServerResponse, body: string): void => {
    const { messageId } = JSON.parse(body).params.message;
    const task = { ...TASK, id: messageId, contextId: messageId };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 7, result: { task } }));
  };
  const { base, rpc, asked } = await openGateway(t, answers, { parts: { calls } });
  const [leave] = fill(calls, '["acme","user","alice"]', callsOfCaller);
  const refused = await fetch(base, { method: 'POST', headers: JSON_OF_ALICE, body: '{' });
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  assert.equal(((await refused.json()) as { code: string }).code, 'too-many-calls');
  assert.equal(asked.length, 0);
  assert.equal((await rpc('SendMessage', message({ messageId: 'of-bob' }), 'bob')).status, 200);
  leave?.();
  // Each call gives its place back, whatever becomes of it.
  for (const [index, method] of ['SendMessage', 'NoSuchMethod', 'SendMessage'].entries())
    assert.equal((await rpc(method, message({ messageId: `of-alice-${index}` }))).status, 200);
});
