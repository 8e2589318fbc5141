import assert from 'node:assert/strict';
import { LIMITS } from '../src/core/limits.ts';
import type { AuditRecord } from '../src/core/request/audit-record.ts';
import type { Entry, ThreadStatus } from '../src/core/thread/entry.ts';
import type { ContextId, EntryId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { Store } from '../src/ports/store.ts';
import { auditRecord } from './store-samples.ts';

/** What a run must have seen before it may end, as `operation outcome`. */
const WANTED: readonly string[] = [
  ...['accepted', 'repeated', 'full', 'rejected'].map((outcome) => `open ${outcome}`),
  ...['accepted', 'repeated', 'full', 'missing', 'rejected'].map((outcome) => `accept ${outcome}`),
  ...['claimed', 'held', 'missing'].map((outcome) => `claim ${outcome}`),
  ...['committed', 'lost'].map((outcome) => `commit ${outcome}`),
  ...['done'].flatMap((outcome) => [`extend ${outcome}`, `release ${outcome}`]),
  ...['some', 'none'].flatMap((outcome) => [`pending ${outcome}`, `owing ${outcome}`, `audit ${outcome}`]),
  ...['some', 'none'].map((outcome) => `auditOf ${outcome}`),
  ...['found', 'absent'].map((outcome) => `threadOf ${outcome}`),
  ...['idle', 'queued', 'running', 'waiting', 'absent'].flatMap((outcome) => [
    `timeline ${outcome}`,
    `changes ${outcome}`,
  ]),
];

const LEAST_STEPS = 1_000;
const MOST_STEPS = 50_000;

interface Operation {
  readonly name: string;
  readonly perform: (store: Store) => Promise<unknown>;
}

/**
 * Asks both stores the same random things until every operation has had every outcome, and compares each answer.
 * Writes are asked for one by one and several at once. Deterministic for a seed.
 */
export async function storeDifferential(oracle: Store, subject: Store, seed: number): Promise<number> {
  const choose = new Choice(seed);
  const seen = new Set<string>();
  const wanting = () => WANTED.filter((mark) => !seen.has(mark));
  let steps = 0;
  while (steps < LEAST_STEPS || wanting().length > 0) {
    assert.ok(steps < MOST_STEPS, `seed ${seed}: never seen in ${steps} steps: ${wanting().join(', ')}`);
    const group = choose.chance(0.1) ? burst(choose) : choose.chance(0.3) ? [read(choose)] : [write(choose)];
    const [expected, actual] = await Promise.all([ask(oracle, group), ask(subject, group)]);
    for (const [index, { name }] of group.entries()) {
      assert.deepEqual(actual[index], expected[index], `seed ${seed}, step ${steps}: ${name}`);
      seen.add(`${name} ${outcomeOf(expected[index])}`);
      steps++;
    }
  }
  return steps;
}

async function ask(store: Store, group: readonly Operation[]): Promise<readonly unknown[]> {
  const answers = await Promise.allSettled(group.map(({ perform }) => perform(store)));
  return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : { kind: 'rejected' }));
}

function outcomeOf(answer: unknown): string {
  if (answer === undefined) return 'absent';
  if (typeof answer === 'string') return 'found';
  if (Array.isArray(answer)) return answer.length > 0 ? 'some' : 'none';
  const { kind, status } = answer as { kind?: string; status?: string };
  return kind ?? status ?? '';
}

/** Several writes asked for at once; now and then so many messages for one thread that it is full. */
function burst(choose: Choice): readonly Operation[] {
  const writes = Array.from({ length: choose.below(6) + 2 }, () => write(choose));
  if (choose.chance(0.8)) return writes;
  const thread = choose.thread();
  const place = choose.chance(0.5) ? { ...choose.place(), place: 'p' } : undefined;
  const next = () => (place === undefined ? accept(choose, thread) : open(choose, place));
  return [...Array.from({ length: LIMITS.pendingMessages + 5 }, next), ...writes];
}

function write(choose: Choice): Operation {
  const kind = choose.one([
    'open',
    'accept',
    'accept',
    'claim',
    'claim',
    'commit',
    'commit',
    'commit',
    'rest',
  ] as const);
  if (kind === 'open') return open(choose);
  if (kind === 'accept') return accept(choose, choose.thread());
  if (kind === 'claim') return claim(choose);
  if (kind === 'commit') return commit(choose);
  const owner = choose.owner();
  const thread = choose.thread();
  if (choose.chance(0.5)) return { name: 'release', perform: (store) => store.release(thread, owner).then(done) };
  const untilMs = choose.below(1_000);
  return { name: 'extend', perform: (store) => store.extend({ owner, untilMs }).then(done) };
}

function done() {
  return { kind: 'done' };
}

function open(choose: Choice, { binding, place } = choose.place()): Operation {
  const thread = { id: choose.newThread(), binding };
  const message = messageOf(choose);
  const options = { ...choose.maybe('key', 30), ...(place === '' ? {} : { place }) };
  return { name: 'open', perform: (store) => store.open(thread, message, options) };
}

