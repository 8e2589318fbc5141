import type { CallOptions, Failure } from '../src/ports/agent.ts';
import type { Life } from './machine.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';

/** What becomes of one request: a fault has a side, before the effect or after it. */
type Fate = 'delivered' | 'refused' | 'lost-before' | 'lost-after' | 'late' | 'doubled';

const UNKNOWN: Failure = { kind: 'unknown', why: 'connection lost' };
export const NO_HEADERS: Failure = { kind: 'unknown', why: 'no headers in time' };
const ABORTED: Failure = { kind: 'unknown', why: 'aborted' };

/** The way from one process to an agent. What is on its way when the process dies still arrives. */
export class Network {
  readonly #setting: Setting;
  readonly #life: Life;
  readonly chances: Prng;

  constructor(setting: Setting, life: Life) {
    this.#setting = setting;
    this.#life = life;
    this.chances = setting.chances('network');
  }

  /** A call with one answer. Resolves once; never when the process is gone. */
  call<Answer>(effect: () => Answer, { signal }: CallOptions): Promise<Answer | Failure> {
    return new Promise((resolve) => {
      let waiting = true;
      const callOffs: (() => void)[] = [];
      const answer = (result: Answer | Failure) => {
        if (!waiting) return;
        waiting = false;
        for (const callOff of callOffs) callOff();
        if (this.#life.alive) resolve(result);
      };
      if (signal.aborted) return answer(ABORTED);
      signal.addEventListener('abort', () => answer(ABORTED), { once: true });
      callOffs.push(this.headersTimer(() => answer(NO_HEADERS)));
      this.request((back) => {
        const result = effect();
        this.later(() => answer(back === 'lost' ? UNKNOWN : result));
      }, answer);
    });
  }

  /** Brings a request to the agent as its fate has it. `arrived` may run never, once, twice, or after its process' end. */
  request(arrived: (back: 'open' | 'lost') => void, failed: (failure: Failure) => void): void {
    const { mark } = this.#setting;
    const fate = this.#fate();
    if (fate !== 'delivered') mark(`network-${fate}`);
    const arrive = () => {
      if (!this.#life.alive) mark('late-request-of-the-dead');
      arrived(fate === 'lost-after' ? 'lost' : 'open');
    };
    switch (fate) {
      case 'refused':
        return this.later(() => failed({ kind: 'not-sent', why: 'no connection' }));
      case 'lost-before':
        // Some connections break, some only fall silent: then it is the missing headers that tell.
        return this.chances.chance(0.5) ? this.later(() => failed(UNKNOWN)) : undefined;
      case 'late':
        this.#setting.scheduler.after(
          this.chances.between(0, 2 * this.#setting.swarm.timings.responseHeadersMs),
          arrive,
        );
        return;
      case 'doubled':
        this.later(() => arrived('lost'));
        return this.later(arrive);
      default:
        return this.later(arrive);
    }
  }

  later(run: () => void): void {
    this.#setting.scheduler.after(this.latencyMs(), run);
  }

  latencyMs(): number {
    return this.chances.between(...this.#setting.swarm.network.latencyMs);
  }

  headersTimer(ended: () => void): () => void {
    return this.#setting.scheduler.after(this.#setting.swarm.timings.responseHeadersMs, () => {
      if (this.#life.alive) this.#setting.mark('network-no-headers');
      ended();
    });
  }

  #fate(): Fate {
    const { refused, lostBefore, lostAfter, late, doubled } = this.#setting.swarm.network;
    if (this.chances.chance(refused)) return 'refused';
    if (this.chances.chance(lostBefore)) return 'lost-before';
    if (this.chances.chance(lostAfter)) return 'lost-after';
    if (this.chances.chance(late)) return 'late';
    return this.chances.chance(doubled) ? 'doubled' : 'delivered';
  }
}
