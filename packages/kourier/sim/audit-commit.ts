import type { Commit } from '../src/ports/store.ts';
import type { TurnAccount } from './account.ts';
import type { Findings } from './findings.ts';

/** What every commit must say of itself: only its own turn streams, and it owes while there is one. */
export function auditShape({ thread, entries, owes, status }: Commit, findings: Findings): void {
  const { id, turn } = thread;
  const open = entries.filter((entry) => entry.kind === 'answer' && entry.streaming && entry.turnId !== turn?.id);
  findings.unless(open.length === 0, () => `${open.map((entry) => entry.id)} streams after its turn`);
  findings.unless(owes === (turn !== undefined), () => `${id} says it owes ${owes}`);
  findings.unless(turn !== undefined || status === 'idle', () => `${id} is ${status}, without a turn`);
}

/** What the commit that ends a turn must be: a stop was heeded, and the context of the answer is kept (rule S3). */
export function auditSettled(account: TurnAccount, { thread }: Commit, findings: Findings): void {
  const { id, mustStop, stopCommitted, commitsSinceStop, takenUp } = account;
  // What was under way when the stop was asked for may be written before it, and a courier that dies takes it along.
  const heeded = !mustStop || stopCommitted || takenUp || commitsSinceStop <= 2;
  findings.unless(heeded, () => `${id} was to be stopped and went on`);
  const gone = account.notices.some(({ code }) => code === 'session-gone');
  const context = account.runs.find(({ task }) => task !== undefined && task.id === account.taskId)?.contextId;
  const kept = context === undefined || gone || thread.contextId === context;
  findings.unless(kept, () => `${id} was answered in ${context}, and ${thread.contextId} is kept`);
}
