import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EDITED, found, GONE, limited, ok, REFUSED, story, UNKNOWN } from './fixtures/delivery-story.ts';

describe('posts appear in their order', () => {
  it('one after another, and then there is nothing to do', () => {
    const it = story('a:one', 'b:two');
    assert.equal(it.next, 'post a:one');
    assert.equal(it.come(ok('m1')).next, 'post b:two');
    assert.equal(it.come(ok('m2')).next, 'nothing');
  });

  it('the first that is not settled holds back those after it, edits apart', () => {
    const it = story('a:one', 'b:two', 'c:three').come(ok('m1'), UNKNOWN);
    assert.equal(it.next, 'wait 15');
    assert.equal(it.want('a:uno', 'b:two', 'c:three').next, 'edit m1 uno');
    assert.equal(it.come(EDITED).next, 'wait 15');
  });

  it('what is refused, or was deleted, holds nothing back', () => {
    assert.equal(story('a:one', 'b:two').come(REFUSED).next, 'post b:two');
    const it = story('a:one').come(ok('m1')).want('a:uno', 'b:two').come(GONE);
    assert.equal(it.next, 'post b:two');
    assert.equal(it.come(ok('m2')).want('a:again', 'b:two').next, 'nothing');
  });

  it('what comes to stand before others is posted all the same', () => {
    assert.equal(story('a:one', 'b:two').come(ok('m1'), ok('m2')).want('a:one', 'c:new', 'b:two').next, 'post c:new');
  });

  it('a final text goes before a new post, live text after it', () => {
    const it = story('a:one', 'b:t…').come(ok('m1'), ok('m2'));
    assert.equal(it.want('a:uno', 'b:tw…', 'c:three').next, 'edit m1 uno');
    assert.equal(it.come(EDITED).next, 'post c:three');
    assert.equal(it.come(ok('m3')).next, 'edit m2 tw…');
  });
});

describe('a post whose outcome is unknown', () => {
  it('is looked for after a while, and adopted', () => {
    const it = story('a:one').come(UNKNOWN);
    assert.equal(it.next, 'wait 15');
    assert.equal(it.after(15).next, 'find a');
    assert.equal(it.come(found('m1')).next, 'nothing');
    assert.deepEqual([it.state('a')?.step, it.state('a')?.ref], ['posted', 'm1']);
  });

  it('is looked for twice, 3 s apart, before it is posted again; 60 s later doubles are looked for', () => {
    const it = story('a:one').come(UNKNOWN).after(15).come(found());
    assert.equal(it.next, 'wait 3');
    assert.equal(it.after(3).come(found()).next, 'post a:one');
    assert.equal(it.come(ok('m2')).next, 'wait 60');
    assert.equal(it.after(60).next, 'find a');
    assert.equal(it.come(found('m2')).next, 'nothing');
  });

  it('of two that came of it the younger goes, and the older says what it should', () => {
    const it = story('a:one').come(UNKNOWN).after(15).come(found()).after(3).come(found(), ok('m2')).after(60);
    assert.equal(it.come(found('m1', 'm2')).next, 'edit m1 one');
    assert.equal(it.come(EDITED).next, 'remove m2');
    assert.equal(it.come(EDITED).next, 'nothing');
  });

  it('a late one goes, and stays out of the way of what somebody deleted', () => {
    const repeated = () =>
      story('a:one').come(UNKNOWN).after(15).come(found()).after(3).come(found(), ok('m1')).after(60);
    assert.equal(repeated().come(found('m1', 'm2')).next, 'remove m2');
    assert.equal(repeated().come(found('m2')).next, 'remove m2');
    assert.equal(repeated().want('a:uno').come(GONE).next, 'find a');
    assert.equal(repeated().want('a:uno').come(GONE, found('m2')).next, 'remove m2');
  });

  it('a process that died with its intent on record leaves the same', () => {
    const it = story('a:one', 'b:two').die();
    assert.equal(it.next, 'wait 15');
    assert.equal(it.after(15).come(found('m1')).next, 'post b:two');
  });

  it('says what it should, when it has changed meanwhile', () => {
    assert.equal(story('a:one').come(UNKNOWN).want('a:uno').after(15).come(found('m1')).next, 'edit m1 uno');
  });

  it('is not posted again when nobody wants it any more, and goes when it turns up late', () => {
    const it = story('a:one').come(UNKNOWN).want().after(15).come(found()).after(3).come(found());
    assert.equal(it.next, 'wait 60');
    assert.equal(it.after(60).come(found('m1')).next, 'remove m1');
    assert.equal(it.come(EDITED).next, 'nothing');
  });

  it('of two attempts nobody knows which one is there, so it is said again', () => {
    const it = story('a:one').come(UNKNOWN).want('a:uno').after(15).come(found()).after(3).come(found(), UNKNOWN);
    assert.equal(it.after(15).come(found('m1')).next, 'edit m1 uno');
  });

  it('is there all the same when the repeat is refused', () => {
    const it = story('a:one').come(UNKNOWN).after(15).come(found()).after(3).come(found(), REFUSED);
    assert.equal(it.after(60).come(found('m1')).next, 'edit m1 one');
  });

  it('a repeat that has to wait is made before doubles are looked for', () => {
    const it = story('a:one').come(UNKNOWN).after(15).come(found()).after(3).come(found(), limited(100_000));
    assert.equal(it.next, 'wait 100');
    assert.equal(it.after(100).next, 'post a:one');
    assert.equal(it.come(UNKNOWN).next, 'wait 15');
  });

  it('of the post that opens a thread ours stays: the thread is below it', () => {
    const it = story('a:one');
    it.channel = 'C1';
    it.come(UNKNOWN).after(15).come(found()).after(3).come(found(), { kind: 'posted', ref: 'm2', place: 'C1/m2' });
    assert.deepEqual([it.delivery.place, it.state('a')?.at], ['C1/m2', 'C1']);
    assert.equal(it.after(60).come(found('m1', 'm2')).next, 'remove m1');
  });

  it('a look that fails is made again', () => {
    const it = story('a:one').come(UNKNOWN).after(15).come(limited(7_000));
    assert.equal(it.next, 'wait 7');
    assert.equal(it.after(7).next, 'find a');
  });
});

describe('what is not done is done later', () => {
  const table: readonly (readonly [string, number, readonly number[]])[] = [
    ['backs off by itself', 0, [1, 2, 4, 8, 16, 32, 60, 60]],
    ['honours the platform', 5_000, [5, 5, 5, 8, 16, 32, 60, 60]],
    ['a day at most', 1e12, [86_400]],
  ];
  for (const [what, retryAfterMs, seconds] of table) {
    it(what, () => {
      const it = story('a:one', 'b:two');
      const waits = seconds.map((wait) => {
        const told = it.come(limited(retryAfterMs)).next;
        it.after(wait);
        return told;
      });
      assert.deepEqual(
        waits,
        seconds.map((wait) => `wait ${wait}`),
      );
      assert.equal(it.next, 'post a:one');
    });
  }

  it('without a look, for it is certain', () => {
    assert.equal(story('a:one').come(limited(0)).after(1).come(ok('m1')).next, 'nothing');
  });
});
