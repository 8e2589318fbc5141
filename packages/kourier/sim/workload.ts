import type { RequestEntry } from '../src/core/thread/entry.ts';
import type { ThreadId } from '../src/core/thread/ids.ts';
import type { Taken } from '../src/courier/courier.ts';
import type { Commit } from '../src/ports/store.ts';
import type { Auditor } from './auditor.ts';
import { BINDINGS } from './bindings.ts';
import type { Findings } from './findings.ts';
import type { Host } from './host.ts';
import type { Life } from './machine.ts';
import type { Prng } from './prng.ts';
import type { Readers } from './readers.ts';
import type { Setting } from './setting.ts';

/** One thing that someone writes, told apart from all others by its text. */
interface Utterance {
  readonly text: string;
  readonly place: Place;
  readonly mention: boolean;
  readonly key: string | undefined;
  readonly trigger: boolean;
  answered: boolean;
  /** Which way it first went: a key is known on that way only. */
  into?: ThreadId | 'new';
}

interface Place {
  readonly binding: string;
  readonly name: string;
  /** Known when the opening was answered. */
  thread?: ThreadId;
}

/** People who write in threads, now and then twice, and ask again when nobody answers; and triggers. */
export class Workload {
  readonly #setting: Setting;
  readonly #hosts: readonly Host[];
  readonly #readers: Readers;
  readonly #auditor: Auditor;
  readonly #findings: Findings;
  readonly #chances: Prng;
  readonly #utterances: Utterance[] = [];
  #open = 0;

  constructor(
    setting: Setting,
    hosts: readonly Host[],
    audit: { readers: Readers; auditor: Auditor; findings: Findings },
  ) {
    this.#setting = setting;
    this.#hosts = hosts;
    this.#readers = audit.readers;
    this.#auditor = audit.auditor;
    this.#findings = audit.findings;
    this.#chances = setting.chances('people');
  }

  /** Everybody has been answered, or will not ask again. */
  get quiet(): boolean {
    return this.#open === 0;
  }

