import type { Log } from './log.ts';

export interface StopOptions {
  /** What the process has to end by itself. */
  readonly graceMs: number;
  /** npm and a terminal both pass a signal on: one Ctrl-C can come twice, so close together. 1 s when absent. */
  readonly sameWishMs?: number;
}

/**
 * Resolves with the first SIGTERM or SIGINT. From then on the process has `graceMs` to end by itself, then it ends with
 * exit code 0 all the same: what it owes is durable. A second signal ends it at once.
 */
export function stopSignal(log: Log, { graceMs, sameWishMs = 1_000 }: StopOptions): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let sinceMs: number | undefined;
    const stop = (signal: NodeJS.Signals): void => {
      const nowMs = performance.now();
      if (sinceMs === undefined) {
        sinceMs = nowMs;
        setTimeout(() => {
          log('error', { event: 'stop-timed-out', graceMs });
          process.exit(0);
        }, graceMs).unref();
        resolve(signal);
      } else if (nowMs - sinceMs >= sameWishMs) {
        log('warn', { event: 'stopped-at-once', signal });
        process.exit(signal === 'SIGINT' ? 130 : 143);
      }
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}
