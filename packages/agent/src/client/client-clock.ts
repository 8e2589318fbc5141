/** Time as a client sees it; real unless given. */
export interface ClientClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs something once, after so many milliseconds; what it returns calls it off. */
  after(ms: number, run: () => void): () => void;
}

export const REAL_CLOCK: ClientClock = {
  now: Date.now,
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Rejects with the signal's reason when it aborts first. */
export function pause(clock: ClientClock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const off = () => {
      callOff();
      reject(signal?.reason);
    };
    const callOff = clock.after(ms, () => {
      signal?.removeEventListener('abort', off);
      resolve();
    });
    signal?.addEventListener('abort', off, { once: true });
    if (signal?.aborted) off();
  });
}
