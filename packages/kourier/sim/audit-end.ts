import { ENDS, FOREWORDS, type TurnAccount, textOf } from './account.ts';
import type { AgentServer, Run } from './agent-server.ts';
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
    const open = row.timeline.filter(({ entry }) => entry.kind === 'request' && entry.state === 'open');
    findings.unless(open.length === 0, () => `${open.map(({ id }) => id).join(', ')} still open`);
    const waiting = row.pending.filter(({ turnId }) => turnId !== undefined);
    findings.unless(waiting.length === 0, () => `${row.id} still owes ${waiting.map(({ id }) => id).join(', ')}`);
  }
  findings.unless(disk.owing(1).length === 0, () => `the store still owes ${disk.owing(10).join(', ')}`);
  const byTask = new Map([...servers].flatMap(({ runs }) => runs.map((run) => [run.task?.id, run] as const)));
  for (const turn of auditor.turns.values()) auditTurn(turn, byTask, findings);
}

type ByTask = ReadonlyMap<string | undefined, Run>;

function auditTurn(turn: TurnAccount, byTask: ByTask, findings: Findings): void {
  const { id, notices, state } = turn;
  if (state === 'typed') return;
  findings.unless(state === 'settled', () => `${id} is ${state} at the end`);
  const ends = notices.filter(({ code }) => ENDS.has(code)).map(({ code }) => code);
  findings.unless(ends.length > 0 || textOf(turn) !== '', () => `${id} got neither an answer nor a word`);
  findings.unless(isOneEnd(ends, turn), () => `${id} ended ${ends.join(' and ')}`);
  auditSteps(turn, byTask, findings);
  auditCancel(turn, byTask, findings);
  const completed = ends.length === 0 || (ends.length === 1 && ends[0] === 'task-failed');
  if (completed) auditText(turn, byTask, findings);
}

/** Each call of the task is one step, which ended as the call did, and nothing runs on. */
function auditSteps({ id, taskId, steps, notices }: TurnAccount, byTask: ByTask, findings: Findings): void {
  const shown = new Map([...steps.values()].map((step) => [step.callId, step.state] as const));
  findings.unless(shown.size === steps.size, () => `${id} shows a call twice: ${JSON.stringify([...steps.values()])}`);
  const running = [...steps.values()].some(({ state }) => state === 'running');
  findings.unless(!running, () => `${id} is settled and a step of it runs on`);
  const task = taskId === undefined ? undefined : byTask.get(taskId)?.task;
  if (task?.state !== 'completed' || notices.length > 0) return;
  for (const [callId, state] of task.calls) {
    const wanted = state === 'running' ? 'done' : state;
    findings.unless(
      shown.get(callId) === wanted,
      () => `${id} shows ${callId} as ${shown.get(callId)}, and it is ${state}`,
    );
  }
}

/** A thread is told that its task was cancelled only when it was. */
function auditCancel({ id, taskId, notices }: TurnAccount, byTask: ByTask, findings: Findings): void {
  const told = notices.some(({ code }) => code === 'task-canceled');
  const task = taskId === undefined ? undefined : byTask.get(taskId)?.task;
  findings.unless(
    !told || !task || task.state === 'canceled',
    () => `${id} is told of a cancel, and ${taskId} is ${task?.state}`,
  );
}

/** One word ends a turn. A cancel that was told beforehand may be followed by how the task did end. */
function isOneEnd(ends: readonly string[], { stops, requests, taskId }: TurnAccount): boolean {
  if (ends.length <= 1) return true;
  const rest = ends.filter((code) => !FOREWORDS.has(code) && !(stops > 0 && code === 'cancel-failed'));
  // An answer that did not reach its task is told, and the turn goes on.
  const isWord = (code: string) =>
    (code === 'unreachable' && taskId !== undefined) || (code === 'request-failed' && requests.size > 0);
  return rest.filter((code) => !isWord(code)).length <= 1;
}

/** What the thread shows is what the agent said last, of the task that the courier followed. */
function auditText(turn: TurnAccount, byTask: ByTask, findings: Findings): void {
  const { id, taskId, runs, state } = turn;
  if (state !== 'settled') return;
  const shown = textOf(turn);
  if (taskId === undefined) {
    const said = runs.map((run) => run.said);
    findings.unless(said.includes(shown), () => `${id} shows "${shown}", and the agent said ${said.join(', ')}`);
    return;
  }
  const task = byTask.get(taskId)?.task;
  findings.unless(task !== undefined, () => `${id} followed ${taskId}, which no agent has`);
  // What was heard is gone with its courier, and the agent's own store did not have it yet (case C058).
  const mayLag = turn.takenUp && task !== undefined && (turn.settledAtMs ?? 0) < task.visibleAtMs;
  const same = mayLag ? isOlder(shown, task.text()) : task?.text() === shown;
  findings.unless(same, () => `${id} shows "${shown}", and ${taskId} says "${task?.text()}"`);
}

/** Each text of it is the beginning of one of the task's. */
function isOlder(shown: string, text: string): boolean {
  const texts = text.split('\n\n');
  return shown.split('\n\n').every((older) => texts.some((whole) => whole.startsWith(older)));
}
