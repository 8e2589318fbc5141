import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

const HERE = import.meta.url;
const LOG = `import { machineLog } from ${JSON.stringify(new URL('log.ts', HERE).href)};\nconst log = machineLog();\n`;
const CRASH = `${LOG}import { crashOnUncaught } from ${JSON.stringify(new URL('crash.ts', HERE).href)};\ncrashOnUncaught(log);\n`;
const STOP = `${LOG}import { stopSignal } from ${JSON.stringify(new URL('stop-signal.ts', HERE).href)};\nsetInterval(() => {}, 1_000);\n`;

interface Child {
  /** The next line that it writes to standard error. */
  line(): Promise<string>;
  signal(name: NodeJS.Signals): void;
  ended(): Promise<{ readonly code: number | null; readonly lines: readonly string[] }>;
}

function run(script: string): Child {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr });
  reader.on('line', (line) => lines.push(line));
  const end = once(child, 'close');
  return {
    line: async () => String((await once(reader, 'line'))[0]),
    signal: (name) => void child.kill(name),
    ended: async () => ({ code: (await end)[0] as number | null, lines }),
  };
}

for (const [title, throwing] of [
  ['an exception', 'setImmediate(() => { throw new RangeError("hush") })'],
  ['a rejection', 'Promise.reject(Object.assign(new RangeError("hush"), { code: "E_X" }))'],
  ['what is no error', 'Promise.reject("hush")'],
] as const) {
  test(`${title} that nobody caught ends the process with exit code 1, and its words are not logged`, async () => {
    const { code, lines } = await run(CRASH + throwing).ended();
    assert.equal(code, 1);
    assert.equal(lines.length, 1);
    const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    assert.equal(line['event'], 'crashed');
    assert.equal(line['name'], throwing.includes('RangeError') ? 'RangeError' : 'string');
    if (throwing.includes('E_X')) assert.equal(line['code'], 'E_X');
    assert.doesNotMatch(lines.join(), /hush/);
  });
}

test('the first signal is a wish, which may come twice; what does not end by itself is ended', async () => {
  const script = `stopSignal(log, { graceMs: 1 }).then((signal) => console.error('told', signal));\nconsole.error('up');`;
  const child = run(STOP + script);
  assert.equal(await child.line(), 'up');
  child.signal('SIGINT');
  child.signal('SIGTERM');
  const { code, lines } = await child.ended();
  assert.equal(code, 0);
  assert.match(lines.join('\n'), /told SIG(INT|TERM)\n.*"event":"stop-timed-out"/);
});

test('C181 a second wish ends the process at once', async () => {
  const script = `stopSignal(log, { graceMs: 3_600_000, sameWishMs: 0 }).then(() => console.error('told'));\nconsole.error('up');`;
  const child = run(STOP + script);
  assert.equal(await child.line(), 'up');
  child.signal('SIGTERM');
  assert.equal(await child.line(), 'told');
  child.signal('SIGTERM');
  const { code, lines } = await child.ended();
  assert.equal(code, 143);
  assert.match(lines.at(-1) ?? '', /"event":"stopped-at-once"/);
});
