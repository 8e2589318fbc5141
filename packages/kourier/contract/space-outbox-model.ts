import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HeldQueue } from '../src/ports/space/outbox-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import { prepared, type SpaceStoreKind, seen } from './space-store-samples.ts';

const TASKS = 3;
const SINKS = ['a', 'b'];

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('owe'), task: fc.nat(TASKS - 1), sinks: fc.subarray(SINKS) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('claim'),
      sink: fc.constantFrom(...SINKS),
      limit: fc.integer({ min: 1, max: 3 }),
      forMs: fc.nat(20),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('deliver'), held: fc.nat(), events: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release'), held: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('fail'), held: fc.nat(), inMs: fc.option(fc.nat(20)) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay'), dead: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(20) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a queue is, as the port's comments say it. */
interface ModelQueue {
  readonly task: string;
  readonly sink: string;
  readonly events: string[];
  dueAt: number;
  diedAt: number | undefined;
  attempts: number;
  holder: Held | undefined;
}

interface Held {
  readonly queue: HeldQueue;
  readonly model: ModelQueue;
}

/** Told the same story as the store, and asked the same questions. */
class Story {
  readonly #store: SpaceStore;
  #queues: ModelQueue[] = [];
  readonly #holds: Held[] = [];
  #now = 1_000;
  #events = 0;

  constructor(store: SpaceStore) {
    this.#store = store;
  }

  async tell(told: Step): Promise<void> {
    if (told.kind === 'owe') await this.#owe(`task-${told.task}`, told.sinks);
    else if (told.kind === 'claim') await this.#claim(told.sink, told.limit, told.forMs);
    else if (told.kind === 'deliver') await this.#deliver(this.#heldAt(told.held), told.events);
    else if (told.kind === 'release') await this.#release(this.#heldAt(told.held));
    else if (told.kind === 'fail') await this.#fail(this.#heldAt(told.held), told.inMs);
    else if (told.kind === 'replay') await this.#replay(told.dead);
    else this.#now += told.ms;
    await this.#compare();
  }

