import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, type TypedEvent, typedStream } from '@agentkourier/agent';
import { whyNoPython } from '../../agent/interop/python-environment.ts';
import { type AdkAgent, adkAgent, type Peer } from './adk-agent.ts';

const missing = await whyNoPython();
if (missing !== undefined && process.env['CI'] !== undefined) throw new Error(missing);
/** The first of them may have to make the environment. */
const options = { timeout: 1_800_000, ...(missing === undefined ? {} : { skip: missing }) };

const PEERS: readonly Peer[] = [
  { style: 'plain', wire: '1.0', sdk: '1' },
  { style: 'plain', wire: '0.3', sdk: '1' },
  { style: 'plain', wire: '0.3', sdk: '0.3' },
  { style: 'hitl', wire: '1.0', sdk: '1' },
  { style: 'hitl', wire: '0.3', sdk: '1' },
];

const told = (event: TypedEvent): readonly string[] =>
  event.type === 'end' ? [event.outcome, event.answer] : [event.type, event.delta];

for (const peer of PEERS) {
  describe(`the client and google-adk, ${peer.style}, A2A ${peer.wire} by a2a-sdk ${peer.sdk}`, options, () => {
    let served: AdkAgent | undefined;
    before(async () => {
      served = await adkAgent(peer);
    });
    after(() => served?.close());

    async function connected(): Promise<{ readonly agent: AdkAgent; readonly client: Client }> {
      assert.ok(served);
      const client = await Client.connect(served.url);
      assert.equal(client.endpoint.version, peer.wire);
      return { agent: served, client };
    }

    it('an answer, and a second turn in its context', async () => {
      const { client } = await connected();
      const first = await client.sendMessage('one');
      assert.ok(first.kind === 'finished' && first.from === 'task', JSON.stringify(first));
      assert.equal(first.text, 'Message 1: one');
      const { id, contextId } = first.task;
      const second = await client.sendStreamingMessage({ parts: 'two', contextId }).result();
      assert.equal(second.text, 'Message 2: two');
      assert.equal((await client.getTask(id)).state, 'completed');
    });

    it('what it thinks and what it says, each once and in its order', async () => {
      const { client } = await connected();
      const stream = client.sendStreamingMessage('think of it');
      const heard: (readonly string[])[] = [];
      for await (const event of typedStream(stream)) heard.push(told(event));
      // Only where the runner streams does ADK send a thought in pieces.
      const whole = [
        ['thinking', 'Two sources agree.'],
        ['text', 'Message 1: think of it'],
      ];
      const pieces = [
        ['thinking', 'Two sources '],
        ['thinking', 'agree.'],
        ['text', 'Message '],
        ['text', '1: '],
        ['text', 'think of it'],
      ];
      const end = ['completed', 'Message 1: think of it'];
      assert.deepEqual(heard, [...(peer.style === 'hitl' ? pieces : whole), end]);
      assert.equal((await stream.result()).text, 'Message 1: think of it');
    });

    it('an approval that a tool needs is a pause with its call, and a tool that raises a failure', async () => {
      const { client } = await connected();
      const asked = await client.sendMessage('delete it');
      assert.ok(asked.kind === 'paused', JSON.stringify(asked));
      assert.equal(asked.state, 'input-required');
      assert.match(JSON.stringify(asked.question), /"delete_pod"/);
      const failed = await client.sendMessage('crash now');
      assert.equal(failed.kind === 'finished' && failed.state, 'failed');
    });

    it('a turn that waits is read, and followed to its end', async () => {
      const { agent, client } = await connected();
      const running = await client.sendMessage('hold on', { returnImmediately: true });
      assert.ok(running.kind === 'running', JSON.stringify(running));
      const followed = client.followTask(running.task.id, { follow: { firstMs: 50 } });
      for await (const { kind } of followed) if (kind === 'task') await agent.release();
      const result = await followed.result();
      assert.ok(result.kind === 'finished', JSON.stringify(result));
      assert.equal(result.text, 'Message 1: hold on');
    });
  });
}
