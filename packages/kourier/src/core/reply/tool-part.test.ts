import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Part } from './agent-event.ts';
import { isToolPart, toolPart } from './tool-part.ts';

const part = (metadata: Record<string, unknown> | undefined, data: unknown): Part => ({
  kind: 'data',
  data,
  ...(metadata && { metadata }),
});

describe('T1: a data part', () => {
  for (const key of ['adk_type', 'kagent_type', 'kagent.dev/a2a/part-type']) {
    it(`is a call or a result by ${key}`, () => {
      const call = toolPart(part({ [key]: 'function_call', other: 1 }, { id: 'c1', name: 'look', args: { a: 1 } }));
      assert.deepEqual([call?.kind, call?.callId, call?.name, call?.content], ['call', 'c1', 'look', { a: 1 }]);
      const result = toolPart(part({ [key]: 'function_response' }, { id: 'c1', name: 'look', response: [1] }));
      assert.deepEqual([result?.kind, result?.callId, result?.content], ['result', 'c1', [1]]);
    });
  }

  const named = { id: 'c1', name: 'look' };
  const unread: readonly (readonly [string, Part])[] = [
    ['C088 with the unprefixed key', part({ type: 'function_call' }, named)],
    ['with two of the keys', part({ adk_type: 'function_call', kagent_type: 'function_call' }, named)],
    ['with two of the keys, one of them unknown', part({ adk_type: 'function_call', kagent_type: 'x' }, named)],
    ['of another type of ADK', part({ adk_type: 'executable_code' }, named)],
    ['of the type tool_call', part({ adk_type: 'tool_call' }, named)],
    ['whose type is no string', part({ adk_type: ['function_call'] }, named)],
    ['whose type is inherited', part(Object.create({ adk_type: 'function_call' }), named)],
    ['without metadata', part(undefined, named)],
    ['without a name', part({ adk_type: 'function_call' }, { id: 'c1' })],
    ['with an empty name', part({ adk_type: 'function_call' }, { id: 'c1', name: '' })],
    ['whose name is no string', part({ adk_type: 'function_call' }, { id: 'c1', name: 1 })],
    ['that is a list', part({ adk_type: 'function_call' }, [named])],
    ['that is null', part({ adk_type: 'function_call' }, null)],
    ['that is text', { kind: 'text', text: 'look', thought: false }],
    ['that is a file', { kind: 'other' }],
  ];
  for (const [which, it_] of unread) {
    it(`${which} stays unread`, () => {
      assert.equal(toolPart(it_), undefined);
      assert.equal(isToolPart(it_), false);
    });
  }

  it('may have no id, no arguments, and an id that is none', () => {
    const call = toolPart(part({ adk_type: 'function_call' }, { name: 'look' }));
    assert.deepEqual([call?.callId, call?.content], [undefined, undefined]);
    assert.equal(toolPart(part({ adk_type: 'function_call' }, { id: '', name: 'look' }))?.callId, undefined);
    assert.equal(toolPart(part({ adk_type: 'function_call' }, { id: 7, name: 'look' }))?.callId, undefined);
  });

  it('says the same whatever the order of its keys, and never the same as another kind or order of a list', () => {
    const says = (kind: string, data: unknown) => toolPart(part({ adk_type: `function_${kind}` }, data))?.says;
    const one = says('call', { name: 'f', args: { b: { d: 1, c: 2 }, a: [1, 2] } });
    assert.equal(says('call', { args: { a: [1, 2], b: { c: 2, d: 1 } }, name: 'f' }), one);
    assert.notEqual(says('call', { args: { a: [2, 1], b: { c: 2, d: 1 } }, name: 'f' }), one);
    assert.notEqual(says('response', { args: { a: [1, 2], b: { c: 2, d: 1 } }, name: 'f' }), one);
  });
});
