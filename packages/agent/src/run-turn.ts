import { setImmediate } from 'node:timers/promises';
import { AgentFailure } from './agent-failure.ts';
import type { LiveTask } from './live-task.ts';
import type { AnswerTurn } from './turn.ts';

/** After so many pieces the other requests get their turn: a tight loop of yields would starve them. */
const PIECES_PER_BREATH = 64;

/** What went wrong in a turn, for a private log. */
export type ReportFailure = (error: unknown, turn: { readonly taskId: string; readonly contextId: string }) => void;

/** Runs one turn into its task, whoever watches. Never rejects; a turn that goes on after its task has ended is left. */
export async function runTurn(task: LiveTask, text: string, answer: AnswerTurn, report: ReportFailure): Promise<void> {
  const { id: taskId, contextId, abort } = task;
  task.work();
  try {
    let pieces = 0;
    const turn = { text, messageId: task.message.messageId, contextId, taskId, signal: abort.signal };
    for await (const piece of answer(turn)) {
      if (task.ended) return;
      task.add(piece);
      pieces += 1;
      if (pieces % PIECES_PER_BREATH === 0) await setImmediate();
    }
    task.complete();
  } catch (error) {
    if (task.ended || abort.signal.aborted) return;
    task.fail(error instanceof AgentFailure ? error : undefined);
    report(error, { taskId, contextId });
  }
}
