// What README promises of the first minute: `first-start.ts COMMAND...` starts the product on a free port and an empty
// folder, waits for its line, looks at the page, carries one message to the demo agent, stops it, and wants exit code 0.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownPort } from '../packages/agent/test/own-port.ts';

const READY = /^kourier: ready on (http:\/\/\S+)$/;
const STOP_MS = 10_000;

const [file = '', ...args] = process.argv.slice(2);
const port = await ownPort();
const data = mkdtempSync(join(tmpdir(), 'first-start-'));
const product = spawn(file, [...args, '--port', String(port), '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit'],
  detached: true,
});
process.once('exit', killGroup);
process.once('SIGTERM', () => process.exit(1));

const origin = await ready();
product.stdout.resume();
expect('the line names the port', origin === `http://127.0.0.1:${port}`);
expect('GET /readyz answers 200', (await fetch(`${origin}/readyz`)).status === 200);
const page = await fetch(`${origin}/`);
expect('GET / is the page', page.status === 200 && (await page.text()).includes('<html'));
expect('the demo agent answers', (await answer()).length > 0);

product.kill('SIGTERM');
const stopped = once(product, 'exit', { signal: AbortSignal.timeout(STOP_MS) }).then(([code]) => code as number | null);
expect(`SIGTERM: exit code 0 within ${STOP_MS / 1_000} s`, (await stopped.catch(() => null)) === 0);
rmSync(data, { recursive: true });
process.exit();

function expect(what: string, holds: boolean): void {
  console.log(`${holds ? 'ok    ' : 'FAILED'} ${what}`);
  if (!holds) process.exit(1);
}

/** Whatever is left of npm, its shell and the product. */
function killGroup(): void {
  try {
    process.kill(-Number(product.pid), 'SIGKILL');
  } catch {
    // nothing is left
  }
}

async function ready(): Promise<string> {
  for await (const line of createInterface({ input: product.stdout })) {
    console.log(line);
    const origin = READY.exec(line)?.[1];
    if (origin !== undefined) return origin;
  }
  console.log('FAILED it ended before it was ready');
  process.exit(1);
}

async function answer(): Promise<string> {
  const { bindings } = await json<{ bindings: { name: string }[] }>('GET', '/api/v1/bindings');
  const body = { binding: bindings[0]?.name, text: 'Hello', actor: { id: 'u1', name: 'Ada' } };
  const { thread } = await json<{ thread: string }>('POST', '/api/v1/threads', body);
  const deadline = AbortSignal.timeout(120_000);
  while (!deadline.aborted) {
    const { status, entries } = await json<{ status: string; entries: { kind: string; text?: string }[] }>(
      'GET',
      `/api/v1/threads/${thread}`,
    );
    const text = entries
      .filter(({ kind }) => kind === 'answer')
      .map((entry) => entry.text ?? '')
      .join('');
    if (status === 'idle' && text !== '') return text;
    await sleep(100);
  }
  return '';
}

async function json<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(origin + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}
