import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Entry } from '../../src/core/thread/entry.ts';
import { EventReader } from '../../src/http/fixtures/event-reader.ts';

const KOURIER = fileURLToPath(new URL('../../bin/kourier.mjs', import.meta.url));
const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

/** The waits of the contract, so short that a test is over in a moment. `streamIdle` leaves room for a busy machine. */
const TIMINGS = {
  streamIdle: '1s',
  streamDropDelay: '20ms',
  followBackoffInitial: '20ms',
  followBackoffMax: '100ms',
  retryBackoffInitial: '20ms',
  retryBackoffMax: '50ms',
  busyNoticeAfter: '150ms',
  cancelAttempts: 2,
};

/** One binding, and the backend that it names: both are called as it is. */
export interface Bound {
  readonly name: string;
  /** As it stands in the AgentBackend. */
  readonly url: string;
  readonly dialect?: 'a2a' | 'kagent-v1';
  readonly userId?: string;
  readonly interactions?: object;
}

export interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The product as a person runs it: the binary, a file of configuration, a data folder. */
export class Product {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kourier-e2e-'));
  readonly #errors: string[] = [];
  #child: ChildProcess | undefined;
  #url = '';

  static async for(bindings: readonly Bound[]): Promise<Product> {
    const product = new Product();
    const documents = [{ ...API, kind: 'Settings', metadata: { name: 'settings' }, spec: { timings: TIMINGS } }];
    const all = [...documents, ...bindings.flatMap(documentsOf)].map((document) => JSON.stringify(document));
    writeFileSync(join(product.#folder, 'kourier.yaml'), all.join('\n---\n'));
    await product.start();
    return product;
  }

  async start(): Promise<void> {
    const where = ['--config', join(this.#folder, 'kourier.yaml'), '--data', join(this.#folder, 'data'), '--port', '0'];
    const child = spawn(process.execPath, [KOURIER, 'up', ...where], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => this.#errors.push(line));
    const ready = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), once(child, 'exit')]);
    const url = /^kourier: ready on (\S+)$/.exec(String(ready[0]))?.[1];
    assert.ok(url, `it did not start: ${this.#errors.join('\n')}`);
    this.#url = url;
  }

  /** As a machine that loses its power: nothing is said, nothing is closed. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async text(path: string): Promise<string> {
    return (await fetch(this.#url + path)).text();
  }

  async get(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path));
  }

  async post(path: string, body: object): Promise<Answered> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Answered['body'] };
  }

  events(thread: string): Promise<EventReader> {
    return EventReader.open(`${this.#url}/api/v1/threads/${thread}/events`);
  }

  async entries(thread: string): Promise<readonly Entry[]> {
    const { entries } = (await this.get(`/api/v1/threads/${thread}`)) as { entries: readonly Entry[] };
    return entries;
  }
}

function documentsOf({ name, url, dialect = 'a2a', userId = 'kourier', interactions }: Bound): readonly object[] {
  const allowed = interactions ?? { questions: { timeout: '1h' }, toolApprovals: { timeout: '1h' } };
  const agent = dialect === 'a2a' ? {} : { agent: { namespace: 'kagent', name: 'k8s' } };
  const binding = { backend: name, ...agent, identity: { userId }, chat: { platform: 'web' }, interactions: allowed };
  return [
    { ...API, kind: 'AgentBackend', metadata: { name }, spec: { dialect, url } },
    { ...API, kind: 'Binding', metadata: { name }, spec: binding },
  ];
}
