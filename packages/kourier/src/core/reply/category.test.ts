import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Part } from './agent-event.ts';
import { failureCategory } from './category.ts';

const text = (words: string): Part => ({ kind: 'text', text: words, thought: false });
const of = (words: string, codes: string[] = []) =>
  failureCategory({ state: 'failed', codes, message: { role: 'agent', parts: [text(words)], extensions: [] } });

describe('the category of a failed task (E8)', () => {
  const cases: [string, string | undefined][] = [
    ['RateLimitError: 429 Too Many Requests, rate limit exceeded', 'rate-limit'],
    ['RESOURCE_EXHAUSTED: quota', 'rate-limit'],
    ["This model's maximum context length is 8192 tokens", 'context-limit'],
    ['prompt is too long: 210000 tokens > 200000 maximum', 'context-limit'],
    ['The request timed out (timeout)', 'timeout'],
    ['context deadline exceeded', 'timeout'],
    ['401 Unauthorized: invalid api key', 'authentication'],
    ['403 Forbidden', 'permission'],
    ['pods is forbidden: permission denied', 'permission'],
    ['something odd happened', undefined],
    ['took 4291 steps', undefined],
  ];
  for (const [words, category] of cases) {
    it(`${words} is ${category ?? 'none'}`, () => assert.equal(of(words), category));
  }

  it('reads a code before the text', () => {
    assert.equal(of('timed out while waiting', ['context_length_exceeded']), 'context-limit');
  });

  it('reads 4096 characters and 32 parts, no more', () => {
    assert.equal(of(`${'x'.repeat(4_096)} rate limit`), undefined);
    const parts = [...Array.from({ length: 32 }, () => text('x')), text('rate limit')];
    assert.equal(
      failureCategory({ state: 'failed', codes: [], message: { role: 'agent', parts, extensions: [] } }),
      undefined,
    );
  });
});
