import { COURIER } from '../src/core/request/audit-of.ts';
import type { Approval, RequestEntry } from '../src/core/thread/entry.ts';
import type { EntryId, TaskId } from '../src/core/thread/ids.ts';
import type { Outgoing } from '../src/ports/agent.ts';
import type { Commit } from '../src/ports/store.ts';
import type { ThreadAccount, TurnAccount } from './account.ts';
import type { Findings } from './findings.ts';
import type { Mark } from './marks.ts';

const BY_PEOPLE: ReadonlySet<string> = new Set(['answered', 'approved', 'denied']);

/** Holds requests against their promise: each is put once, decided once, and the agent gets that decision. */
export class RequestAudit {
  readonly #findings: Findings;
  readonly #mark: (mark: Mark) => void;
  /** Decisions that became durable, and answers that people were told of as accepted, by request. */
  readonly #decisions = new Map<EntryId, number>();
  readonly #accepted = new Map<EntryId, number>();

  constructor(findings: Findings, mark: (mark: Mark) => void) {
    this.#findings = findings;
    this.#mark = mark;
  }

  wrote(turn: TurnAccount, entry: RequestEntry): void {
    const before = turn.requests.get(entry.id);
    turn.requests.set(entry.id, entry);
    this.#findings.unless(turn.state !== 'settled', () => `${turn.id} was settled, and ${entry.id} changes`);
    if (entry.state === 'open' && before) this.#mark('request-reopened');
    if (entry.state === 'canceled') this.#mark('request-canceled');
    if (entry.state !== 'answered') return;
    const again = before?.state === 'answered' && JSON.stringify(before.answer) !== JSON.stringify(entry.answer);
    this.#findings.unless(!again, () => `${entry.id} is decided twice`);
    this.#findings.unless(before !== undefined, () => `${entry.id} is answered, and nobody was asked`);
  }

  /** Someone was told that theirs is the answer. */
  accepted(id: EntryId): void {
    const accepted = add(this.#accepted, id);
    const decided = this.#decisions.get(id) ?? 0;
    this.#findings.unless(
      accepted <= decided,
      () => `${id} was accepted ${accepted} times and decided ${decided} times`,
    );
  }

  /** Messages that a commit takes without beginning their turn: typed while a question was open (decision 14). */
  took(
    thread: ThreadAccount,
    active: TurnAccount | undefined,
    { taken, audit = [] }: Commit,
    turns: Iterable<TurnAccount>,
  ): void {
    // A stop may come with the decision, and cancel in one commit what was decided: the audit has both.
    for (const { decision, request, type, atMs } of audit) {
      if (!BY_PEOPLE.has(decision)) continue;
      add(this.#decisions, request);
      const entry = active?.requests.get(request);
      // A message that was typed in time may wait for its task to be read.
      const isLate = type !== 'text' && entry !== undefined && atMs >= Date.parse(entry.until);
      this.#findings.unless(!isLate, () => `${request} was decided by a person after its time`);
    }
    for (const turn of turns) {
      if (turn.state !== 'pending' || !taken.includes(turn.message.id)) continue;
      const { text } = turn.message;
      const requests = [...(active?.requests.values() ?? [])];
      const isAnswer = requests.some(({ answer }) => answer?.answers.some((given) => given.includes(text)));
      this.#findings.unless(isAnswer, () => `${turn.id} was taken, and is neither a turn nor an answer`);
      this.#mark('answered-by-typing');
      turn.state = 'typed';
      thread.waiting.splice(thread.waiting.indexOf(turn.message), 1);
    }
  }

  /** What an answer that goes out must be: as committed with its request. */
  sends({ requests, id }: TurnAccount, message: Outgoing): void {
    const answers = [...requests.values()].flatMap(({ answer }) => answer?.answers.flat() ?? []);
    const own = message.actor?.id === COURIER.id || message.extension !== undefined;
    const known = own || answers.some((answer) => message.text.endsWith(answer));
    this.#findings.unless(known, () => `${id} answers "${message.text}", which nobody said`);
    this.#lets(requests, message);
  }

  /** No tool is let run that nobody approved: by a person exactly what they decided, by the courier none. */
  #lets(requests: TurnAccount['requests'], { messageId, actor, extension }: Outgoing): void {
    const sent = extension?.payload['approvals'];
    if (!Array.isArray(sent)) return;
    const entry = requests.get(requestOf(messageId) as EntryId);
    const decided = actor?.id === COURIER.id ? [] : (entry?.answer?.approvals ?? []);
    const approved = new Set(decided.flatMap((approval) => (approval.approved ? [approval.id] : [])));
    const running = (sent as readonly Approval[]).flatMap((approval) => (approval.approved ? [approval.id] : []));
    const isSame = running.length === approved.size && running.every((tool) => approved.has(tool));
    this.#findings.unless(
      isSame,
      () => `${messageId} lets ${running.join(', ')} run, approved: ${[...approved].join(', ')}`,
    );
  }

  /** An agent acted on an answer. */
  answered(turn: TurnAccount | undefined, message: Outgoing, task: TaskId): void {
    if (!turn) return this.#findings.add(`${task} got an answer of no turn: ${message.messageId}`);
    if (message.actor?.id === COURIER.id) return;
    const id = requestOf(message.messageId);
    const decided = (id && this.#decisions.get(id as EntryId)) ?? 0;
    this.#findings.unless(decided !== 0, () => `${task} got ${message.messageId}, which was not decided`);
  }
}

const requestOf = (messageId: string): string | undefined => /^(.*)\.answer\.\d+$/.exec(messageId)?.[1];

function add(counts: Map<EntryId, number>, id: EntryId): number {
  const count = (counts.get(id) ?? 0) + 1;
  counts.set(id, count);
  return count;
}
