import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { whyNoPython } from '../../agent/interop/python-environment.ts';
import { ownPort } from '../../agent/test/own-port.ts';
import { type AdkAgent, adkAgent, type Peer, type Run } from './adk-agent.ts';
import { Conversation, seen } from './adk-conversation.ts';
import type { Entry } from './agent-product.ts';

const missing = await whyNoPython();
if (missing !== undefined && process.env['CI'] !== undefined) throw new Error(missing);
/** The first of them may have to make the environment. */
const options = { timeout: 1_800_000, ...(missing === undefined ? {} : { skip: missing }) };

const LOOKED = [
  ['message', 'look around'],
  ['step', 'get_pods', { namespace: 'prod', limit: 2 }, 'done', { pods: ['web-0', 'web-1'] }],
  ['step', 'get_quota', { namespace: 'prod' }, 'done', { cpu: 8 }],
  ['answer', "They gave: pods=['web-0', 'web-1']; cpu=8"],
];
const DELETION = { namespace: 'prod', name: 'web-0', grace: 30 };

interface AuditRecord {
  readonly decision: string;
  readonly actor: { readonly id: string };
  readonly tools: readonly Run[];
}

/** A pause leaves a step of its own, whose result is ADK's placeholder; the last step of the call is what came of it. */
function assertDecided(entries: readonly Entry[], end: readonly [string, unknown], answer: string): void {
  const steps = entries.filter(({ kind }) => kind === 'step').map(seen);
  assert.deepEqual(steps.at(-1), ['step', 'delete_pod', DELETION, ...end]);
  assert.deepEqual(entries.filter(({ kind }) => kind !== 'step').map(seen), [
    ['message', 'delete it'],
    ['request', 'The agent needs your approval', 'answered', [['delete_pod', DELETION]]],
    ['answer', answer],
  ]);
}

/** The tests of one agent process: a Python takes seconds to start. */
function agentOf(peer: Peer, tests: (agent: () => AdkAgent) => void): void {
  describe(`google-adk, ${peer.style}, A2A ${peer.wire} by a2a-sdk ${peer.sdk}`, options, () => {
    let agent: AdkAgent | undefined;
    before(async () => {
      agent = await adkAgent(peer);
    });
    after(async () => {
      await agent?.close();
    });
    tests(() => {
      assert.ok(agent);
      return agent;
    });
  });
}

function turns(agent: () => AdkAgent, wire: string): void {
  it('two tools are two steps with their arguments and results, and the final text is the answer', async (t) => {
    const conversation = await Conversation.begin(t, agent());
    const entries = await conversation.product.settled(await conversation.product.open('look around'), 1);
    assert.deepEqual(entries.map(seen), LOOKED);
    const { bindings } = (await conversation.product.get('/api/v1/bindings')) as {
      bindings: { agent: Record<string, string> }[];
    };
    assert.equal(bindings[0]?.agent['protocolVersion'], wire);
  });

  it('a second turn is in the same context', async (t) => {
    const { product } = await Conversation.begin(t, agent());
    const thread = await product.open('one');
    await product.settled(thread, 1);
    await product.say(thread, 'two');
    assert.deepEqual((await product.settled(thread, 2)).map(seen), [
      ['message', 'one'],
      ['answer', 'Message 1: one'],
      ['message', 'two'],
      ['answer', 'Message 2: two'],
    ]);
  });

  it('a tool that tells an error is a failed step', async (t) => {
    const { product } = await Conversation.begin(t, agent());
    assert.deepEqual((await product.settled(await product.open('logs please'), 1)).map(seen), [
      ['message', 'logs please'],
      ['step', 'read_logs', { name: 'web-9' }, 'failed', { error: 'pod web-9 not found' }],
      ['answer', 'They gave: error=pod web-9 not found'],
    ]);
  });

  it('a tool that raises fails the turn, and its words stay where they are', async (t) => {
    const { product } = await Conversation.begin(t, agent());
    const entries = await product.settled(await product.open('crash now'), 1);
    assert.deepEqual(entries.map(seen), [
      ['message', 'crash now'],
      ['step', 'crash', { name: 'web-9' }, 'failed'],
      ['notice', 'task-failed', 'rate-limit'],
    ]);
    assert.ok(!JSON.stringify(entries).includes('sk-secret'));
  });
}

for (const peer of [
  { style: 'plain', wire: '1.0', sdk: '1' },
  { style: 'plain', wire: '0.3', sdk: '1' },
  { style: 'plain', wire: '0.3', sdk: '0.3' },
] as const) {
  agentOf(peer, (agent) => {
    turns(agent, peer.wire);

    it("a pause in ADK's own format cannot be used: the thread is told, nothing runs, the queue goes on", async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const thread = await conversation.product.open('delete it');
      const entries = await conversation.product.settled(thread, 1);
      assert.deepEqual(entries.at(-1)?.code, 'pause-unusable');
      await conversation.product.say(thread, 'two');
      assert.deepEqual((await conversation.product.settled(thread, 2)).map(seen).at(-1), ['answer', 'Message 2: two']);
      assert.deepEqual(await conversation.runs(), []);
    });
  });
}

