import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CANARIES } from './canary.ts';
import { DELIVERY_CANARIES } from './canary-deliveries.ts';
import { runSeed } from './run-seed.ts';

const WITHIN = 300;

describe('the simulator finds what is planted', () => {
  for (const [bug, plant] of Object.entries({ ...CANARIES, ...DELIVERY_CANARIES })) {
    test(bug, async () => {
      for (let seed = 1; seed <= WITHIN; seed++) if ((await runSeed(seed, { plant })).findings.length > 0) return;
      assert.fail(`not found in ${WITHIN} seeds`);
    });
  }
});
