import { AGENT_LIMITS } from '../../limits.ts';
import type { Shelf } from './change-rows.ts';
import { ask, numberOf, type Steps } from './steps.ts';

/** What a durable store keeps. The oldest go first, a hundredth of the number at a time. */
export interface RetentionOptions {
  /** Tasks that have ended; 10,000 unless given. */
  readonly finishedTasks?: number;
  /** Tasks that wait for their caller; 10,000 unless given. */
  readonly pausedTasks?: number;
  /** Conversations that the agent remembers something of; 100,000 unless given. */
  readonly contexts?: number;
}

/** Says when it is time to look what is too much: to look costs as much as is kept. */
class Sweep {
  readonly keep: number;
  #added = 0;

  /** Throws a RangeError when nothing would be kept. */
  constructor(name: string, keep: number) {
    if (!Number.isSafeInteger(keep) || keep < 1) throw new RangeError(`${name} must be a whole number, 1 or more`);
    this.keep = keep;
  }

  isDue(): boolean {
    this.#added += 1;
    if (this.#added < this.keep / 100) return false;
    this.#added = 0;
    return true;
  }
}

export type Retention = Readonly<Record<Shelf | 'contexts', Sweep>>;

export function retentionOf(options: RetentionOptions): Retention {
  return {
    ended: new Sweep('finishedTasks', options.finishedTasks ?? AGENT_LIMITS.storedFinishedTasks),
    paused: new Sweep('pausedTasks', options.pausedTasks ?? AGENT_LIMITS.storedPausedTasks),
    contexts: new Sweep('contexts', options.contexts ?? AGENT_LIMITS.storedContexts),
  };
}

/** What belongs to a task goes with it. */
export function* sweepShelf(shelf: Shelf, keep: number): Steps<void> {
  const [first] = yield* ask(
    'SELECT shelved FROM agent_tasks WHERE shelf = $1 ORDER BY shelved DESC LIMIT 1 OFFSET $2',
    shelf,
    keep,
  );
  if (first === undefined) return;
  yield* ask('DELETE FROM agent_tasks WHERE shelf = $1 AND shelved <= $2', shelf, numberOf(first, 'shelved'));
}

export function* sweepMemories(keep: number): Steps<void> {
  const [first] = yield* ask('SELECT sequence FROM agent_memories ORDER BY sequence DESC LIMIT 1 OFFSET $1', keep);
  if (first === undefined) return;
  yield* ask('DELETE FROM agent_memories WHERE sequence <= $1', numberOf(first, 'sequence'));
}
