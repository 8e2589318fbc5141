import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from '../../src/core/thread/entry.ts';
import { EventReader } from '../../src/http/fixtures/event-reader.ts';
import { folderFor, ProductProcess } from '../process/product-process.ts';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

/** `Settings.spec.timings`. */
export type Timings = Readonly<Record<string, string | number>>;

/** The waits of the contract, so short that a test is over in a moment. `streamIdle` leaves room for a busy machine. */
const TIMINGS: Timings = {
  streamIdle: '4s',
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
  readonly #ends: (() => unknown)[] = [];
  readonly #endsWith = { after: (end: () => unknown): void => void this.#ends.push(end) };
  readonly #folder = folderFor(this.#endsWith);
  #process: ProductProcess | undefined;

  constructor(bindings: readonly Bound[], timings: Timings = TIMINGS) {
    const settings = { ...API, kind: 'Settings', metadata: { name: 'settings' }, spec: { timings } };
    const all = [settings, ...bindings.flatMap(documentsOf)].map((document) => JSON.stringify(document));
    writeFileSync(join(this.#folder, 'kourier.yaml'), all.join('\n---\n'));
  }

  static async for(bindings: readonly Bound[]): Promise<Product> {
    const product = new Product(bindings);
    await product.start();
    return product;
  }

  async start(): Promise<void> {
    const where = ['--config', join(this.#folder, 'kourier.yaml'), '--data', join(this.#folder, 'data')];
    this.#process = await ProductProcess.start(this.#endsWith, ...where);
  }

  /** As a machine that loses its power: nothing is said, nothing is closed. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end();
  }

  get #url(): string {
    assert.ok(this.#process, 'it was not started');
    return this.#process.url;
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
