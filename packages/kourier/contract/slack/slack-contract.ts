import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PEOPLE, REFUSALS } from './contract-answers.ts';
import type { Case, SlackBench } from './contract-case.ts';
import { MARKERS, POSTS } from './contract-posts.ts';

const CASES: readonly Case[] = [...POSTS, ...MARKERS, ...REFUSALS, ...PEOPLE];

/** What this Slack leaves out, each by the name of its test; a part that is there after all fails. */
export interface Omissions {
  readonly leavesOut?: readonly string[];
}

/** What the product relies on, in the words of the official client: the same script for our fake and for foreign Slacks. */
export function slackContract(
  name: string,
  makeBench: () => Promise<SlackBench>,
  { leavesOut = [] }: Omissions = {},
): void {
  describe(`Slack contract: ${name}`, () => {
    for (const left of leavesOut)
      assert.ok(
        CASES.some(([what]) => what === left),
        `there is no case "${left}"`,
      );
    for (const [what, body] of CASES) {
      const leftOut = leavesOut.includes(what);
      test(leftOut ? `does not: ${what}` : what, async () => {
        const bench = await makeBench();
        try {
          if (leftOut) await assert.rejects(body(bench), 'it does: take it off the list');
          else await body(bench);
        } finally {
          await bench.close();
        }
      });
    }
  });
}
