import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** An author's file, run and checked by what an author has: the published packages, and no file of this repository. */
const AUTHOR = `
import { AgentBuilder, type Piece, serveAgent } from '@agentkourier/agent';
import { readCard } from '@agentkourier/a2a/card';

const agent = new AgentBuilder({ name: 'Echo', description: 'Says it again.' }).answer(async function* ({ text }) {
  const piece: Piece = text;
  yield piece;
});
const { url, close } = await serveAgent(agent);
const card: unknown = await (await fetch(\`\${url}/.well-known/agent-card.json\`)).json();
process.stdout.write(readCard(card).kind);
await close();
`;

test('the published packages install without anything else, run as JavaScript, and have types', {
  timeout: 600_000,
}, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'published-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (cwd: string, command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const packed = run(ROOT, process.execPath, 'scripts/pack.ts', join(folder, 'out')).trim().split('\n');
  assert.equal(packed.length, 2);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'agent.ts'), AUTHOR);
  run(project, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...packed);
  assert.equal(run(project, process.execPath, 'agent.ts'), 'card');
  cpSync(join(ROOT, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'), { recursive: true });
  cpSync(join(ROOT, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'), { recursive: true });
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  run(project, join(ROOT, 'node_modules/.bin/tsc'), ...options, 'agent.ts');
  const { dependencies } = JSON.parse(
    readFileSync(join(project, 'node_modules/@agentkourier/agent/package.json'), 'utf8'),
  );
  assert.deepEqual(Object.keys(dependencies), ['@agentkourier/a2a']);
});
