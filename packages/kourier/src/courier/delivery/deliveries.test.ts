import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answer, DeliveryStage, THREAD } from './fixtures/delivery-stage.ts';

describe('a thread is shown', () => {
  it('each post after its intent is durable, and what came of it is', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'one'), answer('b', 'two')]);
    const first = await stage.call();
    assert.equal(first.said, 'post P/1 a one');
    assert.match(stage.written.at(-1) ?? '', /"key":"a","step":"posting"/);
    first.answer({ kind: 'posted', ref: 'm1' });
    const second = await stage.call();
    assert.equal(second.said, 'post P/1 b two');
    assert.match(stage.written.at(-1) ?? '', /"ref":"m1".*"key":"b","step":"posting"/);
    assert.equal(stage.isDelivered, false);
    second.answer({ kind: 'posted', ref: 'm2' });
    assert.deepEqual(await stage.settled(), []);
    assert.equal(stage.isDelivered, true);
  });

  it('live text newest-only, and none of it is written', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'H', true)], 'running');
    (await stage.call()).answer({ kind: 'posted', ref: 'm1' });
    await stage.settled();
    const writes = stage.written.length;
    const edit = await stage.live(answer('a', 'He', true)).call();
    for (const text of ['Hel', 'Hell', 'Hello']) stage.live(answer('a', text, true));
    edit.answer({ kind: 'edited' });
    const newest = await stage.call();
    assert.deepEqual([edit.said, newest.said], ['edit m1 He', 'edit m1 Hello']);
    assert.ok(
      !stage.written.slice(writes).some((state) => /"says":"He/.test(state)),
      stage.written.slice(writes).join('\n'),
    );
    stage.commit([answer('a', 'Hello!')]);
    newest.answer({ kind: 'edited' });
    const last = await stage.call();
    assert.equal(last.said, 'edit m1 Hello!');
    last.answer({ kind: 'edited' });
    await stage.settled();
    assert.equal(stage.isDelivered, true);
  });

  it('live text of an answer that has ended is late', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'Hello!')], 'running');
    (await stage.call()).answer({ kind: 'posted', ref: 'm1' });
    await stage.settled();
    stage.live(answer('a', 'Hel', true));
    assert.deepEqual(await stage.settled(), []);
  });

  it('an alert opens its thread, whose place is the thread’s from then on', async () => {
    const stage = new DeliveryStage('P');
    stage.places.splice(0, 1, 'group-7');
    const open = await stage.commit([answer('a', 'Disk full'), answer('b', 'Looking')]).call();
    open.answer({ kind: 'posted', ref: 'm1', place: 'P/m1' });
    const next = await stage.call();
    assert.deepEqual([open.said, next.said], ['open P a Disk full', 'post P/m1 b Looking']);
    assert.deepEqual(stage.places, ['group-7', 'P/m1']);
  });

  it('nowhere, where it has no place and no channel, and it owes nothing', async () => {
    const stage = new DeliveryStage();
    stage.places.splice(0);
    stage.commit([answer('a', 'one')]);
    assert.deepEqual(await stage.settled(), []);
    assert.equal(stage.isDelivered, true);
  });
});

describe('a thread that another process has', () => {
  it('is left to it', async () => {
    const stage = new DeliveryStage();
    stage.isHeldElsewhere = true;
    stage.commit([answer('a', 'one')]);
    assert.deepEqual(await stage.settled(), []);
    assert.deepEqual(stage.written, []);
  });

  it('gets no post of one that has lost it, which is told so', async () => {
    const stage = new DeliveryStage();
    stage.isLost = true;
    stage.commit([answer('a', 'one')]);
    assert.deepEqual(await stage.settled(), []);
    assert.deepEqual(stage.told, [`lost ${THREAD}`]);
  });

  it('and that was got back since, is begun anew: what is known of it is old', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'one')], 'running');
    (await stage.call()).answer({ kind: 'posted', ref: 'm1' });
    await stage.settled();
    const writes = stage.written.length;
    stage.isOver = true;
    stage.commit([answer('b', 'two')], 'running');
    assert.deepEqual(await stage.settled(), []);
    assert.deepEqual([stage.written.length, stage.told.includes(`lost ${THREAD}`)], [writes, false]);
  });

  it('gets no edit of one that has not asked for a while', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'H', true)], 'running');
    (await stage.call()).answer({ kind: 'posted', ref: 'm1' });
    await stage.settled();
    stage.isLost = true;
    (
      await stage
        .advance(5)
        .live(answer('a', 'He', true))
        .call()
    ).answer({ kind: 'edited' });
    assert.deepEqual(await stage.settled(), []);
    stage.advance(1).live(answer('a', 'Hel', true));
    assert.deepEqual(await stage.settled(), []);
    assert.ok(stage.told.includes(`lost ${THREAD}`));
  });
});

describe('what was not shown', () => {
  it('is taken up at the start, and looked for first where a process died in the middle', async () => {
    const stage = new DeliveryStage().write([answer('a', 'one')]);
    const posting = { key: 'a', step: 'posting', says: 'one', intentMs: stage.nowMs, sinceMs: stage.nowMs };
    stage.delivery = { revision: 0, state: { posts: [posting] } };
    await stage.deliveries.start();
    assert.deepEqual(await stage.settled(), []);
    const find = await stage.advance(15).call();
    assert.equal(find.said, 'find P/1 a');
    find.answer({ kind: 'found', refs: ['m1'] });
    await stage.settled();
    assert.equal(stage.isDelivered, true);
  });

  it('is taken up by a later look after the store has failed', async () => {
    const stage = new DeliveryStage();
    await stage.deliveries.start();
    stage.failing = true;
    stage.commit([answer('a', 'one')]);
    assert.deepEqual(await stage.settled(), []);
    assert.deepEqual(stage.told, ['store-failed']);
    stage.failing = false;
    assert.equal((await stage.advance(5).call()).said, 'post P/1 a one');
  });

  it('is refused once, told, and holds nothing back', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'one'), answer('b', 'two')]);
    (await stage.call()).answer({ kind: 'refused', why: 'is_archived' });
    assert.equal((await stage.call()).said, 'post P/1 b two');
    assert.deepEqual(stage.told, ['chat-called', 'call-failed']);
  });
});

describe('the end', () => {
  it('waits for a call that is under way, and not for long', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'one'), answer('b', 'two')]);
    const call = await stage.call();
    let hasLeft = false;
    const leaving = stage.deliveries.leave().then(() => {
      hasLeft = true;
    });
    await stage.settled();
    assert.equal(hasLeft, false);
    stage.advance(3);
    await leaving;
    call.answer({ kind: 'posted', ref: 'm1' });
    stage.commit([answer('c', 'three')]).advance(60);
    assert.deepEqual(await stage.settled(), []);
    assert.equal(stage.written.length, 1, 'whoever comes next looks for it');
  });

  it('has what came of that call on record', async () => {
    const stage = new DeliveryStage().commit([answer('a', 'one'), answer('b', 'two')]);
    const call = await stage.call();
    const leaving = stage.deliveries.leave();
    call.answer({ kind: 'posted', ref: 'm1' });
    await leaving;
    assert.match(stage.written.at(-1) ?? '', /"ref":"m1"/);
    assert.deepEqual(await stage.settled(), []);
    await stage.deliveries.leave();
  });
});
