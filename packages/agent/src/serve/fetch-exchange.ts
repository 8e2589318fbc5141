import type { Asked, Sink } from './sink.ts';

/** A standard request. */
export function fetchAsked(request: Request, basePath: string): Asked | undefined {
  const { pathname, search, searchParams } = new URL(request.url);
  if (!pathname.startsWith(basePath)) return undefined;
  return {
    method: request.method,
    path: pathname.slice(basePath.length),
    query: searchParams,
    target: pathname + search,
    header: (name) => request.headers.get(name) ?? undefined,
    body: (limit) => readBytes(request, limit),
  };
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) return undefined;
  // Read by somebody before the agent, and gone.
  if (request.bodyUsed) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.length;
    if (bytes > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A standard response of these statuses may not even have an empty body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

const ENCODER = new TextEncoder();

/** The answer as a standard response: its body is read as fast as the reader reads, and no faster. */
export class FetchSink implements Sink {
  /** Resolves as soon as the head is known; rejects when the agent breaks off before it said anything. */
  readonly response: Promise<Response>;
  readonly #respond: (response: Response) => void;
  readonly #refuse: (reason: Error) => void;
  readonly #drains: (() => void)[] = [];
  readonly #closes: (() => void)[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #over = false;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    this.response = promise;
    this.#respond = resolve;
    this.#refuse = reject;
  }

  get over(): boolean {
    return this.#over;
  }

  get waiting(): number {
    return -(this.#controller?.desiredSize ?? 0);
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    // Nothing is wanted ahead of what was read, so that what is enqueued is what waits.
    const strategy = { highWaterMark: 0, size: (chunk: Uint8Array) => chunk.byteLength };
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          for (const listener of this.#drains) listener();
        },
        cancel: () => this.#close(),
      },
      strategy,
    );
    this.#respond(new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers }));
  }

  write(chunk: string): void {
    if (!this.#over) this.#controller?.enqueue(ENCODER.encode(chunk));
  }

  end(chunk?: string): void {
    if (this.#over) return;
    if (chunk !== undefined && chunk !== '') this.write(chunk);
    this.#controller?.close();
    this.#close();
  }

  destroy(): void {
    if (this.#over) return;
    const reason = new Error('the agent broke off');
    this.#controller?.error(reason);
    // Without a head, whoever waits for one would wait for ever; with one, this says nothing new.
    this.#refuse(reason);
    this.#close();
  }

  onDrain(listener: () => void): void {
    this.#drains.push(listener);
  }

  onClose(listener: () => void): void {
    if (this.#over) listener();
    else this.#closes.push(listener);
  }

  /** The reader has left before there was anything to read. */
  leave(): void {
    this.#close();
  }

  #close(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#closes) listener();
  }
}
