import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LineProcess } from './line-process.ts';
import { type Cleanup, folderFor, KOURIER } from './product-process.ts';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

export interface RegisteredAgent {
  readonly card: { readonly url: string } | { readonly inline: object };
  readonly disabled?: true;
}

/** `kourier space serve` in a process of its own: the Space `space-demo`, its agents by configuration, and one key. */
export class SpaceProcess {
  /** As a caller of the Space. */
  readonly key: string;
  readonly #t: Cleanup;
  readonly #folder: string;
  readonly #apiKey: string;
  #process: LineProcess | undefined;
  #port = '0';

  constructor(t: Cleanup) {
    this.#t = t;
    this.#folder = folderFor(t);
    const args = [
      KOURIER,
      'space',
      'key',
      '--name',
      'courier',
      '--tenant',
      'default',
      '--space-id',
      'space-demo:caller',
    ];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    this.key = stdout.trim();
    this.#apiKey = stderr;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** At the port of the first time, once there was one. Resolves when the cards of its agents have been read. */
  async start(agents: Readonly<Record<string, RegisteredAgent>>): Promise<void> {
    const documents = [
      { ...API, kind: 'Space', metadata: { name: 'space-demo' }, spec: {} },
      ...Object.entries(agents).map(([name, spec]) => ({
        ...{ ...API, kind: 'SpaceAgent', metadata: { name } },
        spec: { space: 'space-demo', ...spec },
      })),
    ];
    const config = join(this.#folder, 'space.yaml');
    writeFileSync(config, `${documents.map((document) => JSON.stringify(document)).join('\n---\n')}\n${this.#apiKey}`);
    const data = ['--data', join(this.#folder, 'data')];
    const all = [KOURIER, 'space', 'serve', '--config', config, ...data, '--port', this.#port];
    this.#process = new LineProcess(this.#t, ...all);
    const [, port = ''] = await this.#process.printed(/^kourier: ready on http:\/\/127\.0\.0\.1:(\d+)$/);
    this.#port = port;
  }

  /** What the Space itself would say. */
  async route(text: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${this.url}/api/v1/spaces/space-demo/route`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return (await response.json()) as Record<string, unknown>;
  }

  async kill(): Promise<void> {
    await this.#process?.kill();
  }
}
