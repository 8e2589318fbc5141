import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AnswerEntry, Entry } from '../src/core/thread/entry.ts';
import type { EntryId, ThreadId, TurnId } from '../src/core/thread/ids.ts';
import type { Chat, ThreadUpdate } from '../src/ports/chat.ts';

export interface ChatBench {
  readonly chat: Chat;
  /** What a person sees of a thread once all that was shown has arrived, in the order of the timeline. */
  seen(thread: ThreadId): Promise<readonly Entry[]>;
  close(): Promise<void>;
}

const THREAD = 't_1' as ThreadId;
const TURN = 'u_1' as TurnId;

const answer = (id: string, text: string, streaming: boolean): AnswerEntry => ({
  kind: 'answer',
  id: id as EntryId,
  turnId: TURN,
  text,
  streaming,
});

const notice = (id: string, text: string): Entry => ({
  kind: 'notice',
  id: id as EntryId,
  turnId: TURN,
  code: 'task-failed',
  text,
});

const update = (revision: number, entries: readonly Entry[], more: Partial<ThreadUpdate> = {}): ThreadUpdate => {
  return { thread: THREAD, binding: 'ops', entries, status: 'running', revision, live: false, ...more };
};

/** What every chat must do: the sentences of `ports/chat.ts`, one test each. */
export function chatContract(name: string, makeBench: () => Promise<ChatBench>): void {
  describe(`chat contract: ${name}`, () => {
    const onChat = (what: string, body: (bench: ChatBench) => Promise<void>): void => {
      test(what, async () => {
        const bench = await makeBench();
        try {
          await body(bench);
        } finally {
          await bench.close();
        }
      });
    };
    namesContract(onChat);
    showingContract(onChat);
    robustContract(onChat);
  });
}

type OnChat = (what: string, body: (bench: ChatBench) => Promise<void>) => void;

function namesContract(onChat: OnChat): void {
  onChat('the names fit into metadata and into a turn’s prefix (rules S5, S6)', async ({ chat }) => {
    assert.match(chat.platform, /^[a-z][a-z0-9-]*$/);
    assert.match(chat.displayName, /^[^\]:\p{C}]+$/u);
  });
}

function showingContract(onChat: OnChat): void {
  onChat('entries are seen in the order in which they began', async ({ chat, seen }) => {
    chat.show(update(1, [answer('a', 'one', false), notice('b', 'two')]));
    chat.show(update(2, [answer('c', 'three', false)]));
    assert.deepEqual(
      (await seen(THREAD)).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  onChat('a later update of an entry replaces it where it stands', async ({ chat, seen }) => {
    chat.show(update(1, [answer('a', 'one', true), notice('b', 'two')]));
    chat.show(update(2, [answer('a', 'uno', false)]));
    assert.deepEqual(await seen(THREAD), [answer('a', 'uno', false), notice('b', 'two')]);
  });

  onChat('live text is seen, and what is committed after it stands', async ({ chat, seen }) => {
    chat.show(update(1, [answer('a', '', true)]));
    chat.show(update(1, [answer('a', 'Hel', true)], { live: true }));
    assert.deepEqual(await seen(THREAD), [answer('a', 'Hel', true)]);
    chat.show(update(1, [answer('a', 'Hello, wrong', true)], { live: true }));
    chat.show(update(2, [answer('a', 'Hello', false)], { status: 'idle' }));
    assert.deepEqual(await seen(THREAD), [answer('a', 'Hello', false)]);
  });

  onChat('showing the same again changes nothing', async ({ chat, seen }) => {
    for (let round = 0; round < 3; round++) chat.show(update(1, [notice('a', 'once')]));
    assert.deepEqual(await seen(THREAD), [notice('a', 'once')]);
  });

  onChat('threads do not mix', async ({ chat, seen }) => {
    const other = 't_2' as ThreadId;
    chat.show(update(1, [notice('a', 'here')]));
    chat.show(update(1, [notice('b', 'there')], { thread: other }));
    assert.deepEqual([await seen(THREAD), await seen(other)], [[notice('a', 'here')], [notice('b', 'there')]]);
  });
}

function robustContract(onChat: OnChat): void {
  onChat('show answers at once and throws at nothing', async ({ chat, close }) => {
    const hostile = ['', '\u0000\u202e', '\ud800', '<!channel> @everyone', 'x'.repeat(1_000_000)];
    for (const text of hostile) {
      assert.equal(chat.show(update(1, [answer('a', text, true), notice('b', text)], { live: true })), undefined);
    }
    assert.equal(chat.show(update(0, [], { status: 'idle' })), undefined);
    assert.equal(chat.show(update(1, [notice('__proto__', '')], { thread: '__proto__' as ThreadId })), undefined);
    await close();
    assert.equal(chat.show(update(2, [notice('c', 'late')])), undefined);
  });
}
