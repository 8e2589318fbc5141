import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Catalog, type DiscoverQuery } from './catalog.ts';
import { registered, revision, skill } from './fixtures/registered.ts';

function catalogOf(...cards: readonly (readonly [string, string, object?])[]): Catalog {
  const catalog = new Catalog();
  for (const [id, name, card] of cards) catalog.put(registered(id, { name, ...card }), undefined);
  return catalog;
}

function found(catalog: Catalog, query: Partial<DiscoverQuery> = {}): readonly string[] {
  const page = catalog.discover({ limit: 100, ...query });
  assert.ok(page !== 'bad-cursor');
  return page.entries.map(({ id }) => id);
}

const weather = { description: 'Tells the forecast', skills: [skill('get_weather', { tags: ['climate'] })] };

describe('discover', () => {
  it('lists by name, then by id, however the agents came', () => {
    const catalog = catalogOf(['3', 'zeta'], ['2', 'Alpha'], ['1', 'alpha'], ['4', 'Beta'], ['5', '']);
    assert.deepEqual(found(catalog), ['5', '1', '2', '4', '3']);
  });

  it('finds by all words of the text, wherever they stand in the card, the last also as a beginning', () => {
    const catalog = catalogOf(['w', 'Sky', weather], ['x', 'Sky diver'], ['y', '天气预报']);
    for (const text of [
      'weather',
      'WEATHER sky',
      'getWeather',
      'fore',
      'sky clim',
      'sky tells get_weather',
      'forecast',
    ])
      assert.deepEqual(found(catalog, { text }), ['w'], text);
    for (const text of ['fore sky', 'weathers', 'sky moon', '…']) assert.deepEqual(found(catalog, { text }), [], text);
    assert.deepEqual(found(catalog, { text: 'sk' }), ['w', 'x']);
    assert.deepEqual(found(catalog, { text: ' ' }), ['w', 'x', 'y']);
    for (const text of ['天气', '预报', '气', '报']) assert.deepEqual(found(catalog, { text }), ['y'], text);
  });

  it('finds by the exact id or tag of a skill', () => {
    const catalog = catalogOf(['w', 'Sky', weather], ['x', 'get_weather climate']);
    assert.deepEqual(found(catalog, { skill: 'get_weather' }), ['w']);
    assert.deepEqual(found(catalog, { skill: 'climate', text: 'sky' }), ['w']);
    for (const name of ['weather', 'Climate', '', 'toString'])
      assert.deepEqual(found(catalog, { skill: name }), [], name);
  });

  it('lists blocked agents when it is asked to', () => {
    const catalog = catalogOf(['a', 'A']);
    catalog.put(registered('b', { name: 'B' }), 'unhealthy');
    assert.deepEqual(found(catalog), ['a']);
    assert.deepEqual(found(catalog, { blocked: true }), ['a', 'b']);
    catalog.put(registered('b', { name: 'B' }), undefined);
    assert.deepEqual(found(catalog, { text: 'b' }), ['b']);
  });

  it('knows an agent by its current card, else by the one that waits', () => {
    const catalog = new Catalog();
    const { current: _, ...waiting } = registered('a', {});
    catalog.put({ ...waiting, pending: revision({ name: 'Waits' }) }, 'approval-pending');
    catalog.put(registered('b', { name: 'Now' }, { pending: revision({ name: 'Waits' }) }), undefined);
    assert.deepEqual(found(catalog, { text: 'waits', blocked: true }), ['a']);
    assert.deepEqual(found(catalog, { text: 'now' }), ['b']);
  });

  it('forgets what was replaced or removed', () => {
    const catalog = catalogOf(['w', 'Sky', weather]);
    catalog.put(registered('w', { name: 'Sea' }), undefined);
    assert.deepEqual(found(catalog, { text: 'weather' }), []);
    assert.deepEqual(found(catalog, { skill: 'climate' }), []);
    assert.deepEqual([...catalog.skillIds()], []);
    catalog.remove('w');
    catalog.remove('w');
    assert.deepEqual(found(catalog), []);
    assert.equal(catalog.size, 0);
  });

  it('searches by a beginning that many words have', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `a${String(at).padStart(3, '0')}`);
    const catalog = catalogOf(...ids.map((id) => [id, 'Same', { description: `unit${id} united` }] as const));
    assert.deepEqual(found(catalog, { text: 'unit' }), ids);
    assert.deepEqual(found(catalog, { text: 'unita01' }), ids.slice(10, 20));
    for (const id of ids.slice(1)) catalog.remove(id);
    assert.deepEqual(found(catalog, { text: 'unit' }), ['a000']);
  });
});

describe('the pages of discover', () => {
  const many = (): Catalog => catalogOf(...Array.from({ length: 10 }, (_, at) => [`a${at}`, `Name ${at}`] as const));

  it('are of the size that was asked for, and the last has no cursor', () => {
    const catalog = many();
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = catalog.discover({ limit: 4, ...(cursor === undefined ? {} : { cursor }) });
      assert.ok(page !== 'bad-cursor');
      sizes.push(page.entries.length);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [4, 4, 2]);
    const whole = catalog.discover({ limit: 10 });
    assert.ok(whole !== 'bad-cursor' && whole.nextCursor === undefined);
  });

  it('go on behind the last one, whether it is still there, and with those that came in between', () => {
    const catalog = many();
    const first = catalog.discover({ limit: 3 });
    assert.ok(first !== 'bad-cursor' && first.nextCursor !== undefined);
    assert.match(first.nextCursor, /^[0-9a-f]+$/);
    for (const id of ['a2', 'a3']) catalog.remove(id);
    catalog.put(registered('new', { name: 'Name 2.5' }), undefined);
    catalog.put(registered('old', { name: 'Name 1.5' }), undefined);
    assert.deepEqual(found(catalog, { cursor: first.nextCursor, limit: 2 }), ['new', 'a4']);
  });

  it('refuse a cursor that is none, and take any other', () => {
    const catalog = many();
    for (const cursor of ['', 'x', '00', '006', '0061 ', 'G000', '%00', '0061'.repeat(1_000)])
      assert.equal(catalog.discover({ cursor, limit: 1 }), 'bad-cursor', cursor);
    assert.deepEqual(found(catalog, { cursor: 'd800', limit: 1 }), []);
    assert.deepEqual(found(catalog, { cursor: '0000', limit: 1 }), ['a0']);
  });

  it('end early when too much was looked at, and go on from there', () => {
    const catalog = new Catalog();
    for (let at = 0; at < 6_000; at += 1) {
      const word = at === 5_999 ? 'left right' : at % 2 === 0 ? 'left' : 'right';
      catalog.put(registered(`a${at}`, { name: `n${String(at).padStart(5, '0')}`, description: word }), undefined);
    }
    const found: string[] = [];
    let [cursor, pages] = [undefined as string | undefined, 0];
    do {
      const page = catalog.discover({ text: 'left right', limit: 10, ...(cursor === undefined ? {} : { cursor }) });
      assert.ok(page !== 'bad-cursor');
      found.push(...page.entries.map(({ id }) => id));
      [cursor, pages] = [page.nextCursor, pages + 1];
    } while (cursor !== undefined);
    assert.deepEqual(found, ['a5999']);
    assert.ok(pages > 1 && pages < 10, String(pages));
  });
});
