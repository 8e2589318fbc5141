import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const STARTS = /^(\w+=\S* )*(npm start|(npx )?kourier (up|a2a serve|space serve)|(npx )?node examples\/)/;
const READY = /(?:ready|serving|listening)\b.*?(http:\/\/[\w.[\]:-]+)/i;
/** `NAME=$(…)` alone on its line: what later lines name as `$NAME`. */
const ASSIGNS = /^([A-Z_]+)=\$\(.*\)$/s;
/** What all later lines have in their environment. */
const EXPORTS = /^export( [A-Z_]+=\S+)+$/;
const SHOWN_ORIGIN = /http:\/\/(?:127\.0\.0\.1|localhost):(\d{4})/g;
/** The ports that a page shows for what it starts. */
const SHOWN_PORTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/kourier space serve/, ['8090']],
  [/kourier a2a serve/, ['8094']],
  [/./, ['8080', '9001']],
];

/** One visit of a page: its commands run in the repository, what they start runs on, on a free port and in a new folder. */
export class Visit {
  readonly #folder = mkdtempSync(join(tmpdir(), 'docs-'));
  readonly #started: ChildProcess[] = [];
  readonly #variables: Record<string, string> = {};
  readonly #origins = new Map<string, string>();

  async perform(shown: string): Promise<void> {
    const text = shown.replaceAll(SHOWN_ORIGIN, (origin, port: string) => this.#origins.get(port) ?? origin);
    const [, name] = ASSIGNS.exec(text) ?? [];
    if (STARTS.test(text)) await this.#start(text);
    else if (EXPORTS.test(text)) this.#export(text);
    else if (name === undefined) await this.#run(text);
    else this.#variables[name] = await this.#run(`${text}; test -n "$${name}" && printf %s "$${name}"`);
  }

  async end(): Promise<void> {
    for (const child of this.#started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
      const gone = once(child, 'close'); // and nothing holds its output any more
      process.kill(-Number(child.pid), 'SIGTERM'); // its group: npm, its shell and the product
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #export(text: string): void {
    for (const [, name = '', value = ''] of text.matchAll(/ ([A-Z_]+)=(\S+)/g)) this.#variables[name] = value;
  }

  /** Resolves with its standard output. */
  #run(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const env = { ...process.env, ...this.#variables };
      execFile('sh', ['-c', text], { timeout: 240_000, env }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${text}\n${stdout}${stderr}`, { cause: error }));
      });
    });
  }

  /** Resolves when it says that it is ready; fails when it ends before. */
  async #start(text: string): Promise<void> {
    const child = spawn('sh', ['-c', this.#onFreePort(text)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PORT: '0' }, // the agents of the examples take theirs from here
    });
    this.#started.push(child);
    const said: string[] = [];
    const origin = await new Promise<string>((resolve, reject) => {
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on('line', (line) => {
          said.push(line);
          const origin = READY.exec(line)?.[1];
          if (origin !== undefined) resolve(origin);
        });
      }
      child.once('close', () => reject(new Error(`${text} ended before it was ready:\n${said.join('\n')}`)));
    });
    const [, ports = []] = SHOWN_PORTS.find(([command]) => command.test(text)) ?? [];
    for (const port of ports) this.#origins.set(port, origin);
  }

  #onFreePort(text: string): string {
    if (!/npm start|kourier /.test(text)) return text;
    const port = text.includes(' --port ') ? '' : ' --port 0';
    const data = /npm start| up\b| space serve/.test(text) ? ` --data ${this.#folder}` : '';
    return `${text}${text.startsWith('npm ') && !text.includes(' -- ') ? ' --' : ''}${port}${data}`;
  }
}
