import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { allWords } from './agent-document.ts';
import { Catalog, type CatalogEntry, type DiscoverQuery } from './catalog.ts';
import { registered, skill } from './fixtures/registered.ts';
import { cursorAt, readCursor } from './page-cursor.ts';
import type { RegisteredAgent } from './registered-agent.ts';
import { route } from './route.ts';
import { SortedPostings } from './sorted-postings.ts';
import { termsOf } from './words.ts';

const WORDS = ['sun', 'sunny', 'sunset', 'rain', 'rainbow', '天气', '天', 'getRain', 'a1'] as const;
const word = fc.constantFrom(...WORDS);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const tag = fc.constantFrom('t1', 't2', 't3');

const agent: fc.Arbitrary<RegisteredAgent> = fc
  .record({ id: fc.integer({ min: 0, max: 29 }), name: text, description: text, tags: fc.array(tag, { maxLength: 2 }) })
  .map(({ id, name, description, tags }) =>
    registered(`a${id}`, { name, description, skills: [skill('s', { tags })] }),
  );

const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: agent, blocked: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.integer({ min: 0, max: 29 }).map((id) => `a${id}`) }) },
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const query: fc.Arbitrary<DiscoverQuery> = fc.record(
  { text, skill: tag, blocked: fc.boolean(), limit: fc.integer({ min: 1, max: 5 }) },
  { requiredKeys: ['limit'] },
);

function apply(catalog: Catalog, changes: readonly Change[]): void {
  for (const one of changes) {
    if ('put' in one) catalog.put(one.put, one.blocked ? 'unhealthy' : undefined);
    else catalog.remove(one.remove);
  }
}

/** All pages; `between` happens after each. */
function pages(catalog: Catalog, query: DiscoverQuery, between: () => void = () => undefined): readonly CatalogEntry[] {
  const entries: CatalogEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = catalog.discover({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page !== 'bad-cursor');
    assert.ok(page.entries.length <= query.limit);
    entries.push(...page.entries);
    cursor = page.nextCursor;
    between();
  } while (cursor !== undefined);
  return entries;
}

/** What a page means, said slowly. */
function fits({ document, blocked, listing }: CatalogEntry, query: DiscoverQuery): boolean {
  const words = [...allWords(document)];
  const has = ({ word, prefix }: { readonly word: string; readonly prefix: boolean }): boolean =>
    words.some((own) => (prefix ? own.startsWith(word) : own === word));
  return (
    (query.blocked === true || blocked === undefined) &&
    termsOf(query.text ?? '').every(has) &&
    (query.skill === undefined || listing.skills.some(({ tags }) => tags.includes(query.skill ?? '')))
  );
}

it('the pages are all that fit, in their order, whatever came and went before', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 120 }),
      fc.array(query, { minLength: 1, maxLength: 5 }),
      (changes, queries) => {
        const catalog = new Catalog();
        const half = changes.length >> 1;
        apply(catalog, changes.slice(0, half));
        for (const one of queries) pages(catalog, one);
        apply(catalog, changes.slice(half));
        const all = Array.from({ length: 30 }, (_, id) => catalog.get(`a${id}`)).filter((entry) => entry !== undefined);
        all.sort((left, right) => (left.key < right.key ? -1 : 1));
        for (const one of queries)
          assert.deepEqual(
            pages(catalog, one).map(({ id }) => id),
            all.filter((entry) => fits(entry, one)).map(({ id }) => id),
          );
      },
    ),
  );
});

