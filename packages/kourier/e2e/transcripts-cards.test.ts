import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { answered, notice, said } from './stage/conversation.ts';
import { methods, type Role, Stage } from './stage/stage.ts';
import { ABSENT, cards, type Item, played, replied, taskAfter, transcript } from './stage/transcript.ts';

const nameOf = (index: number): string => `card-${index}`;

/** The cards of kagent and ADK, and those that a client must refuse, each met by a turn. */
describe('transcripts: cards', { skip: ABSENT, timeout: 600_000 }, () => {
  let stage: Stage;
  const all = ABSENT ? [] : cards();
  const modern = transcript('05-adk-python-new-artifacts.1.0.json').filter((_, index) => index !== 2 && index !== 3);
  const old = transcript('06-adk-python-new-artifacts.0.3.json').filter((_, index) => index !== 2 && index !== 3);

  before(async () => {
    const role = (index: number): Role => (index === 0 ? { card: index, dialect: 'kagent-v1' } : { card: index });
    stage = await Stage.open(Object.fromEntries(all.map((_, index) => [nameOf(index), role(index)])));
  });
  after(() => stage.close());

  for (const [index, { note }] of all.entries()) {
    const refused = note.startsWith('must be refused');
    it(note, async () => {
      const agent = stage.agent(nameOf(index));
      const isOld = index === 1 || index === 2;
      const items: readonly Item[] = isOld ? old : modern;
      agent.on('send', played(agent, items)).on('get', replied(agent, taskAfter(items)));
      const conversation = await stage.open(nameOf(index), 'Restart the web pod.');
      const said0 = said('Restart the web pod.');
      if (refused) {
        assert.deepEqual(await conversation.settled(), [said0, notice('card-refused')]);
        assert.match(await conversation.noticeText('card-refused'), REASONS[index] ?? /never/);
        assert.deepEqual(methods(agent), []);
        return;
      }
      assert.deepEqual(await conversation.settled(), [said0, answered('`web-0` was restarted.')]);
      assert.deepEqual(methods(agent), ['send', 'get']);
      const [send] = agent.seen('send');
      assert.equal(send?.body.method, isOld ? 'message/stream' : 'SendStreamingMessage');
      // Whether or not it is required, the extension is asked for where the card lists it (rule S8).
      const asked = index === 0 || index === 6 ? 'https://kagent.dev/extensions/hitl/v1' : undefined;
      assert.equal(send?.headers['a2a-extensions'], asked);
    });
  }
});

/** In the contract's words, where it has some. */
const REASONS: Readonly<Record<number, RegExp>> = {
  3: /streaming/,
  4: /agent card lists no JSON-RPC interface/,
  5: /agent requires an unsupported extension/,
};
