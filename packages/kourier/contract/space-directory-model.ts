import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RegisteredAgent, Revision } from '../src/core/directory/registered-agent.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';
import { agent, revision, type SpaceStoreKind } from './space-store-samples.ts';

const IDS = ['a', 'b', 'c'];
const SPACES = ['demo', 'other'];
const which = { space: fc.constantFrom(...SPACES), id: fc.constantFrom(...IDS) };
/** How many of its changes ago the agent was read; mostly it is as it stands. */
const age = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) },
);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('save'),
      ...which,
      age,
      current: fc.constantFrom('none', 'same', 'new', 'pending'),
      pending: fc.constantFrom('none', 'same', 'new'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), ...which, age }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read'), limit: fc.integer({ min: 1, max: 4 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Save = Extract<Step, { current: string }>;

/** One id in one Space. */
interface Model {
  /** What `saveAgent` answered, the newest last; `undefined` where there was none. */
  readonly history: (RegisteredAgent | undefined)[];
  readonly revisions: Map<number, Revision>;
}

/** Told the same story as the store, with a reader that follows the changes. */
class Story {
  readonly #store: SpaceStore;
  readonly #models = new Map<string, Model>();
  readonly #seen = new Map<string, RegisteredAgent>();
  #sequence = 0;

  constructor(store: SpaceStore) {
    this.#store = store;
  }

  async tell(told: Step): Promise<void> {
    if ('limit' in told) return this.#read(told.limit);
    const model = this.#modelOf(told.space, told.id);
    const before = model.history.at(-1 - told.age);
    const isStale = before?.sequence !== model.history.at(-1)?.sequence;
    if ('current' in told) await this.#save(told, model, before, isStale);
    else if (before !== undefined) await this.#remove(model, before, isStale);
    assert.deepEqual(await this.#store.agent(told.space, told.id), model.history.at(-1));
    await this.#compareRevisions(told.space, told.id, model);
  }

  /** Whoever read all changes knows what is there. */
  async end(): Promise<void> {
    while ((await this.#store.changes(this.#sequence, 1)).length > 0) await this.#read(2);
    const there = [...this.#models].flatMap(([key, { history }]) => {
      const last = history.at(-1);
      return last === undefined ? [] : [[key, last] as const];
    });
    assert.deepEqual(Object.fromEntries(this.#seen), Object.fromEntries(there));
  }

  async #save(told: Save, model: Model, before: RegisteredAgent | undefined, isStale: boolean): Promise<void> {
    let next = Math.max(0, ...model.revisions.keys());
    const fresh = (state: 'current' | 'pending') => {
      next += 1;
      return revision(next, { state, registeredBy: `${told.space}/${told.id}` });
    };
    const approved = before?.pending && {
      ...before.pending,
      state: 'current' as const,
      decidedBy: 'olga',
      decidedAt: 5,
    };
    const current = { none: undefined, same: before?.current, new: fresh('current'), pending: approved }[told.current];
    const kept = told.current === 'pending' ? undefined : before?.pending;
    const pending = { none: undefined, same: kept, new: fresh('pending') }[told.pending];
    const toSave = agent(told.id, { space: told.space, ...(current && { current }), ...(pending && { pending }) });
    const answer = await this.#store.saveAgent(toSave, before);
    assert.equal(answer === 'stale', isStale);
    if (answer === 'stale') return;
    assert.deepEqual(answer, { ...toSave, sequence: answer.sequence });
    for (const each of [before?.current, before?.pending]) {
      if (each !== undefined) model.revisions.set(each.number, { ...each, state: 'superseded' });
    }
    for (const each of [current, pending]) if (each !== undefined) model.revisions.set(each.number, each);
    model.history.push(answer);
  }

  async #remove(model: Model, before: RegisteredAgent, isStale: boolean): Promise<void> {
    assert.equal(await this.#store.removeAgent(before), isStale ? 'stale' : 'removed');
    if (isStale) return;
    model.history.push(undefined);
    model.revisions.clear();
  }

  async #read(limit: number): Promise<void> {
    const changes = await this.#store.changes(this.#sequence, limit);
    assert.ok(changes.length <= limit);
    for (const change of changes) {
      assert.ok(change.sequence > this.#sequence);
      this.#sequence = change.sequence;
      const { space, id } = change.kind === 'saved' ? change.agent : change;
      if (change.kind === 'saved') this.#seen.set(`${space}/${id}`, change.agent);
      else this.#seen.delete(`${space}/${id}`);
    }
  }

  async #compareRevisions(space: string, id: string, { revisions }: Model): Promise<void> {
    const heads = await this.#store.revisions(space, id, { limit: 1_000 });
    const newestFirst = [...revisions.values()].sort((one, other) => other.number - one.number);
    const expected = newestFirst.map(({ card: _, ...head }) => head);
    assert.deepEqual(heads, expected);
  }

  #modelOf(space: string, id: string): Model {
    const key = `${space}/${id}`;
    const model = this.#models.get(key) ?? { history: [undefined], revisions: new Map() };
    this.#models.set(key, model);
    return model;
  }
}

export function directoryStories(kind: SpaceStoreKind): void {
  test('whatever is saved, removed and read, in whatever order: nothing is lost, and a reader knows it all', async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
        const store = await kind.make(t);
        const story = new Story(store);
        for (const each of steps) await story.tell(each);
        await story.end();
        await store.close();
      }),
      { numRuns: kind.stories },
    );
  });
}
