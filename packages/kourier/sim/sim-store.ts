import type { ThreadId } from '../src/core/thread/ids.ts';
import type { Accepted, Commit, Delivery, Store } from '../src/ports/store.ts';
import { copy, type Disk } from './disk.ts';
import type { Life } from './machine.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';

interface Ask<Answer> {
  readonly what: string;
  readonly tell?: (answer: Answer) => string;
  /** Which thread it came to be about. */
  readonly threadOf?: (answer: Answer) => string;
}

/** One process' way to the disk: slow, failing, and at a crash with requests on their way that are written all the same. */
export class SimStore implements Store {
  readonly #setting: Setting;
  readonly #life: Life;
  readonly #disk: Disk;
  readonly #crash: () => void;
  readonly #chances: Prng;
  /** Requests in the order in which they were asked; answers about one thread in the same, and of all unless the swarm says otherwise. */
  readonly #requests: (() => void)[] = [];
  readonly #answers = new Map<string, { readonly waiting: (() => void)[]; lastMs: number }>();
  #lastEffectMs = 0;
  #underWay = 0;
  #closed = false;
  #idle: (() => void)[] = [];

  constructor(setting: Setting, life: Life, crash: () => void) {
    this.#setting = setting;
    this.#life = life;
    this.#disk = setting.disk;
    this.#crash = crash;
    this.#chances = setting.chances('disk');
    // What a dying process had asked for is lost with it, or is on its way.
    life.onEnd(() => {
      if (this.#chances.chance(0.5)) this.#requests.fill(() => {});
    });
  }

  open: Store['open'] = async (thread, message, options = {}) => {
    const [opened, given] = copy([thread, message] as const);
    const about: Ask<Accepted> = {
      what: 'open',
      threadOf: (accepted) => (accepted.kind === 'full' ? '' : accepted.thread),
    };
    return this.#ask('', about, () => this.#disk.open(opened, given, options));
  };

  accept: Store['accept'] = async (id, message, options = {}) => {
    const given = copy(message);
    return this.#ask(id, { what: 'accept' }, () => this.#disk.accept(id, given, options));
  };

  claim: Store['claim'] = (id, lease, nowMs) =>
    this.#ask(id, { what: 'claim', tell: ({ kind }) => kind }, () => this.#disk.claim(id, lease, nowMs));

  pending: Store['pending'] = (id) => this.#ask(id, { what: 'pending' }, () => this.#disk.pending(id));

  commit: Store['commit'] = async (commit) => {
    const given = copy(commit);
    return this.#ask(given.thread.id, { what: describe(given), tell: ({ kind }) => kind }, () => this.#commit(given));
  };

  extend: Store['extend'] = (lease) => this.#ask('', { what: 'extend' }, () => this.#disk.extend(lease));

  release: Store['release'] = (id, owner) => this.#ask(id, { what: 'release' }, () => this.#disk.release(id, owner));

  owing: Store['owing'] = (limit) => this.#ask('', { what: 'owing' }, () => this.#disk.owing(limit));

  timeline: Store['timeline'] = (id) => this.#ask(id, { what: 'timeline' }, () => this.#disk.changes(id, 0));

  changes: Store['changes'] = (id, after) => this.#ask(id, { what: 'changes' }, () => this.#disk.changes(id, after));

  threadOf: Store['threadOf'] = (entry) => this.#ask('', { what: 'threadOf' }, () => this.#disk.threadOf(entry));

  audit: Store['audit'] = (query) => this.#ask('', { what: 'audit' }, () => this.#disk.audit(query));

  threadAt: Store['threadAt'] = (binding, place) =>
    this.#ask('', { what: 'threadAt' }, () => this.#disk.threadAt(binding, place));

  addPlace: Store['addPlace'] = (id, place) =>
    this.#ask(id, { what: 'addPlace', tell: (outcome) => outcome }, () => this.#disk.addPlace(id, place));

  placesOf: Store['placesOf'] = (id) => this.#ask(id, { what: 'placesOf' }, () => this.#disk.placesOf(id));

  delivery: Store['delivery'] = (id) => this.#ask(id, { what: 'delivery' }, () => this.#disk.delivery(id));

  deliver: Store['deliver'] = async (id, delivery) => {
    const given = copy(delivery);
    return this.#ask(id, { what: `deliver ${given.revision}` }, () =>
      this.#orCrash(() => this.#disk.deliver(id, given)),
    );
  };

