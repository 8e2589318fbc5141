import { SPACE_LIMITS } from '../limits.ts';

/** The calls that this process carries at once: so many in all, and so many of one caller, so that none takes all. */
export class CallsUnderWay {
  readonly #ofCaller = new Map<string, number>();
  #count = 0;

  /** Takes a place for a call; the function returned gives it back. `undefined`: there is none. */
  enter(caller: string): (() => void) | undefined {
    const own = this.#ofCaller.get(caller) ?? 0;
    if (this.#count >= SPACE_LIMITS.callsAtOnce || own >= SPACE_LIMITS.callsOfCaller) return undefined;
    this.#count += 1;
    this.#ofCaller.set(caller, own + 1);
    return () => this.#leave(caller);
  }

  #leave(caller: string): void {
    this.#count -= 1;
    const own = (this.#ofCaller.get(caller) ?? 0) - 1;
    if (own > 0) this.#ofCaller.set(caller, own);
    else this.#ofCaller.delete(caller);
  }
}
