import { LIMITS } from '../core/limits.ts';
import type { Step } from '../core/reply/step.ts';
import { bounded } from '../core/shown/bounded.ts';
import { redact } from '../core/shown/redact.ts';
import type { Entry, StepEntry } from '../core/thread/entry.ts';
import type { EntryId, TurnId } from '../core/thread/ids.ts';

interface Known {
  readonly id: EntryId;
  /** As an earlier courier showed them: a result whose call nobody has seen since says none. */
  readonly args?: unknown;
  version: number;
}

/** An entry that an earlier courier wrote, and whether an answer went out since. */
interface Earlier {
  readonly entry: StepEntry;
  readonly wasAnswered: boolean;
}

/** One turn's steps as entries of its timeline: bounded, without secrets, and each with the id of its first time. */
export class StepEntries {
  readonly #turn: TurnId;
  /** Those of an earlier courier that this one has not met in the reply yet, by their call. */
  readonly #earlier = new Map<string, Earlier[]>();
  readonly #known = new Map<Step, Known>();
  /** Of an earlier courier, and at their end: what a card shows first it keeps (rule T4). */
  readonly #ended = new Set<EntryId>();
  #count = 0;

  constructor(turn: TurnId, written: readonly Entry[]) {
    this.#turn = turn;
    const lastAnswer = written.findLastIndex((entry) => entry.kind === 'request' && entry.answer !== undefined);
    for (const [index, entry] of written.entries()) {
      if (entry.kind !== 'step') continue;
      this.#count += 1;
      const earlier = { entry, wasAnswered: index < lastAnswer };
      const same = this.#earlier.get(callOf(entry));
      if (same) same.push(earlier);
      else this.#earlier.set(callOf(entry), [earlier]);
    }
  }

  /** `true`: an earlier courier has given it its place. To be asked once for each step. */
  meet(step: Step): boolean {
    const earlier = this.#earlier.size === 0 ? undefined : this.#takeEarlier(saidBy(step));
    if (!earlier) {
      this.#count += 1;
      this.#known.set(step, { id: `${this.#turn}.step.${this.#count}` as EntryId, version: 0 });
      return false;
    }
    const { id, state, args } = earlier.entry;
    this.#known.set(step, { id, args, version: 0 });
    if (state !== 'running') this.#ended.add(id);
    return true;
  }

  /** A card that had its result before an answer went out keeps it; what the call came to after the answer is a card of its own. A call that has come to nothing yet may be read from a store that is behind. */
  #takeEarlier(said: Said): Earlier | undefined {
    const same = this.#earlier.get(callOf(said)) ?? [];
    const at = same.findIndex(
      ({ entry, wasAnswered }) =>
        !wasAnswered || entry.state === 'running' || said.state === 'running' || isSame(entry, said),
    );
    const [earlier] = at < 0 ? [] : same.splice(at, 1);
    return earlier;
  }

  /** The step's entry, when it says something else than the last time. */
  changed(step: Step): StepEntry[] {
    const known = this.#known.get(step);
    if (!known || known.version === step.version) return [];
    known.version = step.version;
    if (this.#ended.has(known.id)) return [];
    const { id, args } = known;
    return [{ kind: 'step', id, turnId: this.#turn, ...(args === undefined ? {} : { args }), ...saidBy(step) }];
  }

  /** The turn is over: what is still running of an earlier courier's is not any more. */
  unmet(state: 'done' | 'failed'): StepEntry[] {
    const left = [...this.#earlier.values()].flat().filter(({ entry }) => entry.state === 'running');
    return left.map(({ entry }) => ({ ...entry, state }));
  }
}

type Said = Omit<StepEntry, 'kind' | 'id' | 'turnId'>;

function saidBy({ callId, name, args, state, result }: Step): Said {
  return {
    ...(callId === undefined ? {} : { callId }),
    name: String(bounded(name, { characters: LIMITS.shownNameCharacters })),
    ...(args === undefined ? {} : { args: bounded(redact(args)) }),
    state,
    ...(result === undefined ? {} : { result: bounded(redact(result)) }),
  };
}

/** The same call id, or without one the same words. */
const callOf = ({ callId, name, args }: Said): string =>
  callId === undefined ? `says ${JSON.stringify([name, args])}` : `id ${callId}`;

const isSame = (entry: StepEntry, said: Said): boolean =>
  entry.state === said.state && JSON.stringify(entry.result) === JSON.stringify(said.result);
