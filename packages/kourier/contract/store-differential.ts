import assert from 'node:assert/strict';
import { LIMITS } from '../src/core/limits.ts';
import type { AuditRecord } from '../src/core/request/audit-record.ts';
import type { Entry, ThreadStatus } from '../src/core/thread/entry.ts';
import type { ContextId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Message } from '../src/core/thread/message.ts';
import type { Store } from '../src/ports/store.ts';
import { Choice } from './store-choice.ts';
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
  ...['found', 'absent'].flatMap((outcome) => [`threadOf ${outcome}`, `threadAt ${outcome}`, `delivery ${outcome}`]),
  ...['added', 'taken', 'rejected'].map((outcome) => `addPlace ${outcome}`),
  ...['done', 'rejected'].flatMap((outcome) => [`deliver ${outcome}`, `deliverAll ${outcome}`]),
  ...['some', 'none'].flatMap((outcome) => [`placesOf ${outcome}`, `undelivered ${outcome}`]),
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
    const group = choose.chance(0.1) ? burst(choose) : [choose.chance(0.4) ? read(choose) : writeAlone(choose)];
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
  return kind ?? status ?? 'found';
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
    'place',
    'deliver',
    'rest',
  ] as const);
  if (kind === 'open') return open(choose);
  if (kind === 'accept') return accept(choose, choose.thread());
  if (kind === 'claim') return claim(choose);
  if (kind === 'commit') return commit(choose);
  if (kind === 'place') return addPlace(choose);
  if (kind === 'deliver') return deliver(choose);
  const owner = choose.owner();
  const thread = choose.thread();
  if (choose.chance(0.5)) return { name: 'release', perform: (store) => store.release(thread, owner).then(done) };
  const untilMs = choose.below(1_000);
  return { name: 'extend', perform: (store) => store.extend({ owner, untilMs }).then(done) };
}

function writeAlone(choose: Choice): Operation {
  return choose.chance(0.1) ? deliverAll(choose) : write(choose);
}

function done() {
  return { kind: 'done' };
}

function open(choose: Choice, { binding, place } = choose.place()): Operation {
  const thread = { id: choose.newThread(), binding, platform: choose.platform() };
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

function addPlace(choose: Choice): Operation {
  const thread = choose.thread();
  const place = choose.furtherPlace();
  return { name: 'addPlace', perform: async (store) => ({ kind: await store.addPlace(thread, place) }) };
}

function deliver(choose: Choice): Operation {
  const thread = choose.thread();
  const delivery = { revision: choose.below(400), state: stateOf(choose) };
  return { name: 'deliver', perform: (store) => store.deliver(thread, delivery).then(done) };
}

/** Up to the thread's revision or a little short of it. Two calls, so that it is asked for alone. */
function deliverAll(choose: Choice): Operation {
  const thread = choose.thread();
  const short = choose.one([0, 0, 1]);
  const state = stateOf(choose);
  const perform = async (store: Store) => {
    const revision = ((await store.timeline(thread))?.revision ?? 1) - short;
    return store.deliver(thread, { revision, state }).then(done);
  };
  return { name: 'deliverAll', perform };
}

function stateOf(choose: Choice): unknown {
  return choose.one<unknown>([null, '', choose.below(100), { posts: [{ ref: 'x'.repeat(choose.below(300)) }] }]);
}

function read(choose: Choice): Operation {
  if (choose.chance(0.4)) return readDelivery(choose);
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

function readDelivery(choose: Choice): Operation {
  const thread = choose.thread();
  const kind = choose.one(['threadAt', 'placesOf', 'delivery', 'undelivered'] as const);
  if (kind === 'placesOf') return { name: kind, perform: (store) => store.placesOf(thread) };
  if (kind === 'delivery') return { name: kind, perform: (store) => store.delivery(thread) };
  if (kind === 'threadAt') {
    const binding = choose.binding();
    const place = choose.furtherPlace();
    return { name: kind, perform: (store) => store.threadAt(binding, place) };
  }
  const platform = choose.platform();
  const limit = choose.below(8);
  return { name: kind, perform: (store) => store.undelivered(platform, limit) };
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