function accept(choose: Choice, thread: ThreadId): Operation {
  const message = messageOf(choose);
  const options = choose.maybe('key', 30);
  return { name: 'accept', perform: (store) => store.accept(thread, message, options) };
}

function claim(choose: Choice): Operation {
  const thread = choose.thread();
  const nowMs = choose.below(1_000);
  const lease = { owner: choose.owner(), untilMs: nowMs + choose.below(200) };
  return { name: 'claim', perform: (store) => store.claim(thread, lease, nowMs) };
}

function commit(choose: Choice): Operation {
  const thread = { id: choose.thread(), binding: 'ops', contextId: `context-${choose.below(100)}` as ContextId };
  const asked = {
    owner: choose.owner(),
    thread,
    status: choose.one<ThreadStatus>(['idle', 'idle', 'queued', 'running', 'waiting']),
    owes: choose.chance(0.2),
    entries: Array.from({ length: choose.below(5) }, () => entryOf(choose)),
    ...(choose.chance(0.3)
      ? { audit: Array.from({ length: choose.below(4) }, () => recordOf(choose, thread.id)) }
      : {}),
    taken: choose.chance(0.2) ? choose.everyMessage() : Array.from({ length: 100 }, () => choose.knownMessage()),
  };
  return { name: 'commit', perform: (store) => store.commit(asked) };
}

function read(choose: Choice): Operation {
  const thread = choose.thread();
  const kind = choose.one(['pending', 'owing', 'timeline', 'changes', 'threadOf', 'audit'] as const);
  if (kind === 'audit') return audit(choose);
  if (kind === 'threadOf') {
    const entry = choose.chance(0.5) ? choose.entry() : choose.knownMessage();
    return { name: kind, perform: (store) => store.threadOf(entry) };
  }
  if (kind === 'pending') return { name: kind, perform: (store) => store.pending(thread) };
  if (kind === 'timeline') return { name: kind, perform: (store) => store.timeline(thread) };
  const number = choose.below(kind === 'owing' ? 8 : 200);
  if (kind === 'owing') return { name: kind, perform: (store) => store.owing(number) };
  return { name: kind, perform: (store) => store.changes(thread, number) };
}

function audit(choose: Choice): Operation {
  const query = { limit: choose.below(8), ...(choose.chance(0.7) ? { before: choose.below(300) } : {}) };
  if (choose.chance(0.5)) return { name: 'audit', perform: (store) => store.audit(query) };
  const thread = choose.thread();
  return { name: 'auditOf', perform: (store) => store.audit({ ...query, thread }) };
}

function messageOf(choose: Choice): Message {
  const id = choose.message();
  const turn = choose.chance(0.7) ? { turnId: `turn-${id}` as TurnId } : {};
  const actor = choose.chance(0.7) ? { actor: { id: 'u1' } } : {};
  return { id, ...turn, ...actor, text: `text ${choose.below(1_000)}`, atMs: choose.below(1_000_000) };
}

function entryOf(choose: Choice): Entry {
  const id = choose.entry();
  const text = 'x'.repeat(choose.below(300));
  return { kind: 'answer', id, turnId: 'turn-x' as TurnId, text, streaming: choose.chance(0.5) };
}

function recordOf(choose: Choice, thread: ThreadId): AuditRecord {
  const decision = choose.one<AuditRecord['decision']>(['approved', 'denied', 'expired']);
  return auditRecord(choose.entry(), { thread, decision, atMs: choose.below(1_000_000) });
}

/** Seeded chance (mulberry32) over small sets of names, so that they meet. */
class Choice {
  #state: number;
  #messages = 0;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296) * limit);
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  one<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  maybe<Name extends string>(name: Name, names: number): { readonly [key in Name]?: string } {
    const value = { [name]: `${name}-${this.below(names)}` } as { readonly [key in Name]: string };
    return this.chance(0.3) ? value : {};
  }

  /** `thread-0` is never opened. */
  thread(): ThreadId {
    return `thread-${this.below(13)}` as ThreadId;
  }

  newThread(): ThreadId {
    return `thread-${this.below(12) + 1}` as ThreadId;
  }

  place() {
    return { binding: this.one(['ops', 'research']), place: this.one(['', '', 'p', 'q']) };
  }

  /** The same in several threads. */
  entry(): EntryId {
    return `entry-${this.below(60)}` as EntryId;
  }

  owner(): string {
    return this.one(['a', 'a', 'b']);
  }

  /** Mostly a new one. */
  message(): EntryId {
    return this.chance(0.1) ? this.knownMessage() : (`message-${++this.#messages}` as EntryId);
  }

  everyMessage(): readonly EntryId[] {
    return Array.from({ length: this.#messages }, (_, index) => `message-${index + 1}` as EntryId);
  }

  /** One of the last. */
  knownMessage(): EntryId {
    return `message-${Math.max(0, this.#messages - this.below(400))}` as EntryId;
  }
}
