/** Work that several wait for: each may leave at its own signal, and it is called off when the last one has left. */
export class SharedWork<T> {
  readonly #cut = new AbortController();
  readonly #done: Promise<T>;
  #waiting = 0;
  #state: 'under-way' | 'done' | 'lost' = 'under-way';

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#done = work(this.#cut.signal);
    this.#done.then(
      () => {
        this.#state = 'done';
      },
      () => {
        this.#state = 'lost';
      },
    );
  }

  /** It failed or was called off, and is to be begun anew. */
  get lost(): boolean {
    return this.#state === 'lost';
  }

  /** Rejects as the work does, or with the signal's reason. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await unlessAborted(this.#done, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && this.#state === 'under-way') {
        this.#state = 'lost';
        this.#cut.abort();
      }
    }
  }
}

/** Waits for it no longer than until the signal aborts; then rejects with the signal's reason. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const off = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', off, { once: true });
  if (signal.aborted) off();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', off);
  }
}
