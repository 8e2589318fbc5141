import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { answers, encodeRequest, judgeResponse, readResponse } from './json-rpc.ts';

describe('read leniently', () => {
  test('a result, with `"error": null` beside it', () => {
    const reply = { kind: 'result', result: { a: 1 }, versioned: true };
    assert.deepEqual(readResponse({ jsonrpc: '2.0', id: '1', result: { a: 1 } }), reply);
    assert.deepEqual(readResponse({ jsonrpc: '2.0', id: null, result: { a: 1 }, error: null }), reply);
  });

  test('C029 an envelope without its version is marked', () => {
    for (const jsonrpc of [undefined, '1.0', 2, null]) {
      assert.deepEqual(readResponse({ jsonrpc, id: '1', result: {} }), {
        kind: 'result',
        result: {},
        versioned: false,
      });
    }
  });

  test('an error with id null, without a message, with its code as text', () => {
    const read = readResponse({ jsonrpc: '2.0', id: null, error: { code: '-32001', data: [1] } });
    assert.deepEqual(read, { kind: 'error', error: { code: -32_001, message: '', data: [1] }, versioned: true });
  });

  test('an error that is a text or has no code has none', () => {
    for (const error of ['boom', {}, { code: 1.5 }, { code: 'x' }]) {
      const read = readResponse({ jsonrpc: '2.0', error });
      assert.equal(read.kind === 'error' ? read.error.code : 'no error', undefined);
    }
  });

  test('neither result nor error is no response', () => {
    for (const value of [null, [], 'x', {}, { result: null }, { result: null, error: null }]) {
      assert.deepEqual(readResponse(value), { kind: 'none' });
    }
  });

  test('any JSON is read without an exception', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void [readResponse(value), judgeResponse(value, '1')]));
  });
});

test('C031 ids are sent as strings and compared by their string form', () => {
  assert.deepEqual(JSON.parse(encodeRequest({ id: '7', method: 'GetTask', params: { id: 't' } })), {
    jsonrpc: '2.0',
    id: '7',
    method: 'GetTask',
    params: { id: 't' },
  });
  assert.ok(answers({ id: 7 }, '7'));
  assert.ok(!answers({ id: null }, '7'));
  assert.ok(!answers({ id: '8' }, '7'));
});

test('C029, C031 by the letter each fault is named', () => {
  assert.deepEqual(judgeResponse({ jsonrpc: '2.0', id: '1', result: null }, '1'), []);
  assert.deepEqual(judgeResponse({ jsonrpc: '2.0', id: null, error: { code: 1, message: '' } }, '1'), []);
  assert.deepEqual(judgeResponse({ id: 1, result: {}, error: null }, '1'), [
    '`jsonrpc` is not "2.0"',
    '`id` is not the id of the request',
    'there is not exactly one of `result` and `error`',
    '`error` is no object',
  ]);
});
