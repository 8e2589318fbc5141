import type { Log } from './log.ts';

/**
 * Crash-only: an error that nobody caught ends the process with exit code 1, and the next start takes up what is owed.
 * Its message is not logged, because it may quote what somebody said; its name, code and place are.
 */
export function crashOnUncaught(log: Log): void {
  const crash = (error: unknown): never => {
    log('error', { event: 'crashed', ...errorWords(error) });
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
}

const FRAMES = 10;

/** What an error is, without its message. */
export function errorWords(error: unknown): {
  readonly name: string;
  readonly code?: string;
  readonly at: readonly string[];
} {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at .+:\d+:\d+\)?$/.test(line));
  return {
    name: error.constructor.name,
    ...('code' in error ? { code: String(error.code).slice(0, 64) } : {}),
    at: frames.slice(0, FRAMES).map((line) => line.trim().slice(3)),
  };
}