it('the pages neither skip nor repeat whoever stays, while others come and go', () => {
  fc.assert(
    fc.property(
      fc.array(agent, { maxLength: 40 }),
      fc.array(change, { maxLength: 60 }),
      query,
      (stay, changes, one) => {
        const catalog = new Catalog();
        for (const each of stay) catalog.put(each, undefined);
        const stays = new Map(Array.from({ length: 30 }, (_, id) => [`a${id}`, catalog.get(`a${id}`)]));
        const others = changes.map((each) =>
          'put' in each ? { ...each, put: { ...each.put, id: `b${each.put.id}` } } : { remove: `b${each.remove}` },
        );
        apply(catalog, others.slice(0, 20));
        let at = 20;
        const found = pages(catalog, one, () => {
          apply(catalog, others.slice(at, at + 3));
          at += 3;
        });
        const wanted = [...stays.values()]
          .filter((entry) => entry !== undefined && fits(entry, one))
          .map((entry) => entry?.id);
        assert.deepEqual(new Set(found.map(({ id }) => id).filter((id) => stays.has(id))), new Set(wanted));
        const keys = found.map(({ key }) => key);
        assert.deepEqual(keys, [...new Set(keys)].sort());
      },
    ),
  );
});

it('an agent is found by its own name, whatever it is', () => {
  const name = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 60 }),
    text,
  );
  fc.assert(
    fc.property(name, (own) => {
      const catalog = new Catalog();
      catalog.put(registered('a', { name: own }), undefined);
      const listed = catalog.get('a')?.listing.name ?? '';
      const page = catalog.discover({ text: listed, limit: 1 });
      assert.ok(page !== 'bad-cursor');
      const isFound = termsOf(listed).length > 0 || listed === '';
      assert.equal(page.entries.length, isFound ? 1 : 0, JSON.stringify(listed));
    }),
    { numRuns: 1_000 },
  );
});

it('a route is the same in whatever order the agents came', () => {
  const shuffled = fc
    .uniqueArray(agent, { selector: ({ id }) => id, maxLength: 12 })
    .chain((agents) => fc.tuple(fc.constant(agents), fc.shuffledSubarray(agents, { minLength: agents.length })));
  fc.assert(
    fc.property(shuffled, text, ([agents, others], asked) => {
      const routes = [agents, others].map((list) => {
        const catalog = new Catalog();
        for (const one of list) catalog.put(one, undefined);
        return route(catalog, { text: asked });
      });
      assert.deepEqual(routes[0], routes[1]);
    }),
  );
});

it('postings are a sorted list', () => {
  const steps = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 2_000 }), fc.boolean()), {
    minLength: 500,
    maxLength: 3_000,
  });
  fc.assert(
    fc.property(steps, fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 30 }), (list, seeks) => {
      const postings = new SortedPostings<{ readonly key: string }>();
      const model = new Set<string>();
      for (const [adds, number, looks] of list) {
        const key = String(number).padStart(4, '0');
        if (adds && !model.has(key)) postings.add({ key });
        if (!adds) postings.delete({ key });
        if (adds) model.add(key);
        else model.delete(key);
        if (looks && number % 50 === 0) postings.seeker().seek(key);
      }
      const keys = [...model].sort();
      assert.deepEqual(
        postings.items().map(({ key }) => key),
        keys,
      );
      assert.equal(postings.size, keys.length);
      const seeker = postings.seeker();
      for (const wanted of seeks.sort((a, b) => a - b).map((number) => String(number).padStart(4, '0')))
        assert.equal(
          seeker.seek(wanted)?.key,
          keys.find((key) => key >= wanted),
        );
    }),
    { numRuns: 30 },
  );
});

it('postings go on behind a gap', () => {
  const postings = new SortedPostings<{ readonly key: string }>();
  const items = Array.from({ length: 2_000 }, (_, at) => ({ key: String(at).padStart(4, '0') }));
  for (const item of items) postings.add(item);
  for (const item of items.slice(300, 1_700)) postings.delete(item);
  assert.equal(postings.seeker().seek('0300')?.key, '1700');
  assert.equal(postings.size, 600);
});

it('a cursor is read as it was written, and nothing else is one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }), (key) => {
      assert.equal(readCursor(cursorAt(key)), key);
      assert.ok([undefined, key].includes(readCursor(key)) || /^[0-9a-f]+$/.test(key));
    }),
  );
});