for (const wire of ['1.0', '0.3'] as const) {
  agentOf({ style: 'hitl', wire, sdk: '1' }, (agent) => {
    turns(agent, wire);

    it('an approved tool runs once, with exactly the arguments that were shown', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const entries = await conversation.decide('delete it', [true]);
      assertDecided(entries, ['done', { deleted: 'web-0' }], 'They gave: deleted=web-0');
      assert.deepEqual(await conversation.runs(), [{ name: 'delete_pod', args: DELETION }]);
      const { records } = (await conversation.product.get('/api/v1/audit')) as { records: readonly AuditRecord[] };
      assert.deepEqual(
        records.map(({ decision, actor, tools }) => [decision, actor.id, tools.map(({ name, args }) => [name, args])]),
        [['approved', 'u2', [['delete_pod', DELETION]]]],
      );
    });

    it('a denied tool does not run', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const rejected = 'This tool call is rejected.';
      const entries = await conversation.decide('delete it', [false]);
      assertDecided(entries, ['failed', { error: rejected }], `They gave: error=${rejected}`);
      assert.deepEqual(await conversation.runs(), []);
    });

    it('of two tools the approved one runs', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      await conversation.decide('clear up', [false, true]);
      assert.deepEqual(await conversation.runs(), [
        { name: 'delete_pod', args: { namespace: 'prod', name: 'web-1', grace: 1 } },
      ]);
    });

    it('an argument that the wire rounded is never put to anyone', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const entries = await conversation.product.settled(await conversation.product.open('huge grace'), 1);
      assert.equal(entries.at(-1)?.code, 'pause-unusable');
      assert.deepEqual(await conversation.runs(), []);
    });

    it('a product that was killed while it waits for a decision takes it after its start', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const { product } = conversation;
      const thread = await product.open('delete it');
      const { id, tools = [] } = await conversation.asked(thread);
      await product.kill();
      await product.start();
      const approvals = tools.map((tool) => ({ id: tool.id, approved: true }));
      await product.tell(`/api/v1/requests/${id}/answer`, { actor: { id: 'u2' }, approvals });
      const entries = await product.settled(thread, 1);
      assert.deepEqual(entries.map(seen).at(-1), ['answer', 'They gave: deleted=web-0']);
      assert.equal((await conversation.runs()).length, 1);
    });

    it('a stop cancels the task at the agent; what it had said stays', async (t) => {
      const { product } = await Conversation.begin(t, agent());
      const thread = await product.open('hold on');
      await product.until(thread, ({ entries }) => entries.some(({ text }) => text === 'Message '));
      await product.tell(`/api/v1/threads/${thread}/stop`, { actor: { id: 'u1' } });
      assert.deepEqual((await product.settled(thread, 1)).map(seen), [
        ['message', 'hold on'],
        ['answer', 'Message '],
        ['notice', 'task-canceled'],
      ]);
    });

    it('a product that was killed in mid-turn follows the task to its end', async (t) => {
      const conversation = await Conversation.begin(t, agent());
      const { product } = conversation;
      const thread = await product.open('hold on');
      await product.until(thread, ({ entries }) => entries.some(({ text }) => text === 'Message '));
      await product.kill();
      await product.start();
      await product.until(thread, ({ status }) => status === 'running');
      await agent().release();
      assert.deepEqual((await product.settled(thread, 1)).map(seen), [
        ['message', 'hold on'],
        ['answer', 'Message 1: hold on'],
      ]);
      assert.deepEqual(await conversation.runs(), [{ name: 'hold', args: {} }], 'it was sent once');
    });
  });
}

describe('google-adk, whose tasks and sessions are in memory, is started anew', options, () => {
  const peer: Peer = { style: 'hitl', wire: '1.0', sdk: '1' };

  async function forgetful(t: TestContext): Promise<Conversation & { restart(): Promise<void> }> {
    const port = `${await ownPort()}`;
    let agent = await adkAgent(peer, port);
    t.after(() => agent.close());
    const conversation = await Conversation.begin(t, agent);
    return Object.assign(conversation, {
      restart: async () => {
        await agent.close();
        agent = await adkAgent(peer, port);
      },
    });
  }

  it('a turn that ran is told to be lost, and the next one is answered', async (t) => {
    const conversation = await forgetful(t);
    const { product } = conversation;
    const thread = await product.open('hold on');
    await product.until(thread, ({ entries }) => entries.some(({ text }) => text === 'Message '));
    await conversation.restart();
    assert.deepEqual((await product.settled(thread, 1)).map(seen).slice(2), [['notice', 'session-gone']]);
    await product.say(thread, 'two');
    assert.deepEqual((await product.settled(thread, 2)).map(seen).at(-1), ['answer', 'Message 1: two']);
  });

  it('a decision about a task that is gone runs nothing, and the thread is told', async (t) => {
    const conversation = await forgetful(t);
    const { product } = conversation;
    const thread = await product.open('delete it');
    const { id, tools = [] } = await conversation.asked(thread);
    await conversation.restart();
    const approvals = tools.map((tool) => ({ id: tool.id, approved: true }));
    await product.tell(`/api/v1/requests/${id}/answer`, { actor: { id: 'u2' }, approvals });
    const entries = await product.settled(thread, 1);
    assert.deepEqual(entries.filter(({ kind }) => kind !== 'step').map(seen), [
      ['message', 'delete it'],
      ['request', 'The agent needs your approval', 'failed', [['delete_pod', DELETION]]],
      ['notice', 'session-gone'],
    ]);
    assert.deepEqual(await conversation.agent.runs(), []);
  });
});
