import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../core/limits.ts';
import { Unfinished } from './unfinished.ts';

test('many large frames at once have one limit together; small ones are let in, and what ends makes room', () => {
  const unfinished = new Unfinished();
  const large = Array.from({ length: LIMITS.unfinishedBytes / LIMITS.frameBytes }, () => unfinished.share());
  for (const share of large) assert.equal(share.grow(LIMITS.frameBytes), undefined);
  const [first, ...others] = large;
  const late = unfinished.share();
  assert.equal(late.grow(LIMITS.smallFrameBytes), undefined);
  assert.equal(late.grow(LIMITS.smallFrameBytes + 1)?.kind, 'unknown');
  late.end();
  // Whoever has let go of some of it is not refused for what the others hold.
  assert.equal(first?.grow(LIMITS.frameBytes - 1), undefined);
  assert.equal(first?.grow(LIMITS.frameBytes), undefined);
  first?.end();
  assert.equal(late.grow(LIMITS.frameBytes), undefined);
  for (const share of [...others, late]) share.end();
  assert.equal(late.grow(LIMITS.frameBytes), undefined);
});
