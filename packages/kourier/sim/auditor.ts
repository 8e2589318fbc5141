import type { Entry } from '../src/core/thread/entry.ts';
import type { MessageId, TaskId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { Turn } from '../src/core/turn/turn.ts';
import type { Outgoing, StreamEnd } from '../src/ports/agent.ts';
import type { Commit } from '../src/ports/store.ts';
import { LEAVES_TASK, newTurn, type ThreadAccount, type TurnAccount, textOf } from './account.ts';
import type { Run } from './agent-server.ts';
import { auditAgent } from './audit-agent.ts';
import { auditSettled, auditShape } from './audit-commit.ts';
import { RequestAudit } from './audit-requests.ts';
import type { Disk, DiskWatcher } from './disk.ts';
import type { Findings } from './findings.ts';
import type { Life } from './machine.ts';
import { isMark, type Mark } from './marks.ts';
import type { CallWatcher } from './sim-agent.ts';

/**
 * Keeps its own simple account of every thread and turn from what becomes durable, what is called and what the agents
 * do, and holds each of them against the promises at the moment at which it happens.
 */
export class Auditor implements DiskWatcher, CallWatcher {
  readonly threads = new Map<ThreadId, ThreadAccount>();
  readonly turns = new Map<TurnId, TurnAccount>();
  readonly requests: RequestAudit;
  readonly #byMessage = new Map<MessageId, TurnAccount>();
  readonly #texts = new Set<string>();
  readonly #findings: Findings;
  readonly #mark: (mark: Mark) => void;
  readonly #disk: Disk;
  readonly #nowMs: () => number;

  constructor(findings: Findings, mark: (mark: Mark) => void, nowMs: () => number, disk: Disk) {
    this.#findings = findings;
    this.requests = new RequestAudit(findings, mark);
    this.#mark = mark;
    this.#nowMs = nowMs;
    this.#disk = disk;
  }

  accepted(id: ThreadId, binding: string, message: Message): void {
    const thread: ThreadAccount = this.threads.get(id) ?? {
      id,
      binding,
      waiting: [],
      turns: [],
      revision: 0,
      stopsAhead: 0,
    };
    this.threads.set(id, thread);
    this.#findings.unless(!this.#texts.has(message.text), () => `"${message.text}" was accepted twice`);
    this.#texts.add(message.text);
    thread.waiting.push(message);
    if (message.turnId === undefined) return;
    const turn = newTurn(id, message.turnId, message);
    thread.turns.push(turn);
    this.turns.set(turn.id, turn);
    this.#byMessage.set(turn.messageId, turn);
  }

  claimed(id: ThreadId, owner: string): void {
    const thread = this.threads.get(id);
    if (!thread) return;
    if (thread.active) {
      this.#mark('taken-up');
      thread.active.mayResend = true;
      thread.active.takenUp = true;
      if (thread.owner !== undefined && thread.owner !== owner) this.#mark('lease-taken-over');
    }
    thread.owner = owner;
  }

  released(id: ThreadId): void {
    delete this.threads.get(id)?.owner;
  }

  committed(commit: Commit, revision: number): void {
    const thread = this.threads.get(commit.thread.id);
    if (!thread) return this.#findings.add(`a commit to ${commit.thread.id}, which nobody opened`);
    const { owner } = commit;
    this.#findings.unless(thread.owner === owner, () => `${owner} wrote ${thread.id}, which ${thread.owner} holds`);
    this.#findings.unless(
      revision > thread.revision,
      () => `${thread.id}: revision ${revision} after ${thread.revision}`,
    );
    thread.revision = revision;
    const { active } = thread;
    const before = active ? textOf(active) : '';
    for (const entry of commit.entries) this.#wrote(thread, entry);
    const after = active ? textOf(active) : '';
    // What another run of the same message had said is not taken back: it was never part of this one.
    const goesBack = active?.runs.length === 1 && after.length < before.length && before.startsWith(after);
    this.#findings.unless(!goesBack, () => `${active?.id} goes back from "${before}" to "${after}"`);
    const { turn } = commit.thread;
    const began = turn && thread.active?.id !== turn.id ? turn.id : undefined;
    const others = thread.turns.filter(({ id }) => id !== began);
    this.requests.took(thread, active, commit, others);
    if (thread.active && thread.active.id !== turn?.id) this.#settled(thread, thread.active, commit);
    if (turn && thread.active?.id !== turn.id) this.#began(thread, turn, commit);
    if (turn && thread.active) this.#moved(thread.active, turn);
    auditShape(commit, this.#findings);
  }

  /** A person was told that their thread is being stopped; `turn` was active when they asked. */
  stopping(id: ThreadId, turn: TurnId | undefined, life: Life): void {
    const thread = this.threads.get(id);
    const stopped = [turn && this.turns.get(turn), thread?.active].filter((account) => account !== undefined);
    for (const account of new Set(stopped)) account.stops++;
    // A courier that has lost its thread without knowing says so in good faith, and cannot stop anything.
    const isHolder = thread?.owner === life.name;
    if (isHolder && turn !== undefined && thread.active?.id === turn) thread.active.mustStop = true;
    if (thread && stopped.length === 0) thread.stopsAhead++;
  }

  sending(life: Life, message: Outgoing, agent: string): void {
    if (message.taskId !== undefined) return this.#answering(life, message.taskId, message, agent);
    const turn = this.#byMessage.get(message.messageId);
    if (!turn) return this.#findings.add(`${life.name} sends ${message.messageId}, which no message has`);
    const { id } = turn;
    this.#mustLive(life, `sends ${id}`);
    this.#findings.unless(turn.sendCommitted, () => `${life.name} sends ${id} before that is durable`);
    this.#findings.unless(message.text === turn.text, () => `${life.name} sends another text for ${id}`);
    const row = this.#disk.look(turn.thread);
    auditAgent(this.threads.get(turn.thread), agent, row?.thread, this.#findings);
    // One that has lost its thread without knowing may still send what it had committed.
    const isHolder = row?.lease?.owner === life.name;
    if (row?.lease?.owner === life.name) {
      const { turn: durable, contextId } = row.thread;
      this.#findings.unless(
        durable?.id === id && durable.step.kind === 'send',
        () => `${life.name} sends ${id}, and the disk says ${JSON.stringify(durable?.step)} of ${durable?.id}`,
      );
      this.#findings.unless(durable?.taskId === undefined, () => `${id} is sent again after its task was named`);
      this.#findings.unless(
        message.contextId === contextId,
        () => `${id} goes into ${message.contextId}, not ${contextId}`,
      );
      this.#findings.unless(turn.sends === 0 || turn.mayResend, () => `${id} is sent again without an unknown outcome`);
    }
    turn.sends++;
    turn.mayResend = !isHolder;
  }

  #answering(life: Life, task: TaskId, message: Outgoing, agent: string): void {
    this.#mustLive(life, `answers ${task}`);
    for (const { thread, lease } of this.#disk.threads()) {
      const { turn } = thread;
      if (turn?.taskId !== task || lease?.owner !== life.name) continue;
      const { step, answering } = turn;
      auditAgent(this.threads.get(thread.id), agent, thread, this.#findings);
      const isDurable = step.kind === 'answer' && answering?.messageId === message.messageId && answering.sent;
      this.#findings.unless(isDurable === true, () => `${life.name} answers ${task}, and the disk says ${step.kind}`);
      this.#findings.unless(answering?.text === message.text, () => `${life.name} answers ${task} with another text`);
      const account = this.turns.get(turn.id);
      if (account) this.requests.sends(account, message);
    }
  }

  /** An agent has acted on an answer. */
  answered(message: Outgoing, task: TaskId): void {
    this.requests.answered(
      [...this.turns.values()].find(({ taskId }) => taskId === task),
      message,
      task,
    );
  }

  sendEnded(_: Life, message: Outgoing, end: StreamEnd): void {
    const turn = this.#byMessage.get(message.messageId);
    const again = ['unknown', 'busy', 'not-sent', 'closed', 'cut'];
    if (turn && again.includes(end.kind)) turn.mayResend = true;
  }

  calling(life: Life, call: 'subscribe' | 'get' | 'cancel', task: TaskId, agent: string): void {
    this.#mustLive(life, `calls ${call} of ${task}`);
    for (const { thread, lease } of this.#disk.threads()) {
      const { turn } = thread;
      if (turn?.taskId !== task || lease?.owner !== life.name) continue;
      auditAgent(this.threads.get(thread.id), agent, thread, this.#findings);
      const steps = {
        subscribe: ['subscribe'],
        get: ['read', 'check-cancel', 'check-answer', 'check-typed'],
        cancel: ['cancel'],
      }[call];
      this.#findings.unless(
        steps.includes(turn.step.kind),
        () => `${life.name} calls ${call} of ${task}, and the disk says ${turn.step.kind}`,
      );
      const account = this.turns.get(turn.id);
      if (call === 'cancel' && account) account.cancels++;
    }
  }

  /** An agent has acted on a message. */
  ran(run: Run, openTasks: ReadonlySet<TaskId>): void {
    const turn = this.#byMessage.get(run.message.messageId);
    if (!turn) return this.#findings.add(`${run.agent} ran ${run.message.messageId}, which no message has`);
    turn.runs.push(run);
    this.#findings.unless(run.message.text === turn.text, () => `${run.agent} got another text for ${turn.id}`);
    if (turn.state !== 'active') return;
    for (const other of this.threads.get(turn.thread)?.turns ?? []) {
      const open = other !== turn && other.taskId !== undefined && openTasks.has(other.taskId);
      const left = other.state === 'settled' && other.notices.some(({ code }) => LEAVES_TASK.has(code));
      this.#findings.unless(!open || left, () => `${turn.id} runs while ${other.taskId} of ${other.id} does`);
    }
  }

  #mustLive(life: Life, what: string): void {
    this.#findings.unless(!life.drained, () => `${life.name} ${what} after it had drained`);
  }

  #wrote(thread: ThreadAccount, entry: Entry): void {
    if (entry.kind === 'message') return;
    const turn = this.turns.get(entry.turnId);
    if (!turn || turn.thread !== thread.id)
      return this.#findings.add(`${entry.kind} of ${entry.turnId} in ${thread.id}`);
    if (entry.kind === 'request') return this.requests.wrote(turn, entry);
    if (entry.kind === 'step') {
      this.#findings.unless(turn.state !== 'settled', () => `${turn.id} was settled, and a step of it changes`);
      turn.steps.set(entry.id, entry);
      return;
    }
    if (entry.kind === 'answer') {
      this.#findings.unless(turn.state !== 'settled', () => `${turn.id} was settled, and its answer changes`);
      turn.answers.set(entry.id, entry);
      return;
    }
    const word = `told-${entry.code}`;
    if (isMark(word)) this.#mark(word);
    const allowed = entry.code === 'cancel-failed' ? 1 + turn.stops : 1;
    const before = turn.notices.filter(({ code }) => code === entry.code).length;
    // An answer, also a denial of the courier's own, is sent and told of apart from its turn.
    const answers = {
      'answer-the-prompt': turn.requests.size,
      'request-failed': turn.requests.size,
      busy: turn.taskId ? 1 : 0,
    };
    const perRequest = entry.code in answers && answers[entry.code as keyof typeof answers] > 0;
    this.#findings.unless(
      before < allowed || perRequest || entry.code === 'context-lost',
      () => `${turn.id} is told ${entry.code} twice`,
    );
    turn.notices.push(entry);
  }

  #began(thread: ThreadAccount, turn: Turn, commit: Commit): void {
    const account = this.turns.get(turn.id);
    if (!account) return this.#findings.add(`${turn.id} began, and nobody wrote it`);
    this.#findings.unless(account.state === 'pending', () => `${turn.id} begins again: it is ${account.state}`);
    const next = thread.waiting.find(({ turnId }) => turnId !== undefined);
    this.#findings.unless(next?.turnId === turn.id, () => `${turn.id} begins before ${next?.turnId}`);
    const at = thread.waiting.findIndex(({ turnId }) => turnId === turn.id);
    account.asides = thread.waiting.splice(0, at + 1).slice(0, -1);
    const taken = new Set<string>(commit.taken);
    const wanted = [...account.asides, account.message];
    this.#findings.unless(
      wanted.every(({ id }) => taken.has(id)),
      () => `${turn.id} begins, and its messages stay pending`,
    );
    this.#findings.unless(
      wanted.every(({ text }) => turn.text.includes(text)),
      () => `${turn.id} does not carry what was said: ${turn.text}`,
    );
    this.#findings.unless(
      turn.messageId === account.messageId,
      () => `${turn.id} has the message id ${turn.messageId}`,
    );
    account.state = 'active';
    account.stops += thread.stopsAhead;
    thread.stopsAhead = 0;
    account.text = turn.text;
    thread.active = account;
  }

  #moved(account: TurnAccount, turn: Turn): void {
    this.#findings.unless(account.text === turn.text, () => `${turn.id} changed its text`);
    this.#findings.unless(
      account.taskId === undefined || account.taskId === turn.taskId,
      () => `${turn.id} changed its task from ${account.taskId} to ${turn.taskId}`,
    );
    if (turn.taskId !== undefined) account.taskId = turn.taskId;
    if (account.mustStop) account.commitsSinceStop++;
    if (turn.step.kind === 'send') account.sendCommitted = true;
    if (turn.step.kind === 'look-up') this.#mark('looked-up');
    if (turn.stopping) this.#mark('stopped-before-task');
    if (turn.stopping || turn.step.kind === 'cancel' || turn.step.kind === 'check-cancel') account.stopCommitted = true;
  }

  #settled(thread: ThreadAccount, account: TurnAccount, commit: Commit): void {
    account.state = 'settled';
    account.settledAtMs = this.#nowMs();
    delete thread.active;
    auditSettled(account, commit, this.#findings);
  }
}
