import type { Entry, ThreadStatus, Timeline } from '../api/wire.ts';

/** What a thread's event stream said since the last time somebody looked. Of each entry the newest state counts. */
export interface Changes {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly status?: ThreadStatus;
}

const NO_CHANGES: Changes = { entries: new Map() };

/** Pure, but for the map that it was given: changes are gathered between two frames and then taken as they are. */
export class ChangeGatherer {
  #entries = new Map<string, Entry>();
  #status: ThreadStatus | undefined;

  addEntry(entry: Entry): void {
    this.#entries.set(entry.id, entry);
  }

  addStatus(status: ThreadStatus): void {
    this.#status = status;
  }

  take(): Changes {
    if (this.#entries.size === 0 && this.#status === undefined) return NO_CHANGES;
    const changes: Changes = {
      entries: this.#entries,
      ...(this.#status === undefined ? {} : { status: this.#status }),
    };
    this.#entries = new Map();
    this.#status = undefined;
    return changes;
  }
}

/**
 * A known entry is replaced where it stands, a new one stands at the end: entries arrive in the order in which they
 * began. Nothing changed: the same timeline comes back.
 */
export function applyChanges(timeline: Timeline, changes: Changes): Timeline {
  const status = changes.status ?? timeline.status;
  if (changes.entries.size === 0) return status === timeline.status ? timeline : { ...timeline, status };
  const left = new Map(changes.entries);
  const entries = timeline.entries.slice();
  // From the end, since what changes is nearly always new.
  for (let at = entries.length - 1; at >= 0 && left.size > 0; at--) {
    const id = entries[at]?.id ?? '';
    const changed = left.get(id);
    if (changed === undefined) continue;
    entries[at] = changed;
    left.delete(id);
  }
  return { ...timeline, status, entries: [...entries, ...left.values()] };
}
