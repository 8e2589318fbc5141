import { pino } from 'pino';

export type Level = 'debug' | 'info' | 'warn' | 'error';

/** One JSON object a line, with `level` as a word and `time` as RFC 3339. Must not block and must not throw. */
export type Log = (level: Level, line: Readonly<Record<string, unknown>>) => void;

export interface LogOptions {
  /** Less than this is left out. `info` when absent. */
  readonly level?: Level;
  /** Standard error when absent: standard output is what a command answers. */
  readonly destination?: { write(line: string): void };
}

export function machineLog({ level = 'info', destination }: LogOptions = {}): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    // Synchronous, so that the last lines before an end are there.
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
  return (at, line) => logger[at](line);
}
