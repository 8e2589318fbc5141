import { useEffect, useState } from 'preact/hooks';
import { readAudit } from '../api/client.ts';
import type { Timeline } from '../api/wire.ts';

/** When each request was decided, by its entry's id. */
export type DecisionTimes = ReadonlyMap<string, string>;

const NONE: DecisionTimes = new Map();

/** Entries do not say when they were decided; the record of decisions does. Where it cannot be read, nobody is told. */
export function useDecisionTimes(thread: string, timeline: Timeline | undefined): DecisionTimes {
  const [times, setTimes] = useState(NONE);
  const settled = (timeline?.entries ?? [])
    .filter((entry) => entry.kind === 'request' && entry.state !== 'open')
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (settled === '') return;
    let isWanted = true;
    readAudit(thread).then(
      (records) => {
        // Newest first: of a request that was decided twice, the last decision counts.
        if (isWanted) setTimes(new Map(records.toReversed().map(({ request, at }) => [request, at])));
      },
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [thread, settled]);
  return times;
}
