import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AgentCard, StreamResponse as Streamed, type StreamResponse, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { ServedAgent } from '../src/index.ts';
import { CARD_AT, officialClient, PEERS, saying } from './official-js-peer.ts';
import { serveEcho } from './served-agent.ts';

interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly object[] }[];
  readonly history?: readonly object[];
}

const json = (task: unknown) => Task.toJSON(task as Task) as TaskJson;
async function events(stream: AsyncIterable<StreamResponse>) {
  const told: Record<string, { status: { state: string } }>[] = [];
  for await (const event of stream) told.push(Streamed.toJSON(event) as (typeof told)[number]);
  return told;
}
const membersOf = (told: readonly object[]) => told.flatMap((event) => Object.keys(event));

for (const { wire, binding } of PEERS) {
  describe(`the official JavaScript SDK calls an agent of ours, A2A ${wire}, ${binding}`, () => {
    let agent: ServedAgent;
    let client: Client;
    before(async () => {
      agent = await serveEcho();
      client = await officialClient(agent.url, { wire, binding });
    });
    after(() => agent.close());

    it('speaks what it was told to', () => {
      assert.equal(client.protocolVersion, wire);
    });

    it('sends a message and gets the task with every part', async () => {
      const task = json(await client.sendMessage(saying('one two')));
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
      assert.deepEqual(task.artifacts?.[0]?.parts, [
        { text: 'one two' },
        { data: { words: 2 } },
        {
          url: 'https://files.example/a.png',
          mediaType: 'image/png',
          ...(wire === '0.3' && binding === 'HTTP+JSON' ? {} : { filename: 'a.png' }),
        },
      ]);
      assert.deepEqual(json(await client.getTask({ id: task.id, tenant: '' })), task);
      assert.equal(json(await client.getTask({ id: task.id, tenant: '', historyLength: 0 })).history?.length ?? 0, 0);
    });

    it('streams a turn to its end', async () => {
      const told = await events(client.sendMessageStream(saying('one two')));
      const members = membersOf(told);
      assert.deepEqual([members[0], members[1]], ['task', 'statusUpdate']);
      assert.equal(members.filter((member) => member === 'artifactUpdate').length, 4);
      const last = told.at(-1);
      assert.equal((last?.['task'] ?? last?.['statusUpdate'])?.status.state, 'TASK_STATE_COMPLETED');
    });

    it('answers a question, in the same task', async () => {
      const asked = json(await client.sendMessage(saying('ask me')));
      assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
      const { id: taskId, contextId } = asked;
      const answered = json(await client.sendMessage(saying('here', { taskId, contextId })));
      assert.equal(answered.id, taskId);
      assert.deepEqual(answered.artifacts?.[0]?.parts, [{ text: 'You said: here' }]);
      assert.equal(answered.history?.length, 3);
    });

    it('subscribes to a task that runs, and cancels it', async () => {
      const { id } = json(await client.sendMessage(saying('hold on', {}, { returnImmediately: true })));
      const stream = client.resubscribeTask({ id, tenant: '' });
      const first = await stream.next();
      assert.deepEqual(membersOf([Streamed.toJSON(first.value as StreamResponse) as object]), ['task']);
      assert.equal(
        json(await client.cancelTask({ id, tenant: '', metadata: undefined })).status.state,
        'TASK_STATE_CANCELED',
      );
      const last = (await events(stream)).at(-1);
      assert.equal((last?.['task'] ?? last?.['statusUpdate'])?.status.state, 'TASK_STATE_CANCELED');
    });

    it('lists tasks where its version has a list', async () => {
      const request = {
        tenant: '',
        contextId: '',
        status: 0,
        pageSize: 2,
        pageToken: '',
        statusTimestampAfter: undefined,
      };
      const listed = client.listTasks(request as unknown as Parameters<Client['listTasks']>[0]);
      if (wire === '0.3') await assert.rejects(listed, /tasks\/list/);
      else assert.equal((await listed).tasks.length, 2);
    });

    it('gets errors under their names', async () => {
      const named = (name: string) => (error: Error) => {
        assert.equal([error.name, error.constructor.name].includes(name), true, `${error.name}: ${error.message}`);
        return true;
      };
      await assert.rejects(client.getTask({ id: 'none', tenant: '' }), named('TaskNotFoundError'));
      const { id } = json(await client.sendMessage(saying('one two')));
      const again = client.cancelTask({ id, tenant: '', metadata: undefined });
      await assert.rejects(again, named('TaskNotCancelableError'));
    });

    it('reads the fuller card', async () => {
      const card = await client.getAgentCard();
      assert.equal(card.name, 'Echo, fuller');
    });
  });
}

it('the card of 1.0 is read by the official JavaScript SDK and written again without a loss', async (t) => {
  const agent = await serveEcho(['1.0']);
  t.after(() => agent.close());
  const card = (await (await fetch(`${agent.url}${CARD_AT['1.0']}`)).json()) as object;
  assert.deepEqual(AgentCard.toJSON(AgentCard.fromJSON(card)), card);
});
