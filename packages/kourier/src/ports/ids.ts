import type { EntryId, ThreadId, TurnId } from '../core/thread/ids.ts';

/** New ids and chance. Unguessable in production, seeded in the simulator. */
export interface Ids {
  thread(): ThreadId;
  turn(): TurnId;
  entry(): EntryId;
  /** W3C trace id: 32 hex digits. */
  trace(): string;
  /** This process's name as the holder of leases: never used by another process, nor by an earlier life of this one. */
  owner(): string;
  /** In [0, 1): the jitter of back-offs. */
  chance(): number;
}
