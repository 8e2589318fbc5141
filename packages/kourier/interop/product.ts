import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { EventReader } from '../src/http/fixtures/event-reader.ts';

const KOURIER = fileURLToPath(new URL('../bin/kourier.mjs', import.meta.url));

export interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly turnId?: string;
  readonly text?: string;
  readonly streaming?: boolean;
  readonly code?: string;
  readonly category?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly state?: string;
  readonly heading?: string;
  readonly tools?: readonly { readonly id: string; readonly name: string; readonly args?: unknown }[];
}

/** Anyone in the thread may answer and decide. */
const configurationFor = (agentUrl: string): string => `apiVersion: agentkourier.dev/v1alpha1
kind: AgentBackend
metadata: { name: official }
spec: { dialect: a2a, url: ${agentUrl} }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Binding
metadata: { name: official }
spec:
  backend: official
  identity: { userId: interop }
  chat: { platform: web }
  interactions: { questions: { timeout: 1h }, toolApprovals: { timeout: 1h } }
---
apiVersion: agentkourier.dev/v1alpha1
kind: Settings
metadata: { name: settings }
spec: { timings: { streamDropDelay: 50ms, followBackoffInitial: 50ms, retryBackoffInitial: 50ms } }
`;

/** The product as a person runs it: the binary, a file of configuration, a data folder. */
export class Product {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kourier-interop-'));
  readonly #errors: string[] = [];
  #child: ChildProcess | undefined;
  #url = '';

  static async for(agentUrl: string): Promise<Product> {
    const product = new Product();
    writeFileSync(join(product.#folder, 'kourier.yaml'), configurationFor(agentUrl));
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

  async get(path: string): Promise<unknown> {
    return (await fetch(this.#url + path)).json();
  }

  async post(path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.#url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.ok(response.ok, `${path}: HTTP ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  }

  /** A new thread's id. */
  async open(text: string): Promise<string> {
    const { thread } = await this.post('/api/v1/threads', { binding: 'official', text, actor: { id: 'u1' } });
    return String(thread);
  }

  async say(thread: string, text: string): Promise<void> {
    await this.post(`/api/v1/threads/${thread}/messages`, { text, actor: { id: 'u1' } });
  }

  /** Reads the thread's events until it looks as wanted, then the thread itself. */
  async until(thread: string, wanted: (seen: { entries: readonly Entry[]; status: string }) => boolean): Promise<void> {
    const reader = await EventReader.open(`${this.#url}/api/v1/threads/${thread}/events`);
    const entries = new Map<string, Entry>();
    let status = '';
    await reader.until(({ event, data }) => {
      if (event === 'entry') entries.set(data.id, data);
      if (event === 'status') status = data.status;
      return wanted({ entries: [...entries.values()], status });
    });
    reader.close();
  }

  /** The entries of a thread once `turns` turns are settled. */
  async settled(thread: string, turns: number): Promise<readonly Entry[]> {
    await this.until(thread, ({ entries, status }) => status === 'idle' && turnsEnded(entries) === turns);
    const { entries } = (await this.get(`/api/v1/threads/${thread}`)) as { entries: readonly Entry[] };
    return entries;
  }
}

/** A turn has ended when nothing of it streams and it has an answer or a notice. */
function turnsEnded(entries: readonly Entry[]): number {
  if (entries.some(({ streaming }) => streaming === true)) return 0;
  return new Set(entries.filter(({ kind }) => kind !== 'message').map(({ turnId }) => turnId)).size;
}
