import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Cleanup } from './product-process.ts';

/** A process of its own that is followed by the lines that it prints, on either output; killed when the test is over. */
export class LineProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #end: Promise<unknown[]>;
  readonly #heard = new Set<() => void>();

  constructor(t: Cleanup, ...args: readonly string[]) {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.#end = once(child, 'close');
    for (const input of [child.stdout, child.stderr])
      createInterface({ input }).on('line', (line) => {
        this.lines.push(line);
        for (const heard of this.#heard) heard();
      });
    t.after(() => this.kill());
  }

  /** The first match of a line that is or was printed, the `count`th of them. Rejects when the process ends without. */
  async printed(pattern: RegExp, count = 1): Promise<RegExpExecArray> {
    const found = (): RegExpExecArray | undefined =>
      this.lines.map((line) => pattern.exec(line)).filter((match) => match !== null)[count - 1];
    const end = this.#end.then(() => true);
    for (let match = found(); ; match = found()) {
      if (match !== undefined) return match;
      let heard = (): void => undefined;
      const line = new Promise<false>((resolve) => {
        heard = () => resolve(false);
        this.#heard.add(heard);
      });
      const isOver = await Promise.race([line, end]);
      this.#heard.delete(heard);
      if (isOver && found() === undefined) throw new Error(`it ended without ${pattern}: ${this.lines.join('\n')}`);
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** As a machine that loses its power. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }

  /** Its exit code once it has ended; `null` when a signal ended it. */
  async ended(): Promise<number | null> {
    return (await this.#end)[0] as number | null;
  }
}
