// Every command that a document shows is run, in its order: what stands in a `sh` block and does not work fails here.
// A page is one visit: what it starts keeps running until its end, on a port and in a folder of its own.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { type Command, commandsIn } from './commands-in.ts';
import { Visit } from './visit.ts';

const PAGES = ['README.md', 'CONTRIBUTING.md', 'bench/README.md', ...globSync('{docs,examples}/**/*.md').sort()];

/** Run by `.ci/run`, since they run this test, or replace what it stands on, or take long. */
const RUN_BY_CI = ['npm ci', 'npm test', 'npm run check', 'npm run e2e', 'npm run interop'];
/** They take minutes, change files, or run this test. */
const RUN_BY_HAND = ['npm run bench', 'npm run format', '.ci/run'];

for (const page of PAGES.filter((file) => existsSync(file))) {
  describe(page, () => {
    const visit = new Visit();
    after(() => visit.end());
    for (const command of commandsIn(page, readFileSync(page, 'utf8'))) {
      test(`${command.at}: ${command.text}`, { timeout: 300_000 }, async (t) => {
        const reason = notRun(command);
        if (reason === undefined) await visit.perform(command.text);
        else t.skip(reason);
      });
    }
  });
}

function notRun({ text, skip }: Command): string | undefined {
  if (skip !== undefined) return skip;
  const isOneOf = (commands: readonly string[]): string | undefined =>
    commands.find((command) => text === command || text.startsWith(`${command} `));
  if (isOneOf(RUN_BY_HAND) !== undefined) return 'run by hand';
  const byCi = isOneOf(RUN_BY_CI);
  if (byCi === undefined) return undefined;
  assert.match(readFileSync('.ci/run', 'utf8'), new RegExp(byCi), `${byCi} is run by .ci/run`);
  return 'run by .ci/run';
}
