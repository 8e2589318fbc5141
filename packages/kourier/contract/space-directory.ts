import assert from 'node:assert/strict';
import { agent, ODD, type OnSpaceStore, revision, saved } from './space-store-samples.ts';

export function directoryContract(onStore: OnSpaceStore): void {
  onStore('an agent is read as it was saved, whatever its texts hold', async (store) => {
    const toSave = agent('a', {
      cardUrl: ODD,
      dialer: 'd',
      credential: 'c',
      url: 'https://inside.test/',
      health: { state: 'unhealthy', failures: 3, checkedAt: 5, why: ODD },
      current: revision(1, { decidedBy: ODD, decidedAt: 9 }),
      pending: revision(2, { state: 'pending' }),
    });
    const kept = await saved(store, toSave);
    const { sequence, ...rest } = kept;
    assert.ok(sequence > 0);
    assert.deepEqual(rest, toSave);
    assert.deepEqual(await store.agent('demo', 'a'), kept);
    assert.deepEqual(await store.changes(0, 10), [{ sequence, kind: 'saved', agent: kept }]);
    assert.deepEqual(await store.revision('demo', 'a', 1), toSave.current);
  });

  onStore('an agent that is not there, or whose name is no id, is not found', async (store) => {
    await saved(store, agent('a', { current: revision(1) }));
    for (const id of ['b', '', 'a\0', '\ud800', 'a/b', 'x'.repeat(200)]) {
      assert.equal(await store.agent('demo', id), undefined);
      assert.equal(await store.agent(id, 'a'), undefined);
      assert.deepEqual(await store.revisions('demo', id, { limit: 1 }), []);
      assert.equal(await store.revision('demo', id, 1), undefined);
    }
    assert.equal(await store.revision('demo', 'a', 2), undefined);
  });

  onStore('to write what is no id rejects, and writes nothing', async (store) => {
    await assert.rejects(store.saveAgent(agent('a b'), undefined), TypeError);
    await assert.rejects(store.saveAgent(agent('a', { space: '' }), undefined), TypeError);
    assert.deepEqual(await store.changes(0, 10), []);
  });

  onStore('agents of one id in two Spaces, and ids that differ in case, are apart', async (store) => {
    for (const [space, id] of [
      ['demo', 'a'],
      ['demo', 'A'],
      ['other', 'a'],
    ] as const) {
      await saved(store, agent(id, { space, current: revision(1, { registeredBy: `${space}/${id}` }) }));
    }
    assert.equal((await store.agent('demo', 'A'))?.current?.registeredBy, 'demo/A');
    assert.equal((await store.agent('other', 'a'))?.current?.registeredBy, 'other/a');
  });

  onStore('what was changed, made or removed since is stale, and nothing of it is written', async (store) => {
    const first = await saved(store, agent('a'));
    assert.equal(await store.saveAgent(agent('a', { disabled: true }), undefined), 'stale');
    const second = await saved(store, agent('a', { url: 'https://two.test/' }), first);
    assert.equal(await store.saveAgent(agent('a', { current: revision(1) }), first), 'stale');
    assert.equal(await store.removeAgent(first), 'stale');
    assert.deepEqual(await store.agent('demo', 'a'), second);
    assert.deepEqual(await store.revisions('demo', 'a', { limit: 10 }), []);
    assert.equal(await store.removeAgent(second), 'removed');
    assert.equal(await store.removeAgent(second), 'stale');
    assert.equal(await store.saveAgent(agent('a'), second), 'stale');
    assert.equal(await store.agent('demo', 'a'), undefined);
  });

  onStore('every revision stays, as it was; only its state and decision change', async (store) => {
    const one = await saved(store, agent('a', { current: revision(1) }));
    const two = await saved(
      store,
      agent('a', { current: revision(1), pending: revision(2, { state: 'pending' }) }),
      one,
    );
    const approved = revision(2, { state: 'current', decidedBy: 'olga', decidedAt: 7, registeredBy: 'somebody else' });
    const three = await saved(store, agent('a', { current: approved }), two);
    assert.deepEqual(await store.revision('demo', 'a', 1), revision(1, { state: 'superseded' }));
    const kept = revision(2, { state: 'current', decidedBy: 'olga', decidedAt: 7 });
    assert.deepEqual((await store.agent('demo', 'a'))?.current, kept);
    const four = await saved(store, agent('a', { current: kept, pending: revision(3, { state: 'pending' }) }), three);
    const refusal = { number: 3, state: 'refused', decidedBy: 'olga', decidedAt: 8 } as const;
    const answer = await store.saveAgent(agent('a', { current: kept }), four, [refusal]);
    assert.ok(answer !== 'stale');
    assert.deepEqual(await store.revision('demo', 'a', 3), revision(3, refusal));
    const states = (await store.revisions('demo', 'a', { limit: 10 })).map(({ number, state }) => [number, state]);
    assert.deepEqual(states, [
      [3, 'refused'],
      [2, 'current'],
      [1, 'superseded'],
    ]);
    // Back to the first.
    await saved(store, agent('a', { current: revision(1) }), answer);
    assert.equal((await store.agent('demo', 'a'))?.current?.state, 'current');
    assert.equal((await store.revision('demo', 'a', 2))?.state, 'superseded');
  });

  onStore('revisions are given the newest first, without their cards, page by page', async (store) => {
    let before = await saved(store, agent('a', { current: revision(1) }));
    for (const number of [2, 3, 4, 5]) {
      before = await saved(store, agent('a', { current: revision(number) }), before);
    }
    const first = await store.revisions('demo', 'a', { limit: 2 });
    const { card: _, ...head } = revision(5);
    assert.deepEqual(first[0], head);
    const numbers = async (page: { before?: number; limit: number }) =>
      (await store.revisions('demo', 'a', page)).map(({ number }) => number);
    assert.deepEqual(await numbers({ before: 4, limit: 2 }), [3, 2]);
    assert.deepEqual(await numbers({ before: 2, limit: 2 }), [1]);
    assert.deepEqual(await numbers({ before: 1, limit: 2 }), []);
  });

  onStore('a removed agent leaves nothing, and its id begins again; its sequence goes on', async (store) => {
    const first = await saved(store, agent('a', { current: revision(1) }));
    assert.equal(await store.removeAgent(first), 'removed');
    assert.deepEqual(await store.revisions('demo', 'a', { limit: 10 }), []);
    const [removal] = await store.changes(first.sequence, 10);
    assert.ok(removal && removal.sequence > first.sequence);
    assert.deepEqual(removal, { sequence: removal.sequence, kind: 'removed', space: 'demo', id: 'a' });
    const again = await saved(store, agent('a', { current: revision(1, { registeredBy: 'again' }) }));
    assert.ok(again.sequence > removal.sequence);
    assert.equal((await store.agent('demo', 'a'))?.current?.registeredBy, 'again');
    assert.deepEqual(await store.changes(0, 10), [{ sequence: again.sequence, kind: 'saved', agent: again }]);
  });

  onStore('changes are given in their order, only the last of each agent, page by page', async (store) => {
    const a = await saved(store, agent('a'));
    const b = await saved(store, agent('b', { space: 'other' }));
    const c = await saved(store, agent('c'));
    const again = await saved(store, agent('a', { disabled: true }), a);
    const sequences = async (after: number, limit: number) =>
      (await store.changes(after, limit)).map(({ sequence }) => sequence);
    assert.deepEqual(await sequences(0, 10), [b.sequence, c.sequence, again.sequence]);
    assert.deepEqual(await sequences(0, 1), [b.sequence]);
    assert.deepEqual(await sequences(b.sequence, 10), [c.sequence, again.sequence]);
    assert.deepEqual(await sequences(again.sequence, 10), []);
  });

  onStore('saves that race for one agent: one is written, the others are stale', async (store) => {
    const before = await saved(store, agent('a'));
    const urls = Array.from({ length: 10 }, (_, n) => `https://${n}.test/`);
    const answers = await Promise.all(urls.map((url) => store.saveAgent(agent('a', { url }), before)));
    const written = answers.filter((answer) => answer !== 'stale');
    assert.equal(written.length, 1);
    assert.deepEqual(await store.agent('demo', 'a'), written[0]);
  });
}
