const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface TimeLeft {
  readonly words: string;
  /** So little that a person should hurry. */
  readonly short: boolean;
  /** When the words are others; absent: never again. */
  readonly changesInMs?: number;
}

/** Whole units, the largest of which there are two; no seconds, which would only be noise. */
export function timeLeft(leftMs: number): TimeLeft {
  if (!(leftMs > 0)) return { words: 'time is up', short: true };
  if (leftMs < MINUTE_MS) return { words: 'less than a minute left', short: true, changesInMs: leftMs };
  const [unitMs, unit] =
    leftMs >= 2 * DAY_MS ? [DAY_MS, 'days'] : leftMs >= 2 * HOUR_MS ? [HOUR_MS, 'h'] : [MINUTE_MS, 'min'];
  const count = Math.floor(leftMs / unitMs);
  return { words: `${count} ${unit} left`, short: leftMs < 2 * MINUTE_MS, changesInMs: leftMs - count * unitMs + 1 };
}
