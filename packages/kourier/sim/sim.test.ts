import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { MARKS, type Mark } from './marks.ts';
import { runSeed } from './run-seed.ts';

const SEEDS = 250;

const failed = readFileSync(new URL('seeds.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => Number(line.split(' ', 1)[0]));

async function mustHold(seed: number): Promise<ReadonlySet<Mark>> {
  const { findings, swarm, last, marks } = await runSeed(seed);
  assert.deepEqual(findings, [], `npm run sim -- --seed ${seed} --log\n${swarm}\n${last.join('\n')}`);
  return marks;
}

describe('the promises hold', () => {
  test('in every seed that ever failed', async () => {
    assert.ok(failed.length > 0);
    for (const seed of failed) await mustHold(seed);
  });

  test(`in ${SEEDS} seeds, which see everything that can happen`, async () => {
    const seen = new Set<Mark>();
    for (let seed = 1; seed <= SEEDS; seed++) for (const mark of await mustHold(seed)) seen.add(mark);
    assert.deepEqual(
      MARKS.filter((mark) => !seen.has(mark)),
      [],
    );
  });
});

describe('a seed tells one story', () => {
  test('the same again, step for step', async () => {
    for (const seed of [1, 7, 34, 101]) {
      const [once, again] = [await runSeed(seed), await runSeed(seed)];
      assert.equal(again.hash, once.hash);
      assert.equal(again.steps, once.steps);
    }
  });

  test('another seed another one', async () => {
    const hashes = new Set<string>();
    for (let seed = 1; seed <= 10; seed++) hashes.add((await runSeed(seed)).hash);
    assert.equal(hashes.size, 10);
  });
});
