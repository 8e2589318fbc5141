import { setImmediate } from 'node:timers/promises';
import { AgentFailure } from './agent-failure.ts';
import type { LiveTask } from './live-task.ts';
import type { AnswerTurn } from './turn.ts';

/** After so much the other requests get their turn, and the sockets theirs: a tight loop of yields would starve them. */
const BREATH = { pieces: 64, characters: 32 * 1_024 };

/** What went wrong in a turn, for a private log. */
export type ReportFailure = (error: unknown, turn: { readonly taskId: string; readonly contextId: string }) => void;

/** Runs one turn into its task, whoever watches. Never rejects; a turn that goes on after its task has ended is left. */
export async function runTurn(task: LiveTask, text: string, answer: AnswerTurn, report: ReportFailure): Promise<void> {
  const { id: taskId, contextId, abort } = task;
  task.work();
  try {
    let pieces = 0;
    let characters = 0;
    const turn = { text, messageId: task.message.messageId, contextId, taskId, signal: abort.signal };
    for await (const piece of answer(turn)) {
      if (task.ended) return;
      task.add(piece);
      pieces += 1;
      if (pieces < BREATH.pieces && task.characters - characters < BREATH.characters) continue;
      await setImmediate();
      pieces = 0;
      characters = task.characters;
    }
    task.complete();
  } catch (error) {
    if (task.ended || abort.signal.aborted) return;
    task.fail(error instanceof AgentFailure ? error : undefined);
    report(error, { taskId, contextId });
  }
}
