import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AgentProduct } from './agent-product.ts';
import { type SdkAgent, type Served, sdkAgent } from './sdk-agent.ts';

interface Names {
  readonly send: string;
  readonly subscribe: string;
  readonly get: string;
  readonly cancel: string;
}

const NAMES: Readonly<Record<Served, Names>> = {
  '1.0': { send: 'SendStreamingMessage', subscribe: 'SubscribeToTask', get: 'GetTask', cancel: 'CancelTask' },
  '0.3': { send: 'message/stream', subscribe: 'tasks/resubscribe', get: 'tasks/get', cancel: 'tasks/cancel' },
};

async function begin(t: TestContext, wire: Served): Promise<{ agent: SdkAgent; product: AgentProduct }> {
  const agent = await sdkAgent(wire);
  t.after(() => agent.close());
  const product = await AgentProduct.before(agent.url);
  t.after(() => product.end());
  return { agent, product };
}

for (const wire of ['1.0', '0.3'] as const) {
  const names = NAMES[wire];

  describe(`an agent served by the official JavaScript SDK, A2A ${wire}`, () => {
    it('carries a turn and the next one in the same context, each chunk once', async (t) => {
      const { agent, product } = await begin(t, wire);
      const thread = await product.open('one two  three');
      const first = await product.settled(thread, 1);
      assert.deepEqual(
        first.map(({ kind, text, streaming }) => ({ kind, text, streaming })),
        [
          { kind: 'message', text: 'one two  three', streaming: undefined },
          { kind: 'answer', text: 'one two  three', streaming: false },
        ],
      );
      await product.say(thread, 'four');
      const second = await product.settled(thread, 2);
      assert.deepEqual(
        second.map(({ text }) => text),
        ['one two  three', 'one two  three', 'four', 'four'],
      );
      // The SDK ends a stream with a status, so the whole task is read (rule R6).
      assert.deepEqual(agent.methods, [names.send, names.get, names.send, names.get]);
      const [one, two] = agent.executor.turns;
      assert.ok(one && two);
      assert.equal(two.contextId, one.contextId);
      assert.notEqual(two.taskId, one.taskId);
      const { bindings } = (await product.get('/api/v1/bindings')) as { bindings: { agent: Record<string, string> }[] };
      assert.equal(bindings[0]?.agent['protocolVersion'], wire);
    });

    it("says a failing task's notice and its category, and none of its words", async (t) => {
      const { product } = await begin(t, wire);
      const entries = await product.settled(await product.open('fail now'), 1);
      assert.equal(entries.length, 2);
      const { kind, code, category, text = '' } = entries[1] ?? {};
      assert.deepEqual({ kind, code, category }, { kind: 'notice', code: 'task-failed', category: 'rate-limit' });
      assert.doesNotMatch(text, /sk-secret/);
    });

    it('takes a bare message as the whole turn, and keeps its context', async (t) => {
      const { agent, product } = await begin(t, wire);
      const thread = await product.open('message only');
      await product.settled(thread, 1);
      await product.say(thread, 'message again');
      const entries = await product.settled(thread, 2);
      assert.deepEqual(
        entries.map(({ text }) => text),
        ['message only', 'Bare: message only', 'message again', 'Bare: message again'],
      );
      const [one, two] = agent.executor.turns;
      assert.equal(two?.contextId, one?.contextId);
    });

    it('a stop cancels the task at the agent; what it had said stays', async (t) => {
      const { agent, product } = await begin(t, wire);
      const thread = await product.open('hold it');
      await product.until(thread, ({ entries }) =>
        entries.some(({ kind, text }) => kind === 'answer' && text === 'Held '),
      );
      await product.tell(`/api/v1/threads/${thread}/stop`, { actor: { id: 'u1' } });
      const entries = await product.settled(thread, 1);
      assert.deepEqual(
        entries.map(({ kind, text, code }) => (kind === 'notice' ? code : text)),
        ['hold it', 'Held ', 'task-canceled'],
      );
      assert.ok(agent.methods.includes(names.cancel));
    });

    it('a product that was killed takes up the task that runs, and sends nothing twice', async (t) => {
      const { agent, product } = await begin(t, wire);
      const thread = await product.open('hold on');
      await product.until(thread, ({ entries }) =>
        entries.some(({ kind, text }) => kind === 'answer' && text === 'Held '),
      );
      await product.kill();
      await product.start();
      await product.until(thread, ({ status }) => status === 'running');
      await agent.subscribed;
      agent.executor.release();
      const entries = await product.settled(thread, 1);
      assert.deepEqual(
        entries.map(({ text, streaming }) => ({ text, streaming })),
        [
          { text: 'hold on', streaming: undefined },
          { text: 'Held hold on', streaming: false },
        ],
      );
      assert.equal(agent.executor.turns.length, 1);
      assert.deepEqual(agent.methods, [names.send, names.get, names.subscribe, names.get]);
    });

    it('a task that ended while the product was down is read, not asked for again', async (t) => {
      const { agent, product } = await begin(t, wire);
      const thread = await product.open('hold on');
      await product.until(thread, ({ entries }) =>
        entries.some(({ kind, text }) => kind === 'answer' && text === 'Held '),
      );
      await product.kill();
      agent.executor.release();
      await product.start();
      const entries = await product.settled(thread, 1);
      assert.deepEqual(
        entries.map(({ text }) => text),
        ['hold on', 'Held hold on'],
      );
      assert.deepEqual(agent.methods, [names.send, names.get]);
    });
  });
}
