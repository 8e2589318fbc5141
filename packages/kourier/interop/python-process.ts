import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adkEnvironment } from './python-environment.ts';

export interface PythonProcess {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a script of this folder that says `ready URL` once it listens. `sdk`: the a2a-sdk that it finds. */
export async function pythonProcess(script: string, args: readonly string[], sdk: '1' | '0.3'): Promise<PythonProcess> {
  const { python, overlay } = await adkEnvironment();
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(python, ['-W', 'ignore', '-B', file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(sdk === '0.3' ? { PYTHONPATH: overlay } : {}) },
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  const url = /^ready (\S+)$/.exec(String(line))?.[1];
  assert.ok(url, `the agent did not start: ${errors.join('\n')}`);
  return {
    url,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
