import { ENDS, type TurnAccount } from './account.ts';
import type { AgentServer } from './agent-server.ts';
import type { Auditor } from './auditor.ts';
import type { Disk } from './disk.ts';
import type { Findings } from './findings.ts';

/** Settled accounts: what must be true when everything has healed and come to rest. */
export function auditEnd(auditor: Auditor, disk: Disk, servers: Iterable<AgentServer>, findings: Findings): void {
  for (const row of disk.threads()) {
    findings.unless(row.thread.turn === undefined, () => `${row.id} still has ${row.thread.turn?.id}`);
    findings.unless(row.status === 'idle', () => `${row.id} is ${row.status} at the end`);
    const streaming = row.timeline.filter(({ entry }) => entry.kind === 'answer' && entry.streaming);
    findings.unless(streaming.length === 0, () => `${streaming.map(({ id }) => id).join(', ')} still streams`);
    const waiting = row.pending.filter(({ turnId }) => turnId !== undefined);
    findings.unless(waiting.length === 0, () => `${row.id} still owes ${waiting.map(({ id }) => id).join(', ')}`);
  }
  findings.unless(disk.owing(1).length === 0, () => `the store still owes ${disk.owing(10).join(', ')}`);
  const byTask = new Map([...servers].flatMap(({ runs }) => runs.map((run) => [run.task?.id, run] as const)));
  for (const turn of auditor.turns.values()) auditTurn(turn, byTask, findings);
}

function auditTurn(
  turn: TurnAccount,
  byTask: ReadonlyMap<string | undefined, TurnAccount['runs'][number]>,
  findings: Findings,
): void {
  const { id, notices, answer, state } = turn;
  findings.unless(state === 'settled', () => `${id} is ${state} at the end`);
  const ends = notices.filter(({ code }) => ENDS.has(code)).map(({ code }) => code);
  findings.unless(ends.length > 0 || (answer?.text ?? '') !== '', () => `${id} got neither an answer nor a word`);
  findings.unless(isOneEnd(ends, turn.stops > 0), () => `${id} ended ${ends.join(' and ')}`);
  const completed = ends.length === 0 || (ends.length === 1 && ends[0] === 'task-failed');
  if (completed) auditText(turn, byTask, findings);
  if (turn.stops === 0 || turn.stopCommits > 0) return;
}

/** One word ends a turn. A cancel that was told beforehand may be followed by how the task did end. */
function isOneEnd(ends: readonly string[], stopped: boolean): boolean {
  if (ends.length <= 1) return true;
  const rest = ends.filter(
    (code) => code !== 'pause-unusable' && code !== 'limit-exceeded' && !(stopped && code === 'cancel-failed'),
  );
  return rest.length <= 1;
}

/** What the thread shows is what the agent said last, of the task that the courier followed. */
function auditText(
  { id, taskId, answer, runs, state }: TurnAccount,
  byTask: ReadonlyMap<string | undefined, TurnAccount['runs'][number]>,
  findings: Findings,
): void {
  if (state !== 'settled') return;
  const shown = answer?.text ?? '';
  if (taskId === undefined) {
    const said = runs.map((run) => run.said);
    findings.unless(said.includes(shown), () => `${id} shows "${shown}", and the agent said ${said.join(', ')}`);
    return;
  }
  const task = byTask.get(taskId)?.task;
  findings.unless(task !== undefined, () => `${id} followed ${taskId}, which no agent has`);
  findings.unless(task?.text() === shown, () => `${id} shows "${shown}", and ${taskId} says "${task?.text()}"`);
}
