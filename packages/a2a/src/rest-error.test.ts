import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RPC_ERROR } from './json-rpc.ts';
import { readRestError } from './rest-error.ts';

test('an error of HTTP+JSON has the code that JSON-RPC has for its reason', () => {
  const details = [{ '@type': 'x' }, { reason: 'TASK_NOT_CANCELABLE', domain: 'a2a-protocol.org' }];
  const error = { code: 400, status: 'FAILED_PRECONDITION', message: 'no', details };
  assert.deepEqual(readRestError({ error }), { code: RPC_ERROR.taskNotCancelable, message: 'no', data: details });
  assert.deepEqual(readRestError({ error: { code: 503, message: 'busy' } }), {
    code: undefined,
    message: 'busy',
    data: undefined,
  });
  const invalid = { code: 400, status: 'INVALID_ARGUMENT', message: 'no', details: [{ reason: 'UNKNOWN_SKILL' }] };
  assert.equal(readRestError({ error: invalid })?.code, RPC_ERROR.invalidParams);
  assert.equal(readRestError({ error: { ...invalid, details } })?.code, RPC_ERROR.taskNotCancelable);
  assert.equal(readRestError({ error: { code: 500, status: 'INTERNAL', message: '' } })?.code, RPC_ERROR.internalError);
  assert.equal(readRestError({ error: { code: 404, status: 'NOT_FOUND', message: '' } })?.code, undefined);
  assert.deepEqual(readRestError({ code: -32_001, message: 'gone' }), {
    code: -32_001,
    message: 'gone',
    data: undefined,
  });
});

test('a task, a message and any other JSON are no errors', () => {
  assert.equal(readRestError({ task: { id: 't' } }), undefined);
  assert.equal(readRestError({ id: 't', status: {} }), undefined);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      readRestError(value);
    }),
  );
});