  begin(): void {
    const { people } = this.#setting.swarm;
    const places = Array.from({ length: people.threads }, (_, at): Place => {
      return { binding: this.#chances.one(BINDINGS), name: `place-${at}` };
    });
    for (let count = 0; count < people.messages; count++) {
      const place = places[this.#chances.between(0, places.length - 1)];
      if (!place) continue;
      const utterance = this.#utter(place, count);
      const atMs = this.#chances.between(0, people.withinMs);
      this.#open++;
      this.#setting.scheduler.at(atMs, () => this.#write(utterance));
      if (utterance.key !== undefined && this.#chances.chance(people.repeats)) {
        const at = this.#chances.chance(0.5);
        this.#setting.mark(at ? 'said-at-once-again' : 'said-again');
        this.#open++;
        this.#setting.scheduler.at(at ? atMs : atMs + this.#chances.between(1, 60_000), () => this.#write(utterance));
      }
      if (this.#chances.chance(people.stops)) {
        this.#setting.scheduler.at(atMs + this.#chances.between(0, 20_000), () => this.#stop(place));
      }
    }
  }

  /** What was answered is durable: the last account. */
  audit(): void {
    const written = new Set<string>();
    for (const { thread } of this.#setting.disk.threads()) {
      for (const { entry } of this.#setting.disk.look(thread.id)?.timeline ?? []) {
        if (entry.kind === 'message') written.add(entry.text);
      }
    }
    for (const { text, answered } of this.#utterances) {
      this.#findings.unless(!answered || written.has(text), () => `"${text}" was accepted, and is lost`);
    }
  }

  #utter(place: Place, count: number): Utterance {
    const { people } = this.#setting.swarm;
    const trigger = this.#chances.chance(people.triggers);
    const mention = trigger || !this.#chances.chance(people.asides);
    if (trigger) this.#setting.mark('triggered');
    else if (!mention) this.#setting.mark('said-aside');
    const key = this.#chances.chance(people.keyless) ? undefined : `key-${count}`;
    const utterance = { text: `<message ${count}>`, place, mention, key, trigger, answered: false };
    this.#utterances.push(utterance);
    return utterance;
  }

  /** A request that a commit has put to the thread is seen by someone who answers, by two, or by nobody. */
  committed({ entries, thread }: Commit): void {
    const { silence, rivals } = this.#setting.swarm.people;
    for (const entry of entries) {
      if (entry.kind !== 'request' || entry.state !== 'open' || this.#chances.chance(silence)) continue;
      const people = this.#chances.chance(rivals) ? ['one', 'other'] : ['one'];
      if (people.length > 1) this.#setting.mark('answered-by-rivals');
      const afterMs = this.#chances.between(0, 25_000);
      for (const person of people)
        this.#setting.scheduler.after(afterMs, () => this.#answer(thread.id, entry, person, 3));
    }
  }

  #answer(thread: ThreadId, entry: RequestEntry, person: string, attempts: number): void {
    const open = this.#anyCourier();
    const again = () => {
      if (attempts > 1) this.#setting.scheduler.after(1_000, () => this.#answer(thread, entry, person, attempts - 1));
    };
    if (!open) return again();
    const approvals = entry.tools.map(({ id }) => ({ id, approved: this.#chances.chance(0.5) }));
    const answers = [[`${person} says ${this.#chances.between(1, 99)}`]];
    const given = { actor: { id: person }, ...(entry.type === 'tool-approval' ? { approvals } : { answers }) };
    open.courier.answer(entry.id, given).then((taken) => {
      this.#setting.trace.note('people', `${person} answers ${entry.id}: ${taken.kind} by ${open.life.name}`);
      if (taken.kind === 'stopping') return again();
      if (taken.kind === 'accepted') this.#auditor.requests.accepted(entry.id);
      this.#setting.mark(taken.kind === 'accepted' ? 'answered' : 'answered-too-late');
      const wrong = taken.kind === 'invalid' || taken.kind === 'forbidden' || taken.kind === 'missing';
      this.#findings.unless(!wrong, () => `${entry.id} was answered, and that is ${taken.kind}`);
    }, again);
  }

  #write(utterance: Utterance): void {
    const open = this.#anyCourier();
    if (!open) return this.#again(utterance, true);
    const { courier, life } = open;
    let settled = false;
    const finish = (again: boolean) => {
      if (settled) return;
      settled = true;
      if (again) this.#again(utterance, false);
      else this.#open--;
    };
    const impatientMs = this.#setting.swarm.people.impatientAfterMs;
    this.#setting.scheduler.after(impatientMs, () => finish(!utterance.answered));
    this.#ask(courier, utterance).then(
      (taken) => finish(this.#took(utterance, taken, life)),
      () => finish(true),
    );
  }

  #ask(courier: NonNullable<Host['open']>['courier'], utterance: Utterance) {
    const { text, place, mention, key, trigger } = utterance;
    const { binding, name } = place;
    utterance.into ??= trigger ? 'new' : (place.thread ?? 'new');
    const thread = utterance.into;
    const keyed = key === undefined ? {} : { key };
    if (trigger) return courier.open({ binding, text, untrusted: `fields of ${text}`, place: name, ...keyed });
    const actor = { id: `person-of-${name}`, name: 'Ada' };
    if (thread === 'new') return courier.open({ binding, text, actor, place: name, ...keyed });
    return courier.say(thread, { text, actor, mention, ...keyed });
  }

  /** Whether to ask again. */
  #took(utterance: Utterance, taken: Taken | { kind: 'missing' } | { kind: 'no-binding' }, life: Life): boolean {
    this.#setting.trace.note('people', `${utterance.text} ${taken.kind} by ${life.name}`);
    if (taken.kind === 'stopping') return true;
    if (taken.kind !== 'accepted' && taken.kind !== 'repeated') {
      this.#findings.unless(taken.kind === 'full', () => `"${utterance.text}" was answered ${taken.kind}`);
      return false;
    }
    utterance.answered = true;
    utterance.place.thread = taken.thread;
    this.#readers.subscribe(taken.thread);
    return false;
  }

  /** Without a key nobody can ask again without perhaps saying it twice. */
  #again(utterance: Utterance, certainlyNot: boolean): void {
    if (utterance.key === undefined && !certainlyNot) {
      this.#open--;
      return;
    }
    this.#setting.scheduler.after(this.#chances.between(100, 3_000), () => this.#write(utterance));
  }

  #stop({ thread }: Place): void {
    const open = this.#anyCourier();
    if (!open || thread === undefined) return;
    // One that was not sent yet is not seen to be under way: the stop may be meant for the one before it.
    const active = this.#auditor.threads.get(thread)?.active;
    const turn = active && active.sends > 0 ? active.id : undefined;
    open.courier.stop(thread).then(
      (answer) => {
        this.#setting.trace.note('people', `stop ${thread}: ${answer} by ${open.life.name}`);
        if (answer !== 'stopping') return;
        this.#setting.mark('stopped');
        this.#auditor.stopping(thread, turn, open.life);
      },
      () => undefined,
    );
  }

  #anyCourier(): Host['open'] {
    const open = this.#hosts.flatMap((host) => (host.open ? [host.open] : []));
    return open[this.#chances.between(0, Math.max(0, open.length - 1))];
  }
}
