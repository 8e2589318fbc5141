import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';

/** Runs an example on a free port until the test is over; where it is. */
export async function startExample(t: TestContext, file: string, env: Record<string, string>): Promise<string> {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path], {
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.after(async () => {
    child.kill();
    await once(child, 'exit');
  });
  assert(child.stdout);
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const url = /ready on (http:\S+)/.exec(line)?.[1];
  assert(url, line);
  return url;
}
