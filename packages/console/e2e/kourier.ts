import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ownPort } from '../../agent/test/own-port.ts';

const BINARY = join(import.meta.dirname, '..', '..', 'kourier', 'bin', 'kourier.mjs');

/** The real product with a data folder of its own, as a person starts it. */
export class Kourier {
  readonly #folder: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  readonly #port: number;

  private constructor(folder: string, port: number, args: readonly string[]) {
    this.#port = port;
    this.#folder = folder;
    this.#args = args;
  }

  /** `args` of `kourier up`, such as `--config FILE`. */
  static async start(...args: readonly string[]): Promise<Kourier> {
    const kourier = new Kourier(await mkdtemp(join(tmpdir(), 'kourier-console-')), await ownPort(), args);
    try {
      await kourier.start();
    } catch (error) {
      await kourier.remove();
      throw error;
    }
    return kourier;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the port and the data of before, so that a page finds it again. */
  async start(): Promise<void> {
    const args = [BINARY, 'up', '--port', `${this.#port}`, '--data', this.#folder, ...this.#args];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    const errors: string[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('kourier: ready on ')) continue;
      // What it goes on to print is thrown away, so that it never waits for a reader.
      child.stdout.resume();
      return;
    }
    throw new Error(`kourier ended before it was ready: ${errors.join('')}`);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
