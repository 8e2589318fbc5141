/** A message on its way from the box to its entry in the timeline. Kept in the browser until it is there. */
export interface Outgoing {
  /** The idempotency key: every attempt carries it, so that all of them are one turn. */
  readonly key: string;
  readonly text: string;
  /** Absent for the first message of a thread. */
  readonly thread?: string;
  /** Of a first message. */
  readonly binding?: string;
  /** `waiting`: the connection was lost, it is tried again. `sent`: durable, its entry is not here yet. */
  readonly state: 'sending' | 'waiting' | 'sent';
  readonly turnId?: string;
}

export function isOutgoing(value: unknown): value is Outgoing {
  if (typeof value !== 'object' || value === null) return false;
  const { key, text, state } = value as Record<string, unknown>;
  return typeof key === 'string' && typeof text === 'string' && typeof state === 'string';
}

/** The next to send: in each thread one at a time, in the order in which they were written. */
export function nextToSend(items: readonly Outgoing[], busy: ReadonlySet<string>): readonly Outgoing[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (item.state === 'sent') return false;
    const lane = item.thread ?? item.key;
    const first = !seen.has(lane);
    seen.add(lane);
    return first && !busy.has(item.key);
  });
}

/** Without those whose entry is in the timeline: it shows them from now on. */
export function withoutConfirmed(items: readonly Outgoing[], turnIds: ReadonlySet<string>): readonly Outgoing[] {
  const left = items.filter((item) => item.turnId === undefined || !turnIds.has(item.turnId));
  return left.length === items.length ? items : left;
}
