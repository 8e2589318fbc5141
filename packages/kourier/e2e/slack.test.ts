import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { serveAgent, type Turn } from '@agentkourier/agent';
import { HttpAgent, json } from '../contract/http-agent.ts';
import { CHANNELS, PEOPLE } from '../contract/slack/town.ts';
import { EchoAgent, echo } from './process/echo-agent.ts';
import { SlackProduct } from './process/slack-product.ts';
import { approval, asksOnce, completes, HITL_CARD, stored, streamed, text, update, whole } from './stage/hitl-agent.ts';
import { messageOf } from './stage/sent-message.ts';

const { ops } = CHANNELS;
const { ada, bob } = PEOPLE;

for (const mode of ['socket', 'http'] as const) {
  describe(`Slack end to end, ${mode}`, { timeout: 600_000 }, () => {
    it('a mention gets a streamed answer with its steps, and what is said next goes on in the same context', async (t) => {
      const agent = await lookingAgent(t);
      const stage = await SlackProduct.start(t, mode, agent.url);
      const { slack } = stage;
      const root = slack.people.mention(ops, ada, 'how are the pods?');
      const live = await stage.shown(root, ({ streaming, text: said }) => streaming && said.includes('Looking.'));
      agent.release();
      const done = await stage.shown(root, ({ streaming, text: said }) => !streaming && said.includes('All is well.'));
      assert.equal(done.ts, live.ts);
      assert.match(done.text, /Looking\..*list_pods.*All is well\./s);
      slack.people.say(ops, bob, 'and thanks', { thread: root.ts });
      slack.people.mention(ops, bob, 'and the nodes?', { thread: root.ts });
      await slack.until(() => stage.ours(root).filter((each) => isAnswer(each)).length === 2);
      assert.equal(new Set(agent.turns.map(({ contextId }) => contextId)).size, 1);
      assert.equal(agent.turns.length, 2);
      assert.match(agent.turns[1]?.text ?? '', /\nand the nodes\?\n.*\n\| Bob Ross: and thanks$/s);
      assert.equal(stage.ours(root).length, 2);
      await stage.end();
    });

    it('a question is answered by a mention in its thread', async (t) => {
      const agent = await hitlAgent(t);
      const stage = await SlackProduct.start(t, mode, agent.origin);
      const { slack } = stage;
      asksOnce(agent, { messageId: 'pause-1', parts: [text('Which region?')] }).on('send', completes);
      const root = slack.people.mention(ops, ada, 'set it up');
      await stage.shown(root, ({ text: said, buttons }) => said.includes('Which region?') && buttons.length > 0);
      slack.people.mention(ops, bob, 'eu', { thread: root.ts });
      await stage.shown(root, ({ text: said, streaming }) => said.includes('Done.') && !streaming);
      const asked = await stage.shown(root, ({ text: said }) => said.includes('Answered by Bob Ross'));
      assert.deepEqual(asked.buttons, []);
      assert.equal(agent.seen('send').length, 2);
      assert.match(JSON.stringify(messageOf(agent.seen('send')[1])), /eu/);
      await stage.end();
    });

    it('an approval is refused to whoever may not give it, and taken from whoever may', async (t) => {
      const agent = await hitlAgent(t);
      const stage = await SlackProduct.start(t, mode, agent.origin);
      const { slack } = stage;
      asksOnce(agent, approval({ id: 't1', name: 'delete_pod', args: { name: 'web-0' } })).on('send', completes);
      const root = slack.people.mention(ops, bob, 'delete it');
      const prompt = await stage.shown(root, ({ buttons }) => buttons.length > 0);
      assert.match(prompt.text, /delete_pod.*web-0/s);
      const approve = prompt.buttons.find(({ label }) => label === 'Approve')?.actionId ?? '';
      assert.equal(await slack.people.click(prompt.message, approve, bob), 'taken');
      await slack.until(() => slack.privately(bob).length === 1);
      assert.equal(agent.seen('send').length, 1);
      assert.equal(await slack.people.click(prompt.message, approve, ada), 'taken');
      await stage.shown(root, ({ text: said, streaming }) => said.includes('Done.') && !streaming);
      const decided = await stage.shown(root, ({ text: said }) => said.includes('Approved by'));
      assert.deepEqual([decided.ts, decided.buttons], [prompt.ts, []]);
      assert.match(decided.text, /Approved by Ada/);
      assert.equal(agent.seen('send').length, 2);
      await stage.end();
    });

    it('a turn that fails is told in the thread, and the next one is answered', async (t) => {
      const agent = await hitlAgent(t);
      const stage = await SlackProduct.start(t, mode, agent.origin);
      const failed = { messageId: 'm1', parts: [text('<!channel> the disk is full, <@U0BOB>')] };
      agent.on('send', streamed(update('WORKING'), whole('FAILED', { message: failed })), completes);
      agent.on('get', stored('FAILED', { message: failed }));
      const root = stage.slack.people.mention(ops, ada, 'go on');
      await stage.shown(root, ({ text: said }) => said.includes('task failed'));
      stage.slack.people.mention(ops, ada, 'once more', { thread: root.ts });
      await stage.shown(root, ({ text: said, streaming }) => said.includes('Done.') && !streaming);
      assert.equal(stage.ours(root).length, 2);
      await stage.end();
    });

    it('another bot begins three turns, a person the next, which has what the bot said meanwhile', async (t) => {
      const agent = await EchoAgent.start(t);
      const stage = await SlackProduct.start(t, mode, agent.url);
      const { slack } = stage;
      const answers = (count: number) =>
        slack.until(
          () =>
            stage.ours(root).filter(({ text: said, streaming }) => said.endsWith('.') && !streaming).length === count,
        );
      const botAsks = (words: string, thread?: string) =>
        slack.people.botSays(ops, `<@${slack.app.botUserId}> ${words}`, thread === undefined ? {} : { thread });
      const root = botAsks('one');
      await answers(1);
      for (const [index, words] of ['two', 'three'].entries()) {
        botAsks(words, root.ts);
        await answers(index + 2);
      }
      const { ts } = botAsks('four', root.ts);
      await slack.until(() => slack.deliveries.of(ts).every(({ state }) => state === 'acknowledged'));
      slack.people.mention(ops, ada, 'five', { thread: root.ts });
      await answers(4);
      const heard = agent.runs.map(({ words }) => words.split('\n')[0]);
      assert.deepEqual(heard, ['one', 'two', 'three', 'five']);
      assert.match(agent.runs[3]?.words ?? '', /^five\n.*\n\| Deploys: four$/s);
      await stage.end();
    });

    it('C181 killed in mid-answer and started again: the thread shows the answer once', async (t) => {
      const agent = await EchoAgent.start(t);
      const stage = await SlackProduct.start(t, mode, agent.url);
      const words = 'hold the line';
      const root = stage.slack.people.mention(ops, ada, words);
      const live = await stage.shown(root, ({ text: said }) => said.includes(words));
      await stage.product.kill();
      await stage.startAgain();
      agent.release();
      const whole = await stage.shown(root, ({ text: said, streaming }) => said.trim() === echo(words) && !streaming);
      assert.equal(whole.ts, live.ts);
      assert.equal(stage.ours(root).length, 1);
      assert.equal(agent.runs.length, 1);
      await stage.end();
    });
  });
}

const isAnswer = ({ text: said, streaming }: { text: string; streaming: boolean }): boolean =>
  said.includes('All is well.') && !streaming;

/** An agent that pauses, as its script says. */
async function hitlAgent(t: TestContext): Promise<HttpAgent> {
  const agent = await HttpAgent.start('1.0');
  t.after(() => agent.stop());
  return agent.on('card', ...Array.from({ length: 10 }, () => json(HITL_CARD)));
}

/** An agent that looks before it answers, and waits in the middle of its first turn. */
async function lookingAgent(t: TestContext) {
  const turns: Turn[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const served = await serveAgent({
    name: 'Looking',
    description: 'Looks, then answers.',
    async *turn(turn) {
      turns.push(turn);
      yield 'Looking. ';
      await held;
      yield { call: { id: `c${turns.length}`, name: 'list_pods', args: { namespace: 'web' } } };
      yield { result: { id: `c${turns.length}`, name: 'list_pods', response: { found: 2 } } };
      yield 'All is well.';
    },
  });
  t.after(() => served.close());
  return { turns, url: served.url, release };
}