  /** Everything that is left is delivered in its order. */
  async end(): Promise<void> {
    for (const { id } of (await this.#store.dead('demo', { limit: 100 })).queues) {
      assert.equal(await this.#store.replay('demo', id, this.#now), true);
    }
    for (const queue of this.#queues.filter(({ diedAt }) => diedAt !== undefined)) this.#revive(queue);
    this.#now += 1_000;
    for (const sink of SINKS) await this.#claim(sink, 100, 10);
    for (const held of this.#holds) await this.#deliver(held, 1_000);
    assert.deepEqual(await this.#store.counts(), { dead: 0, owed: 0 });
    assert.deepEqual(await this.#store.owedSinks(), []);
  }

  async #owe(task: string, sinks: readonly string[]): Promise<void> {
    const owed = sinks.map((sink) => ({ sink, payload: `${this.#events++}` }));
    assert.equal(await this.#store.observe(seen(task, { owed, at: this.#now })), 'recorded');
    for (const { sink, payload } of owed) {
      const queue = this.#queues.find((each) => each.task === task && each.sink === sink);
      if (queue !== undefined) queue.events.push(payload);
      else {
        const fresh = { dueAt: this.#now, diedAt: undefined, attempts: 0, holder: undefined };
        this.#queues.push({ task, sink, events: [payload], ...fresh });
      }
    }
  }

  async #claim(of: string, limit: number, forMs: number): Promise<void> {
    const until = this.#now + forMs;
    const given = await this.#store.claim({ space: 'demo', sink: of, now: this.#now, until, limit });
    const alive = this.#queues.filter(({ diedAt, sink }) => diedAt === undefined && sink === of);
    const due = alive.filter(({ dueAt }) => dueAt <= this.#now);
    const models = given.map(({ taskId, sink }) => due.find((each) => each.task === taskId && each.sink === sink));
    assert.equal(new Set(models).size, Math.min(limit, due.length));
    const latest = Math.max(...models.map((model) => model?.dueAt ?? Number.NaN));
    assert.ok(due.every((queue) => models.includes(queue) || queue.dueAt >= latest) || given.length === 0);
    for (const [n, queue] of given.entries()) {
      const model = models[n];
      assert.ok(model, 'what was given was due');
      assert.equal(queue.attempts, model.attempts);
      model.dueAt = until;
      model.holder = { queue, model };
      this.#holds.push(model.holder);
    }
  }

  async #deliver(held: Held | undefined, most: number): Promise<void> {
    if (held === undefined) return;
    const { queue, model } = held;
    const events = await this.#store.owed(queue.id, most);
    const expected = this.#queues.includes(model) ? model.events.slice(0, most) : [];
    assert.deepEqual(
      events.map(({ payload }) => payload),
      expected,
    );
    const answer = await this.#store.delivered(queue, events.at(-1)?.sequence ?? 0);
    model.events.splice(0, expected.length);
    if (expected.length > 0) model.attempts = 0;
    if (model.events.length === 0) this.#end(model);
    assert.equal(answer, this.#holdsOn(held));
  }

  async #release(held: Held | undefined): Promise<void> {
    if (held === undefined) return;
    const holdsOn = this.#holdsOn(held);
    await this.#store.release(held.queue, this.#now);
    if (!holdsOn) return;
    held.model.holder = undefined;
    held.model.dueAt = this.#now;
  }

  async #fail(held: Held | undefined, inMs: number | null): Promise<void> {
    if (held === undefined) return;
    const holdsOn = this.#holdsOn(held);
    const dueAt = inMs === null ? undefined : this.#now + inMs;
    await this.#store.failed(held.queue, { error: 'down', now: this.#now, ...(dueAt !== undefined && { dueAt }) });
    if (!holdsOn) return;
    const { model } = held;
    model.attempts += 1;
    model.holder = undefined;
    if (dueAt === undefined) model.diedAt = this.#now;
    else model.dueAt = dueAt;
  }

  async #replay(nth: number): Promise<void> {
    const { queues } = await this.#store.dead('demo', { limit: 100 });
    const dead = queues[nth % Math.max(queues.length, 1)];
    if (dead === undefined) return;
    assert.equal(await this.#store.replay('demo', dead.id, this.#now), true);
    const model = this.#queues.find(({ task, sink }) => task === dead.taskId && sink === dead.sink);
    assert.ok(model);
    this.#revive(model);
  }

  #revive(model: ModelQueue): void {
    Object.assign(model, { diedAt: undefined, attempts: 0, dueAt: this.#now });
  }

  #end(model: ModelQueue): void {
    model.holder = undefined;
    this.#queues = this.#queues.filter((queue) => queue !== model);
  }

  #heldAt(nth: number): Held | undefined {
    return this.#holds[nth % Math.max(this.#holds.length, 1)];
  }

  #holdsOn(held: Held): boolean {
    return held.model.holder === held;
  }

  async #compare(): Promise<void> {
    const dead = this.#queues.filter(({ diedAt }) => diedAt !== undefined);
    const alive = this.#queues.filter(({ diedAt }) => diedAt === undefined);
    const owedSinks = SINKS.map((of) => {
      const dues = alive.filter(({ sink }) => sink === of).map(({ dueAt }) => dueAt);
      return { space: 'demo', sink: of, dueAt: Math.min(...dues) };
    });
    const owed = this.#queues.reduce((sum, { events }) => sum + events.length, 0);
    assert.deepEqual(await this.#store.counts(), { dead: dead.length, owed });
    assert.deepEqual(
      [...(await this.#store.owedSinks())].sort((one, other) => one.sink.localeCompare(other.sink)),
      owedSinks.filter(({ dueAt }) => Number.isFinite(dueAt)),
    );
    const { queues } = await this.#store.dead('demo', { limit: 100 });
    const shown = queues.map(({ taskId, sink, diedAt, events, attempts }) => [diedAt, taskId, sink, events, attempts]);
    const expected = dead.map(({ task, sink, diedAt, events, attempts }) => [
      diedAt,
      task,
      sink,
      events.length,
      attempts,
    ]);
    assert.deepEqual(shown.map(String).sort(), expected.map(String).sort());
  }
}

export function outboxStories(kind: SpaceStoreKind): void {
  test('whatever is owed, claimed, delivered, failed and replayed, in whatever order: nothing is lost, doubled or moved', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
        const store = await kind.make(t);
        for (let n = 0; n < TASKS; n += 1) await prepared(store, `task-${n}`);
        const story = new Story(store);
        for (const each of steps) await story.tell(each);
        await story.end();
        await store.close();
      }),
      { numRuns: kind.stories },
    );
  });
}
