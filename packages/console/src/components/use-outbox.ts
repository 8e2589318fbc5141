import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Outbox, type OutboxListener } from '../outbox/outbox.ts';
import type { Outgoing } from '../outbox/outgoing.ts';

type Told = Omit<OutboxListener, 'changed'>;

/** The page's outbox and what is in it. `told` may be another object at each drawing. */
export function useOutbox(told: Told): { readonly outbox: Outbox; readonly items: readonly Outgoing[] } {
  const [, redraw] = useState<readonly Outgoing[]>([]);
  const latest = useRef(told);
  useEffect(() => {
    latest.current = told;
  });
  const outbox = useMemo(
    () =>
      new Outbox({
        changed: redraw,
        started: (item, thread) => latest.current.started(item, thread),
        refused: (item, why) => latest.current.refused(item, why),
      }),
    [],
  );
  return { outbox, items: outbox.items };
}
