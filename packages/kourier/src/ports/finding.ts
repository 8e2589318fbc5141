/** One thing that was looked at, and how it stands. Its words hold no secret; they may hold names that others chose. */
export interface Finding {
  /** `fail`: it does not work like this. `warn`: it works, and something is missing. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  /** As a half sentence that begins with what was looked at. */
  readonly what: string;
  /** As an order. */
  readonly todo?: string;
}