  /** The same, and not if another process has the thread. */
  deliverAs = async (id: ThreadId, delivery: Delivery): Promise<'delivered' | 'lost'> => {
    const given = copy(delivery);
    return this.#ask(id, { what: `deliver ${given.revision}`, tell: (outcome) => outcome }, () =>
      this.#orCrash(() => this.#disk.deliverAs(this.#life.name, id, given)),
    );
  };

  undelivered: Store['undelivered'] = (platform, limit) =>
    this.#ask('', { what: 'undelivered' }, () => this.#disk.undelivered(platform, limit));

  close: Store['close'] = () => {
    this.#closed = true;
    return this.#underWay === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve));
  };

  #commit(commit: Commit) {
    return this.#orCrash(() => {
      const committed = this.#disk.commit(commit);
      if (committed.kind === 'lost') this.#setting.mark('lease-lost');
      if (!this.#life.alive) this.#setting.mark('late-commit-of-the-dead');
      return committed;
    });
  }

  /** What is committed before something is done is where a crash hurts most: just before it is durable, or just after. */
  #orCrash<Written>(write: () => Written): Written {
    const { crashBeforeCommit, crashAfterCommit } = this.#setting.swarm.life;
    if (this.#life.alive && this.#chances.chance(crashBeforeCommit)) {
      this.#setting.mark('crash-before-commit');
      this.#crash();
      throw new Error('crashed');
    }
    const written = write();
    if (this.#life.alive && this.#chances.chance(crashAfterCommit)) {
      this.#setting.mark('crash-after-commit');
      this.#crash();
    }
    return written;
  }

  #ask<Answer>(about: string, { what, tell, threadOf }: Ask<Answer>, effect: () => Answer): Promise<Answer> {
    if (this.#closed) return Promise.reject(new Error('The store is closed.'));
    if (this.#life.drained) this.#setting.trace.note(this.#life.name, `asks after its end: ${what}`);
    this.#underWay++;
    return new Promise((resolve, reject) => {
      this.#requests.push(() => {
        const fails = this.#chances.chance(this.#setting.swarm.disk.failing);
        if (fails) this.#setting.mark('disk-failing');
        try {
          if (fails) throw new Error('The disk failed.');
          const answer = effect();
          if (tell) this.#setting.trace.note(this.#life.name, `${what} ${about}: ${tell(answer)}`);
          this.#answer(threadOf?.(answer) ?? about, () => resolve(answer));
        } catch (error) {
          this.#answer(about, () => reject(error));
        }
      });
      this.#lastEffectMs = Math.max(this.#lastEffectMs, this.#setting.scheduler.nowMs + this.#latencyMs());
      this.#setting.scheduler.at(this.#lastEffectMs, () => this.#requests.shift()?.());
    });
  }

  #answer(about: string, settle: () => void): void {
    const { scheduler, swarm } = this.#setting;
    const { latencyMs, unordered } = swarm.disk;
    const key = unordered ? about : '';
    const answers = this.#answers.get(key) ?? { waiting: [], lastMs: 0 };
    this.#answers.set(key, answers);
    answers.waiting.push(settle);
    answers.lastMs = Math.max(answers.lastMs, scheduler.nowMs + this.#chances.between(...latencyMs));
    scheduler.at(answers.lastMs, () => this.#settle(answers.waiting.shift()));
  }

  #settle(settle: (() => void) | undefined): void {
    if (this.#life.alive) settle?.();
    this.#underWay--;
    if (this.#underWay === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  #latencyMs(): number {
    const { latencyMs, stall, stallMs } = this.#setting.swarm.disk;
    if (!this.#chances.chance(stall)) return this.#chances.between(...latencyMs);
    this.#setting.mark('disk-stall');
    return stallMs;
  }
}

function describe({ thread, entries, taken, owes }: Commit): string {
  const { turn } = thread;
  const step = turn ? `${turn.id} ${JSON.stringify(turn.step)} ${turn.taskId ?? ''}` : 'no turn';
  const written = entries.map((entry) => (entry.kind === 'notice' ? entry.code : `${entry.kind} ${entry.id}`));
  return `commit ${step} ${written.join(', ')} taken ${taken.join(', ')}${owes ? ' owes' : ''}`;
}
