import { setImmediate } from 'node:timers/promises';
import type { Piece } from '../agent/pieces.ts';
import type { AnswerTurn, Turn } from '../agent/turn.ts';
import type { LiveTask } from '../task/live-task.ts';
import type { TurnRun } from './turn-run.ts';

/** After so much the other requests get their turn, and the sockets theirs: a tight loop of yields would starve them. */
const BREATH = { pieces: 64, characters: 32 * 1_024 };

/** How a turn begins and ends. All that waits for one is in a single function, since each that waits costs every turn. */
export interface TurnCourse {
  answer(task: LiveTask, turn: Turn): ReturnType<AnswerTurn>;
  completed(task: LiveTask): Promise<void>;
  /** With what the turn threw, or what kept it from being completed. Does not reject. */
  failed(task: LiveTask, error: unknown): Promise<void>;
}

/**
 * Runs one turn to its end, whoever watches: what it yields is written, and from time to time stored. A turn that goes on
 * after its task has ended is left.
 */
export async function runTurn(task: LiveTask, run: TurnRun, course: TurnCourse): Promise<void> {
  try {
    const result = course.answer(task, run);
    if (isStream(result)) {
      let pieces = 0;
      let characters = task.kept.characters;
      for await (const piece of result) {
        if (!task.writable) break;
        run.put(piece);
        pieces += 1;
        if (pieces < BREATH.pieces && task.kept.characters - characters < BREATH.characters) continue;
        await run.keep();
        await setImmediate();
        pieces = 0;
        characters = task.kept.characters;
      }
    } else putOnly(await result, run);
    await course.completed(task);
  } catch (error) {
    await course.failed(task, error);
  }
}

function putOnly(piece: Awaited<ReturnType<AnswerTurn>>, run: TurnRun): void {
  // The pieces of the other kind of generator come too early to await anything; who writes one forgot a word.
  if (typeof piece === 'object' && piece !== null && Symbol.iterator in piece) {
    throw new TypeError('a turn that yields is an async generator: write async function*');
  }
  if (piece !== undefined) run.put(piece as Piece);
}

function isStream(result: unknown): result is AsyncIterable<Piece> {
  return typeof result === 'object' && result !== null && Symbol.asyncIterator in result;
}
