/**
 * Which identities were used, as long as one of them could be used again. Two generations: of the older one nothing can
 * still count when it is dropped, so that no id carries its own time.
 */
export class UsedIdentities {
  readonly #keptMs: number;
  readonly #most: number;
  #young = new Set<string>();
  #old = new Set<string>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  /** `keptMs`: how long an id is remembered at least. `most`: how many are. */
  constructor({ keptMs, most }: { readonly keptMs: number; readonly most: number }) {
    this.#keptMs = keptMs;
    this.#most = most;
  }

  /** `full`: it cannot be remembered, and so must not be taken. */
  take(id: string, nowMs: number): 'first' | 'used' | 'full' {
    if (nowMs - this.#sinceMs >= this.#keptMs) {
      this.#old = this.#young;
      this.#young = new Set();
      this.#sinceMs = nowMs;
    }
    // A clock that was put back must not keep them for ever.
    this.#sinceMs = Math.min(this.#sinceMs, nowMs);
    if (this.#young.has(id) || this.#old.has(id)) return 'used';
    if (this.#young.size + this.#old.size >= this.#most) return 'full';
    this.#young.add(id);
    return 'first';
  }
}
