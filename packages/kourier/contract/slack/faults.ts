/** What goes wrong with one call. Without a member, that part goes as it should. */
export interface Fault {
  /** `never`: nothing comes of it. `afterMs`: it is done so much later by the clock, when nobody waits for it any more. */
  readonly effect?: 'never' | { readonly afterMs: number };
  /**
   * `dropped`: the connection is cut. `none`: nobody ever answers. A status: a 5xx of something before Slack, or 429. An
   * error: `ok: false`.
   */
  readonly answer?:
    | 'dropped'
    | 'none'
    | { readonly status: number; readonly retryAfterSeconds?: number }
    | { readonly error: string };
  /** What it posts is not shown by reading methods for so long. */
  readonly hideForMs?: number;
}

interface Planned {
  readonly method: string;
  readonly fault: Fault;
  readonly when: (args: Readonly<Record<string, unknown>>) => boolean;
  times: number;
}

/** Faults that wait for their call. */
export class Faults {
  readonly #planned: Planned[] = [];

  /** The next calls of a method that `when` says yes to; `times: Infinity` until `forget`. */
  next(method: string, fault: Fault, { times = 1, when = (): boolean => true }: FaultOptions = {}): this {
    this.#planned.push({ method, fault, when, times });
    return this;
  }

  /** Takes back what was planned for a method, or for all. */
  forget(method?: string): this {
    for (const planned of [...this.#planned]) {
      if (method === undefined || planned.method === method) this.#planned.splice(this.#planned.indexOf(planned), 1);
    }
    return this;
  }

  /** How many are still waiting: a test whose fault never struck has shown nothing. */
  get waiting(): number {
    return this.#planned.length;
  }

  take(method: string, args: Readonly<Record<string, unknown>>): Fault {
    const planned = this.#planned.find((each) => each.method === method && each.when(args));
    if (planned === undefined) return {};
    planned.times--;
    if (planned.times <= 0) this.#planned.splice(this.#planned.indexOf(planned), 1);
    return planned.fault;
  }
}

export interface FaultOptions {
  readonly times?: number;
  readonly when?: (args: Readonly<Record<string, unknown>>) => boolean;
}
