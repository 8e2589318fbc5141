import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { timeLeft } from '../request/time-left.ts';

/** A browser's timers end at 2^31 ms. */
const LONGEST_TIMER_MS = 24 * 60 * 60 * 1_000;

/** How long a request stays open: seen, and read by a screen reader that comes by, but not spoken when it changes. */
export function TimeLeft({ until }: { readonly until: string }): VNode | null {
  const untilMs = Date.parse(until);
  const [nowMs, setNowMs] = useState(() => Date.now());
  const { words, short, changesInMs } = timeLeft(untilMs - nowMs);
  useEffect(() => {
    if (changesInMs === undefined) return;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(changesInMs, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  }, [changesInMs, nowMs]);
  if (Number.isNaN(untilMs)) return null;
  return (
    <time class={short ? 'time-left short' : 'time-left'} dateTime={until} title={new Date(untilMs).toLocaleString()}>
      {words}
    </time>
  );
}
