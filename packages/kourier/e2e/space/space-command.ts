import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Cleanup, KOURIER } from '../process/product-process.ts';

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `kourier ARGS` in a fresh process, with this of the environment beside PATH. */
export async function kourier(
  t: Cleanup,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child = spawn(process.execPath, [KOURIER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const [out, err, [code]] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
    ended,
  ]);
  return { code: code as number | null, out: out.join(''), err: err.join('') };
}
