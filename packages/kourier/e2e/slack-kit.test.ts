import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sharedFolder } from '../../../scripts/shared-folder.ts';
import { folderFor } from './process/product-process.ts';
import { serveWorkspaces } from './slack-kit/workspaces.ts';

const KIT = join(sharedFolder(), 'acceptance');
const skip = existsSync(KIT) ? false : `SKIPPED, nothing shown: there is no acceptance kit at ${KIT}`;
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const ON_SLACK = fileURLToPath(new URL('./slack-kit/kourier-on-slack.ts', import.meta.url));

/** Why a scenario says nothing about Slack. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'sent-idempotency-key': 'a person who writes twice writes two messages',
  'structured-answer-checked': 'a menu has no other choices',
};

/** They wait for what is shown, which in a crowd is late: an app may call Slack only so often. */
const ALONE: readonly string[] = ['questions-answered-twice', 'states-stop'];

/** Its product dies, and what a call to Slack did that it has not heard of is looked for only after a while. */
const DIES = /^ *- (kill|restart)$/m;
const SHOWN_WITHIN = '40s';

for (const [wire, mode] of [
  ['1.0', 'socket'],
  ['0.3', 'http'],
] as const) {
  test(`the acceptance kit, with people on Slack instead of the web, ${mode}, wire ${wire}`, {
    skip,
    timeout: 600_000,
  }, async (t) => {
    const kit = join(folderFor(t), 'kit');
    cpSync(KIT, kit, { recursive: true, filter: (path) => !path.includes('node_modules') });
    symlinkSync(MODULES, join(kit, 'node_modules'));
    const scenarios = readdirSync(join(kit, 'scenarios')).filter((file) =>
      isForSlack(join(kit, 'scenarios', file), wire),
    );
    const workspaces = await serveWorkspaces(t, mode);
    const command = `'${process.execPath}' '${ON_SLACK}' --workspaces '${workspaces}'`;
    const args = ['run.mjs', '--product', command, '--wire', wire, '--jobs', '4'];
    const run = spawn(process.execPath, args, { cwd: kit, stdio: ['ignore', 'pipe', 'inherit'] });
    // It ends its products with itself.
    t.after(() => run.kill());
    const [said, [code]] = await Promise.all([text(run.stdout), once(run, 'exit')]);
    assert.equal(code, 0, said.replace(/^pass .*\n/gm, ''));
    assert.match(said, new RegExp(`^${scenarios.length} passed, 0 failed$`, 'm'));
    t.diagnostic(`${scenarios.length} scenarios`);
  });
}

/** Writes its people and platform as they are on Slack; takes away what says nothing there. */
function isForSlack(path: string, wire: string): boolean {
  const scenario = readFileSync(path, 'utf8');
  const [name = ''] = path.split('/').at(-1)?.split('.') ?? [];
  if (name in OTHERWISE || !isOn(wire, scenario)) {
    rmSync(path);
    return false;
  }
  const alone = ALONE.includes(name) ? 'process: own\n' : '';
  const onSlack = scenario.replace(/\bu(\d)\b/g, 'U$1').replaceAll('platform: web', 'platform: slack');
  const inTime = DIES.test(scenario) ? onSlack.replace(/^( *within): .*$/m, `$1: ${SHOWN_WITHIN}`) : onSlack;
  writeFileSync(path, alone + inTime);
  return true;
}

/** A scenario that names no wire is on each. */
function isOn(wire: string, scenario: string): boolean {
  const wires = /^wires: (.*)$/m.exec(scenario)?.[1];
  return wires === undefined || wires.includes(wire);
}
