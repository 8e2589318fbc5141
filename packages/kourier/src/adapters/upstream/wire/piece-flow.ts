import type { UpstreamFailed } from '../../../ports/space/upstream.ts';
import { upstreamFailed } from './upstream-codes.ts';

/** What pieces come out of: a connection that can be told to wait. It is paused to begin with. */
export interface PieceSource {
  pause(): void;
  resume(): void;
  /** Drops it. Nothing that it says after this is heard. */
  stop(): void;
}

export interface FlowBounds {
  /** Without a piece, from the headers on, and at most a quarter longer; while one is being taken nobody waits for the agent. */
  readonly idleMs: number;
  readonly idle: () => UpstreamFailed;
  /** Of the caller; ends the body with its reason. */
  readonly signal: AbortSignal;
}

/** A timer that is set anew for each piece costs more than the piece: one looks so often, and ends a body that was silent. */
const LOOKS = 4;
/** A timer that is to run for longer runs out at once. */
const LONGEST_MS = 2 ** 31 - 1;

type Take = (piece: Uint8Array) => void | Promise<void>;

/**
 * The body of one answer, from its source to whoever takes it: one piece at a time, in order, without a stream in between.
 * The source tells it of each piece, and of the end.
 */
export class PieceFlow {
  readonly #source: PieceSource;
  readonly #bounds: FlowBounds;
  readonly #over = Promise.withResolvers<void>();
  readonly #waiting: Uint8Array[] = [];
  #take: Take | undefined;
  #isTaking = false;
  #hasEnded = false;
  #isOver = false;
  readonly #looking: NodeJS.Timeout;
  #silentLooks = 0;

  constructor(source: PieceSource, bounds: FlowBounds) {
    this.#source = source;
    this.#bounds = bounds;
    // Whoever never reads is not told, and that must not end the process.
    this.#over.promise.catch(() => undefined);
    bounds.signal.addEventListener('abort', this.#callOff, { once: true });
    this.#looking = setInterval(this.#look, Math.min(bounds.idleMs / LOOKS, LONGEST_MS));
  }

  /** `UpstreamAnswer.read`. */
  read(take: Take): Promise<void> {
    this.#take = take;
    this.#next();
    return this.#over.promise;
  }

  /** `UpstreamAnswer.cancel` */
  cancel(): void {
    if (!this.#isOver) this.#finish(upstreamFailed('A2A_UPSTREAM_CANCELED'));
  }

  /** A piece has come. */
  push(piece: Uint8Array): void {
    if (this.#isOver) return;
    this.#silentLooks = 0;
    if (this.#take !== undefined && !this.#isTaking) return this.#hand(this.#take, piece);
    this.#waiting.push(piece);
    this.#source.pause();
  }

  /** The source is at its end. */
  end(): void {
    this.#hasEnded = true;
    if (this.#waiting.length === 0 && !this.#isTaking) this.#finish();
  }

  /** The source broke: what came before it is not handed on any more. */
  fail(error: unknown): void {
    this.#finish(error);
  }

  #hand(take: Take, piece: Uint8Array): void {
    let taken: void | Promise<void>;
    try {
      taken = take(piece);
    } catch (error) {
      return this.fail(error);
    }
    if (taken === undefined) return;
    this.#isTaking = true;
    this.#source.pause();
    taken.then(
      () => {
        this.#isTaking = false;
        this.#next();
      },
      (error: unknown) => this.fail(error),
    );
  }

  #next(): void {
    const take = this.#take;
    if (take === undefined) return;
    while (!this.#isTaking && !this.#isOver) {
      const piece = this.#waiting.shift();
      if (piece === undefined) break;
      this.#hand(take, piece);
    }
    if (this.#isTaking || this.#isOver) return;
    if (this.#hasEnded) return this.#finish();
    this.#silentLooks = 0;
    this.#source.resume();
  }

  readonly #look = (): void => {
    if (this.#isTaking) return;
    this.#silentLooks += 1;
    if (this.#silentLooks > LOOKS) this.fail(this.#bounds.idle());
  };

  readonly #callOff = (): void => this.#finish(this.#bounds.signal.reason);

  #finish(error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearInterval(this.#looking);
    this.#bounds.signal.removeEventListener('abort', this.#callOff);
    this.#source.stop();
    if (error === undefined) this.#over.resolve();
    else this.#over.reject(error);
  }
}
