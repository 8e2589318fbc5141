/** Time is a port, so that the simulator owns it. Reading it changes nothing. */
export interface Clock {
  /** Milliseconds since the epoch. May jump: waits are kept as deadlines and compared, never counted. */
  now(): number;
  /** Calls `wake` once, not before `atMs`; the function returned calls it off. A deadline that has passed wakes soon, never within this call. */
  wakeAt(atMs: number, wake: () => void): () => void;
}
