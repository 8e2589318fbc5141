import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const KOURIER = fileURLToPath(new URL('../../bin/kourier.mjs', import.meta.url));

export interface Cleanup {
  after(end: () => unknown): void;
}

/** A folder that is gone when the test is over. */
export function folderFor(t: Cleanup): string {
  const folder = mkdtempSync(join(tmpdir(), 'kourier-e2e-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** `kourier up` in a process of its own, from its line of readiness to its end. */
export class ProductProcess {
  readonly url: string;
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly #errors: Interface;
  readonly #child: ChildProcess;
  readonly #end: Promise<unknown[]>;

  private constructor(child: ChildProcess, lines: Lines, url: string) {
    this.#child = child;
    this.#end = lines.end;
    this.out = lines.out;
    this.err = lines.err;
    this.#errors = lines.errors;
    this.url = url;
  }

  /** Ready when this resolves; killed when the test is over. */
  static start(t: Cleanup, ...args: readonly string[]): Promise<ProductProcess> {
    return ProductProcess.#start(t, [], args);
  }

  /** The same with so little room for its objects that it dies when it keeps what it must not keep. */
  static startWithin(t: Cleanup, heapMebibytes: number, ...args: readonly string[]): Promise<ProductProcess> {
    return ProductProcess.#start(t, [`--max-old-space-size=${heapMebibytes}`], args);
  }

  static async #start(t: Cleanup, node: readonly string[], args: readonly string[]): Promise<ProductProcess> {
    const all = [...node, KOURIER, 'up', '--port', '0', ...args];
    const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] });
    const end = once(child, 'close');
    t.after(async () => {
      child.kill('SIGKILL');
      await end;
    });
    const [out, err]: [string[], string[]] = [[], []];
    const errors = createInterface({ input: child.stderr });
    errors.on('line', (line) => err.push(line));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => out.push(line));
    const ready = await Promise.race([once(lines, 'line'), end]);
    const url = /^kourier: ready on (http:\/\/127\.0\.0\.1:\d+)$/.exec(String(ready[0]))?.[1];
    assert.ok(url, `it did not start: ${err.join('\n')}`);
    return new ProductProcess(child, { end, out, err, errors }, url);
  }

  /** Its exit code once it has ended; `null` when a signal ended it. */
  async ended(): Promise<number | null> {
    return (await this.#end)[0] as number | null;
  }

  /** The first line of its standard error that is like this, said already or later. */
  async complained(pattern: RegExp): Promise<string> {
    for (;;) {
      const line = this.err.find((line) => pattern.test(line));
      if (line !== undefined) return line;
      const more = await Promise.race([once(this.#errors, 'line'), this.#end.then(() => undefined)]);
      if (more === undefined) throw new Error(`it ended without ${pattern}: ${this.err.join('\n')}`);
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As a machine that loses its power: nothing is said, nothing is closed. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }

  /** The most memory that it has ever held (resident, Linux only). */
  peakMebibytes(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
  }
}

interface Lines {
  readonly end: Promise<unknown[]>;
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly errors: Interface;
}
