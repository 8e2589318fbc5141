import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LIMITS } from '../limits.ts';
import { compacted, stateOf, within } from './delivery.ts';
import { EDITED, found, GONE, limited, ok, REFUSED, story, UNKNOWN, wanted } from './fixtures/delivery-story.ts';

describe('the newest text wins', () => {
  it('live text is edited newest-only, and its end is said even when it says the same', () => {
    const it = story('a:H…').come(ok('m1'));
    assert.equal(it.next, 'nothing');
    assert.equal(it.want('a:Hello…').come(EDITED).next, 'nothing');
    it.delivery = { ...it.delivery, posts: it.delivery.posts.map((state) => ({ ...state, says: 'Hello' })) };
    assert.equal(it.want('a:Hello').next, 'edit m1 Hello');
    assert.equal(it.come(EDITED).next, 'nothing');
  });

  it('an edit with an unknown outcome is repeated, and said once more when it cannot come any more', () => {
    const it = story('a:one').come(ok('m1')).want('a:uno').come(UNKNOWN);
    assert.equal(it.next, 'wait 1');
    assert.equal(it.after(1).come(EDITED).next, 'wait 29');
    assert.equal(it.after(29).next, 'edit m1 uno');
    assert.equal(it.come(EDITED).next, 'nothing');
  });

  it('an uncertain live edit is cleared up with the end', () => {
    const it = story('a:H…').come(ok('m1')).want('a:He…').come(UNKNOWN).after(1).want('a:Hello').come(EDITED);
    assert.equal(it.next, 'wait 29');
    assert.equal(it.after(29).come(EDITED).next, 'nothing');
  });

  it('what a dead process may have edited is said, and once more later', () => {
    const it = story('a:one').come(ok('m1')).want('a:uno').die().want('a:due');
    assert.equal(it.next, 'edit m1 due');
    assert.equal(it.come(EDITED).next, 'wait 30');
    assert.equal(it.after(30).come(EDITED).next, 'nothing');
  });

  it('what was at rest when its process died is left alone', () => {
    assert.equal(story('a:one').come(ok('m1')).die().next, 'nothing');
  });

  it('a text that is refused is not tried again, another one is', () => {
    const it = story('a:one').come(ok('m1')).want('a:long').come(REFUSED);
    assert.equal(it.next, 'nothing');
    assert.equal(it.want('a:short').next, 'edit m1 short');
    assert.equal(story('a:one').come(REFUSED).want('a:uno').next, 'post a:uno');
  });
});

describe('what only waited for its turn', () => {
  it('does not back off, and is asked for again as soon as it may', () => {
    const untried = { kind: 'not-done', why: 'busy', untried: true } as const;
    const it = story('a:one').come(untried).come(untried);
    assert.equal(it.next, 'post a:one');
    assert.equal(it.come({ ...untried, retryAfterMs: 2_000 }).next, 'wait 2');
    assert.equal(it.after(2).come(ok('m1')).want('a:uno').come(untried).next, 'edit m1 uno');
  });
});

describe('what the thread says no longer is removed', () => {
  it('and posted again when it does', () => {
    const it = story('a:one', 'b:two').come(ok('m1'), ok('m2')).want('a:one');
    assert.equal(it.next, 'remove m2');
    assert.equal(it.come(EDITED).next, 'nothing');
    assert.equal(it.want('a:one', 'b:two').next, 'post b:two');
  });

  it('a removal that may have been done is no deletion by somebody', () => {
    const it = story('a:one').come(ok('m1')).want().come(UNKNOWN).want('a:uno');
    assert.equal(it.after(1).come(GONE).next, 'post a:uno');
  });

  it('nor is one that was tried twice', () => {
    assert.equal(
      story('a:one').come(ok('m1')).want().come(UNKNOWN).after(1).come(GONE).want('a:one').next,
      'post a:one',
    );
  });

  it('one that was there no more before is', () => {
    assert.equal(story('a:one').come(ok('m1')).want().come(GONE).want('a:uno').next, 'nothing');
    assert.equal(
      story('a:one').come(ok('m1')).want().come(limited(0)).after(1).come(GONE).want('a:uno').next,
      'nothing',
    );
  });

  it('one that may still be removed is said again when it cannot be any more', () => {
    const it = story('a:one').come(ok('m1')).want().come(UNKNOWN).want('a:one').after(1);
    assert.equal(it.next, 'wait 29');
    assert.equal(it.after(29).come(EDITED).next, 'nothing');
  });

  it('doubles are removed also when one removal is uncertain', () => {
    const it = story('a:one')
      .come(UNKNOWN)
      .after(15)
      .come(found('m1', 'm2', 'm3'));
    assert.equal(it.come(UNKNOWN).after(1).come(GONE).next, 'remove m3');
  });
});

describe('what is kept is bounded', () => {
  const posts = Array.from({ length: LIMITS.postStates + 1 }, (_, at) => wanted(`k${at}:text`));
  const states = posts.map(({ key, says }) => ({ key, says, step: 'posted', ref: `m-${key}` }) as const);

  it('what is settled and far behind is forgotten, and not posted again', () => {
    const { behind, posts: kept } = compacted({ posts: states }, posts);
    assert.equal(kept.length, LIMITS.postStates / 2);
    assert.deepEqual(behind, { count: posts.length - kept.length, key: `k${posts.length - kept.length - 1}` });
    const delivery = { posts: kept, behind };
    assert.equal(within(delivery, posts).length, kept.length);
    assert.equal(stateOf(delivery, within(delivery, posts)[0]?.key ?? '')?.step, 'posted');
    assert.equal(within(delivery, posts.slice(1)).length, kept.length, 'by its key, wherever it stands');
  });

  it('what is not settled is kept, and all after it', () => {
    const unsettled = states.with(3, { key: 'k3', step: 'posted', ref: 'm3', says: 'old' } as never);
    assert.equal(compacted({ posts: unsettled }, posts).posts.length, posts.length - 3);
    assert.equal(compacted({ posts: states.slice(1) }, posts).posts.length, LIMITS.postStates);
  });
});
