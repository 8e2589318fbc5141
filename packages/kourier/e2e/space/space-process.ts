import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownPort } from '../../../agent/test/own-port.ts';
import { apiKeySha256, apiKeyText } from '../../src/adapters/identity/api-key/api-key.ts';
import type { Role } from '../../src/core/access/principal.ts';
import { LineProcess } from '../process/line-process.ts';
import { type Cleanup, folderFor, KOURIER } from '../process/product-process.ts';

/** A document of the configuration. */
export const documentOf = (kind: string, name: string, spec: object): object => ({
  apiVersion: 'agentkourier.dev/v1alpha1',
  kind,
  metadata: { name },
  spec,
});

/** The key of a principal; the same each time, so that nobody needs to be told. */
export const keyOf = (name: string): string => apiKeyText(name, Buffer.alloc(32, name));

export function apiKey(name: string, tenant: string, grants: Readonly<Record<string, Role>>): object {
  const given = Object.entries(grants).map(([space, role]) => ({ space, role }));
  return documentOf('ApiKey', name, { tenant, sha256: apiKeySha256(keyOf(name)), grants: given });
}

export interface SpacePlace {
  /** Of configuration and data; a new one unless given. */
  readonly folder?: string;
  readonly port?: number;
  /** Arguments of Node's own. */
  readonly node?: readonly string[];
}

/** `kourier space serve` in a process of its own, with its configuration; it is started again at the same place. */
export class SpaceProcess {
  readonly folder: string;
  readonly url: string;
  readonly #t: Cleanup;
  readonly #place: SpacePlace;
  #process: LineProcess | undefined;
  #configured = 0;

  private constructor(t: Cleanup, place: SpacePlace, port: number) {
    this.#t = t;
    this.#place = place;
    this.folder = place.folder ?? folderFor(t);
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Ready when this resolves; killed when the test is over. */
  static async start(
    t: Cleanup,
    documents: readonly object[] | ((url: string) => readonly object[]),
    place: SpacePlace = {},
  ): Promise<SpaceProcess> {
    const space = await SpaceProcess.configured(t, documents, place);
    await space.startAgain();
    return space;
  }

  /** It has its configuration, and is not started. */
  static async configured(
    t: Cleanup,
    documents: readonly object[] | ((url: string) => readonly object[]),
    place: SpacePlace = {},
  ): Promise<SpaceProcess> {
    const space = new SpaceProcess(t, place, place.port ?? (await ownPort()));
    space.configure(typeof documents === 'function' ? documents(space.url) : documents);
    return space;
  }

  async startAgain(): Promise<void> {
    const { port } = new URL(this.url);
    const paths = ['--config', join(this.folder, 'space.yaml'), '--data', join(this.folder, 'data')];
    const node = this.#place.node ?? [];
    this.#process = new LineProcess(this.#t, ...node, KOURIER, 'space', 'serve', '--port', port, ...paths);
    await this.#process.printed(/^kourier: ready on /);
  }

  get process(): LineProcess {
    assert.ok(this.#process);
    return this.#process;
  }

  /** Whole at once: what is half written would be refused. The same again is a change, too, and has all cards read. */
  configure(documents: readonly object[]): void {
    const path = join(this.folder, 'space.yaml');
    this.#configured += 1;
    const text = documents.map((document) => JSON.stringify(document)).join('\n---\n');
    writeFileSync(`${path}.new`, `${text}\n# ${this.#configured}\n`);
    renameSync(`${path}.new`, path);
  }

  /** As a machine that loses its power. */
  kill(): Promise<void> {
    return this.process.kill();
  }

  /** As it is told to by whoever runs it. */
  async stop(): Promise<void> {
    this.process.signal('SIGTERM');
    assert.equal(await this.process.ended(), 0, this.process.lines.join('\n'));
  }

  /** The next line of the log with this event, or one that was written before. */
  async logged(event: string, more = '', count = 1): Promise<void> {
    await this.process.printed(new RegExp(`"event":"${event}".*${more}`), count);
  }
}
