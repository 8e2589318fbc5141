import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clientOf } from './served-agent.ts';

const SCRIPT = fileURLToPath(new URL('stored-agent.ts', import.meta.url));

/** An agent in a process of its own. */
export type AgentProcess = ReturnType<typeof clientOf> & {
  readonly url: string;
  readonly process: ChildProcess;
  /** At once, as a machine that fails. */
  kill(): Promise<void>;
};

/** Rejects with what the process said when it does not come up. */
export async function startAgent(t: TestContext, ...args: string[]): Promise<AgentProcess> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const gone = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  t.after(kill);
  const lines = createInterface(child.stdout);
  const first = await Promise.race([once(lines, 'line'), gone.then(() => undefined)]);
  if (first === undefined) throw new Error(said);
  const url = String(first[0]);
  return { ...clientOf(url), url, process: child, kill };
}
