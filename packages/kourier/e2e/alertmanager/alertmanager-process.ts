import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const ALERTMANAGER = 'prometheus-alertmanager';

export const isInstalled = (): boolean => spawnSync(ALERTMANAGER, ['--version']).status === 0;

export interface FiringAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Waits as short as they go: everything that Alertmanager waits for is over in a moment. */
const configuration = (hook: string): string => `route:
  receiver: kourier
  group_by: [alertname]
  group_wait: 50ms
  group_interval: 300ms
  repeat_interval: 300ms
receivers:
  - name: kourier
    webhook_configs: [{ url: '${hook}', send_resolved: true }]
`;

/** Debian's Alertmanager in a process of its own, on a free port, with a folder of its own. */
export class AlertmanagerProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, url: string) {
    this.#child = child;
    this.#folder = folder;
    this.url = url;
  }

  static async start(hook: string): Promise<AlertmanagerProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'kourier-alertmanager-'));
    const file = join(folder, 'alertmanager.yml');
    writeFileSync(file, configuration(hook));
    const flags = [`--config.file=${file}`, `--storage.path=${join(folder, 'data')}`, '--cluster.listen-address='];
    const child = spawn(ALERTMANAGER, [...flags, '--web.listen-address=127.0.0.1:0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said: string[] = [];
    const lines = createInterface({ input: child.stderr });
    const listens = new Promise<string>((resolve) => {
      lines.on('line', (line) => {
        said.push(line);
        const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    const address = await Promise.race([listens, once(child, 'exit').then(() => undefined)]);
    assert.ok(address, `it did not start: ${said.join('\n')}`);
    return new AlertmanagerProcess(child, folder, `http://${address}`);
  }

  /** As Prometheus says that alerts fire: from now on. */
  async fire(...alerts: readonly FiringAlert[]): Promise<void> {
    await this.#post(alerts);
  }

  /** As Prometheus says that they are over. */
  async resolve(...alerts: readonly FiringAlert[]): Promise<void> {
    await this.#post(alerts.map((alert) => ({ ...alert, endsAt: new Date().toISOString() })));
  }

  /** As a person does by hand. */
  async amtool(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('amtool', [`--alertmanager.url=${this.url}`, ...args]);
    return stdout;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null) {
      const ended = once(this.#child, 'exit');
      this.#child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #post(alerts: readonly object[]): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${this.url}/api/v2/alerts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(alerts),
    });
    assert.equal(response.status, 200, await response.text());
  }
}
