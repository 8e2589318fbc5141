import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerEntry, Entry } from '../src/core/thread/entry.ts';
import type { EntryId, TurnId } from '../src/core/thread/ids.ts';
import type { Place, Post, Poster, PostRef } from '../src/ports/poster.ts';

export interface PosterBench {
  readonly poster: Poster;
  /** A thread that is there. */
  readonly place: Place;
  /** Where threads can be opened. */
  readonly channel: Place;
  /** The platform's time. */
  nowMs(): number;
  /** The texts of our messages as people see them at a place, oldest first. */
  seen(place: Place): Promise<readonly string[]>;
  /** What becomes of the next write: lost on its way, lost on its way back, or too many of them. */
  failNext(fault: 'lost-before' | 'lost-after' | 'limited'): void;
  deleteByPeople(place: Place, ref: PostRef): Promise<void>;
  close(): Promise<void>;
}

type OnPoster = (what: string, body: (bench: PosterBench) => Promise<void>) => void;

const TURN = 'u_1' as TurnId;

const answer = (id: string, text: string, streaming = false): AnswerEntry => {
  return { kind: 'answer', id: id as EntryId, turnId: TURN, text, streaming };
};
const asked: Entry = {
  ...{ kind: 'message', id: 'e_1' as EntryId, turnId: TURN, actor: { id: 'U1' } },
  ...{ text: 'Is it up?', at: '2026-01-01T00:00:00Z' },
};
const notice: Entry = { kind: 'notice', id: 'n_1' as EntryId, turnId: TURN, code: 'task-failed', text: 'It failed.' };

/** What every poster must do: the sentences of `ports/poster.ts`, one test each. */
export function posterContract(name: string, makeBench: () => Promise<PosterBench>): void {
  describe(`poster contract: ${name}`, () => {
    const onPoster: OnPoster = (what, body) => {
      test(what, async () => {
        const bench = await makeBench();
        try {
          await body(bench);
        } finally {
          await bench.close();
        }
      });
    };
    layoutContract(onPoster);
    messagesContract(onPoster);
    findingContract(onPoster);
    outcomesContract(onPoster);
    openingContract(onPoster);
  });
}

function layoutContract(onPoster: OnPoster): void {
  onPoster('the same entries give the same posts, each with a key of its own', async ({ poster, place }) => {
    const entries = [asked, answer('a_1', 'Yes.'), notice];
    const posts = poster.layout(entries, place);
    assert.deepEqual(poster.layout(structuredClone(entries), place), posts);
    assert.equal(new Set(posts.map(({ key }) => key)).size, posts.length);
    assert.ok(posts.length > 0);
  });

  onPoster('what a person wrote on the platform gives no post', async ({ poster, place }) => {
    assert.deepEqual(poster.layout([asked], place), []);
    assert.deepEqual(poster.layout([], place), []);
  });

  onPoster('a text that grows keeps its key, says something else, and is live until it ends', async (bench) => {
    const posts = [answer('a_1', 'Ye', true), answer('a_1', 'Yes', true), answer('a_1', 'Yes')].map((entry) =>
      only(bench, [asked, entry]),
    );
    assert.equal(new Set(posts.map(({ key }) => key)).size, 1);
    assert.deepEqual(
      posts.map(({ live }) => live),
      [true, true, false],
    );
    assert.notEqual(posts[0]?.says, posts[1]?.says);
  });

  onPoster('what comes after leaves the keys before it as they are', async ({ poster, place }) => {
    const before = poster.layout([asked, answer('a_1', 'Yes.')], place).map(({ key }) => key);
    const after = poster.layout([asked, answer('a_1', 'Yes.'), notice], place).map(({ key }) => key);
    assert.deepEqual(after.slice(0, before.length), before);
    assert.ok(after.length > before.length);
  });

  onPoster('a text of any length, or of anything, is laid out', async ({ poster, place }) => {
    for (const text of ['', '\u0000\u202e', '\ud800', '<!channel> @everyone', 'x'.repeat(200_000)]) {
      const posts = poster.layout([asked, answer('a_1', text), answer('a_2', text, true)], place);
      assert.equal(new Set(posts.map(({ key }) => key)).size, posts.length);
    }
  });
}

