import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const STARTS = /^(npm start|(npx )?kourier (up|a2a serve|space serve)|node .*\bserve)\b/;
const READY = /(?:ready|serving|listening)\b.*?(http:\/\/[\w.[\]:-]+)/i;
const SHOWN_ORIGIN = /http:\/\/(127\.0\.0\.1|localhost):8080/g;

/** One visit of a page: its commands run in the repository, what they start runs on, on a free port and in a new folder. */
export class Visit {
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-'));
  readonly #started: ChildProcess[] = [];
  #origin = 'http://127.0.0.1:8080';

  async perform(shown: string): Promise<void> {
    const text = shown.replaceAll(SHOWN_ORIGIN, this.#origin);
    if (STARTS.test(text)) await this.#start(text);
    else await this.#run(text);
  }

  async end(): Promise<void> {
    for (const child of this.#started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      const gone = once(child, 'exit');
      process.kill(-Number(child.pid), 'SIGTERM'); // its group: npm, its shell and the product
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #run(text: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      execFile('sh', ['-c', text], { timeout: 50_000 }, (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`${text}\n${stdout}${stderr}`, { cause: error }));
      });
    });
  }

  /** Resolves when it says that it is ready; fails when it ends before. */
  async #start(text: string): Promise<void> {
    const options = `${text.includes(' --port ') ? '' : ' --port 0'}${/ up\b|npm start/.test(text) ? ` --data ${this.#folder}` : ''}`;
    const separator = text.startsWith('npm ') && !text.includes(' -- ') ? ' --' : '';
    const child = spawn('sh', ['-c', `exec ${text}${separator}${options}`], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    const said: string[] = [];
    this.#origin = await new Promise<string>((resolve, reject) => {
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on('line', (line) => {
          said.push(line);
          const origin = READY.exec(line)?.[1];
          if (origin !== undefined) resolve(origin);
        });
      }
      child.once('close', () => reject(new Error(`${text} ended before it was ready:\n${said.join('\n')}`)));
    });
  }
}