function messagesContract(onPoster: OnPoster): void {
  onPoster('a post is seen, its edits replace it, and the same edit again changes nothing', async (bench) => {
    const { poster, place } = bench;
    const ref = await posted(bench, place, only(bench, [asked, answer('a_1', 'Perhaps.')]));
    await sees(bench, place, ['Perhaps.']);
    const last = only(bench, [asked, answer('a_1', 'Yes.')]);
    for (let round = 0; round < 2; round++) assert.deepEqual(await poster.edit(place, ref, last), { kind: 'edited' });
    await sees(bench, place, ['Yes.']);
  });

  onPoster('a live post ends with the first edit that is not live, and says what that says', async (bench) => {
    const { poster, place } = bench;
    const ref = await posted(bench, place, only(bench, [asked, answer('a_1', 'It', true)]));
    for (const text of ['It is', 'It is up', 'It is not']) {
      assert.equal((await poster.edit(place, ref, only(bench, [asked, answer('a_1', text, true)]))).kind, 'edited');
    }
    assert.equal((await poster.edit(place, ref, only(bench, [asked, answer('a_1', 'It is up.')]))).kind, 'edited');
    await sees(bench, place, ['It is up.']);
  });

  onPoster('what is removed is gone, for every later call', async (bench) => {
    const { poster, place } = bench;
    const post = only(bench, [asked, answer('a_1', 'Yes.')]);
    const ref = await posted(bench, place, post);
    assert.equal((await poster.remove(place, ref)).kind, 'edited');
    await sees(bench, place, []);
    assert.equal((await poster.remove(place, ref)).kind, 'gone');
    assert.equal((await poster.edit(place, ref, post)).kind, 'gone');
    assert.deepEqual(await poster.find(place, post.key, 0), { kind: 'found', refs: [] });
  });

  onPoster('what somebody deleted is gone', async (bench) => {
    const { poster, place } = bench;
    const ref = await posted(bench, place, only(bench, [asked, answer('a_1', 'Yes.')]));
    await bench.deleteByPeople(place, ref);
    const edited = await poster.edit(place, ref, only(bench, [asked, answer('a_1', 'Yes!')]));
    assert.equal(edited.kind, 'gone');
    await sees(bench, place, []);
  });
}

function findingContract(onPoster: OnPoster): void {
  onPoster('a message is found by its key, where it is, also after an edit', async (bench) => {
    const { poster, place, channel } = bench;
    const sinceMs = bench.nowMs() - 60_000;
    const post = only(bench, [asked, answer('a_1', 'Yes.')]);
    const ref = await posted(bench, place, post);
    const found = { kind: 'found', refs: [ref] };
    assert.deepEqual(await poster.find(place, post.key, sinceMs), found);
    await poster.edit(place, ref, only(bench, [asked, answer('a_1', 'Yes!')]));
    assert.deepEqual(await poster.find(place, post.key, sinceMs), found);
    assert.deepEqual(await poster.find(place, `${post.key}-other`, sinceMs), { kind: 'found', refs: [] });
    assert.deepEqual(await poster.find(channel, post.key, sinceMs), { kind: 'found', refs: [] });
  });

  onPoster('doubles are found together, the oldest first', async (bench) => {
    const { poster, place } = bench;
    const post = only(bench, [asked, answer('a_1', 'Yes.')]);
    const refs = [await posted(bench, place, post), await posted(bench, place, post)];
    assert.deepEqual(await poster.find(place, post.key, bench.nowMs() - 60_000), { kind: 'found', refs });
  });
}

function outcomesContract(onPoster: OnPoster): void {
  for (const [fault, there] of [['lost-before', 0] as const, ['lost-after', 1] as const]) {
    onPoster(`a post that is ${fault} is unknown, is not repeated, and is found if it is there`, async (bench) => {
      const { poster, place } = bench;
      const post = only(bench, [asked, answer('a_1', 'Yes.')]);
      bench.failNext(fault);
      assert.equal((await poster.post(place, post)).kind, 'unknown');
      const found = await poster.find(place, post.key, bench.nowMs() - 60_000);
      assert.equal(found.kind === 'found' && found.refs.length, there);
      assert.equal((await bench.seen(place)).length, there);
    });
  }

  onPoster('too many calls are not done, and certainly so', async (bench) => {
    const { poster, place } = bench;
    const post = only(bench, [asked, answer('a_1', 'Yes.')]);
    bench.failNext('limited');
    const limited = await poster.post(place, post);
    assert.equal(limited.kind, 'not-done');
    assert.ok(limited.kind === 'not-done' && (limited.retryAfterMs ?? 0) >= 0);
    await sees(bench, place, []);
  });
}

function openingContract(onPoster: OnPoster): void {
  onPoster('a thread is opened below its first message, which is found in the channel', async (bench) => {
    const { poster, channel } = bench;
    const first = only(bench, [answer('a_1', 'Disk full.')]);
    const opened = await poster.open(channel, first);
    assert.equal(opened.kind, 'posted');
    if (opened.kind !== 'posted') return;
    const { place = '' } = opened;
    assert.notEqual(place, '');
    const found = await poster.find(channel, first.key, bench.nowMs() - 60_000);
    assert.deepEqual(found, { kind: 'found', refs: [opened.ref] });
    const second = only(bench, [asked, answer('a_2', 'Looking.')]);
    assert.equal((await poster.post(place, second)).kind, 'posted');
    assert.ok((await bench.seen(place)).some((text) => text.includes('Looking.')));
  });
}

/** The one post of some entries. */
function only({ poster, place }: PosterBench, entries: readonly Entry[]): Post {
  const [post, ...more] = poster.layout(entries, place);
  assert.ok(post && more.length === 0);
  return post;
}

async function posted({ poster }: PosterBench, place: Place, post: Post): Promise<PostRef> {
  const outcome = await poster.post(place, post);
  assert.equal(outcome.kind, 'posted');
  return outcome.kind === 'posted' ? outcome.ref : '';
}

/** A platform may put something around a text. */
async function sees(bench: PosterBench, place: Place, texts: readonly string[]): Promise<void> {
  const seen = await bench.seen(place);
  assert.equal(seen.length, texts.length, seen.join(' | '));
  for (const [at, text] of texts.entries()) assert.ok(seen[at]?.includes(text), `"${seen[at]}" says "${text}"`);
}
