// Two processes of one gateway on one database, as a load balancer has them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newDatabase } from '../../agent/db/postgres-server.ts';
import { folderFor } from '../e2e/process/product-process.ts';
import { ActingAgent } from '../e2e/space/acting-agent.ts';
import { CardHost } from '../e2e/space/card-host.ts';
import { openStream, says } from '../e2e/space/open-stream.ts';
import { SINK_SECRET_DOCUMENT } from '../e2e/space/sink-secret.ts';
import { type Answered, messageOf, SpaceCaller } from '../e2e/space/space-caller.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from '../e2e/space/space-process.ts';
import { ToldSink } from '../e2e/space/told-sink.ts';

const CALLS = 12;

async function stage(t: TestContext) {
  const [agent, sink, url] = [await ActingAgent.start(t), await ToldSink.start(t), await newDatabase()];
  const documents = [
    documentOf('Gateway', 'gateway', {
      publicUrl: 'https://space.example',
      // The folder of its socket counts, and no host of a URL may be empty.
      store: { postgres: { url: url.replace('@/', '@localhost/') } },
      health: { every: '1h', timeout: '1m' },
    }),
    SINK_SECRET_DOCUMENT,
    documentOf('Space', 'north', { tenant: 'acme', ...sink.spec }),
    apiKey('anna', 'acme', { north: 'operator' }),
    documentOf('SpaceAgent', 'actor', { space: 'north', card: { url: agent.url } }),
  ];
  const [folder, node] = [folderFor(t), ['--import', import.meta.resolve('../e2e/space/jumping-clock.ts')]];
  // Both make the tables, the keys and the agent, whoever comes first.
  const [one, two] = await Promise.all([
    SpaceProcess.start(t, documents, { folder, node }),
    SpaceProcess.start(t, documents, { folder, node }),
  ]);
  const at = ({ url }: SpaceProcess) => new SpaceCaller(url, 'north', keyOf('anna'));
  return { agent, sink, one, two, first: at(one), second: at(two) };
}

const reasonOf = ({ json }: Answered) => json.error?.data[0].metadata?.reason ?? 'carried';

test('what one registers, approves, prepares, records and removes holds at the other at once', async (t) => {
  const { first, second } = await stage(t);
  const host = await CardHost.start(t);
  const called = async (caller: SpaceCaller) => {
    const { json, text } = await caller.send('host', messageOf('hi'));
    return json.result?.message.parts[0].text ?? text;
  };
  const register = (caller: SpaceCaller) =>
    caller.post('/agents', { id: 'host', card: host.card, reach: 'inside', url: host.url });
  assert.equal((await register(first)).status, 201);
  assert.equal(await called(second), '/one');
  const { agents } = (await second.get('/agents?q=host')).json;
  assert.equal(agents[0]?.url, 'https://space.example/spaces/north/agents/host');
  host.card = host.cardAt('/two');
  assert.equal((await register(second)).json.outcome, 'revised');
  assert.equal(await called(first), '/two');
  const message = messageOf('hello');
  const { permit, taskId } = (await first.prepare('actor', message)).json;
  const sent = await second.send('actor', message, permit);
  assert.equal(sent.headers.get('a2a-space-task'), taskId, sent.text);
  const { id } = sent.json.result.task;
  assert.equal((await first.get(`/tasks/${taskId}`)).json.status, 'completed');
  assert.equal((await first.rpc('actor', 'GetTask', { id })).json.result.id, id);
  assert.equal((await second.ask('DELETE', `${second.base}/agents/host`)).status, 204);
  assert.equal((await first.send('host', messageOf('hi'))).status, 404);
});

test('a permit is used once, and a message is one task, however many processes are asked at once', async (t) => {
  const { agent, first, second } = await stage(t);
  const both = Array.from({ length: CALLS }, (_, index) => (index % 2 === 0 ? first : second));
  const message = messageOf('once');
  const { permit } = (await first.prepare('actor', message)).json;
  const sent = await Promise.all(both.map((caller) => caller.send('actor', message, permit)));
  assert.deepEqual(
    sent.map(reasonOf).sort(),
    ['carried', ...Array.from({ length: CALLS - 1 }, () => 'permit-used')].sort(),
  );
  const plain = messageOf('plain');
  const again = await Promise.all(both.map((caller) => caller.send('actor', plain)));
  assert.equal(new Set(again.map(({ headers }) => headers.get('a2a-space-task'))).size, 1);
  assert.deepEqual(
    again.map(({ status, json }) => [status, json.result?.task.artifacts[0].parts[0].text]),
    both.map(() => [200, 'You said: plain']),
  );
  const prepared = await Promise.all(
    both.map((caller) => caller.prepare('actor', messageOf('x'), { idempotencyKey: 'k' })),
  );
  assert.deepEqual(prepared.map(({ status }) => status).sort(), [201, ...Array.from({ length: CALLS - 1 }, () => 409)]);
  assert.deepEqual(
    agent.runs.map(({ text }) => text),
    ['once', 'plain'],
  );
});

test('one is killed in mid-stream: the other knows the task, follows it, and brings what is owed, in order', async (t) => {
  const { agent, sink, one, two, first, second } = await stage(t);
  const stream = await openStream(first, 'actor', 'SendStreamingMessage', { message: messageOf('hold') });
  await stream.until(says('begun '));
  await sink.until(() => sink.statesOf(stream.task).includes('working'));
  await one.kill();
  const { remoteTaskId: id, status } = (await second.get(`/tasks/${stream.task}`)).json;
  assert.equal(status, 'working');
  const followed = await openStream(second, 'actor', 'SubscribeToTask', { id });
  agent.release();
  assert.equal(await followed.ended, 'whole');
  // What the dead process held is let go of by time alone.
  two.process.signal('SIGUSR2');
  await sink.until(() => sink.statesOf(stream.task).includes('completed'));
  const states = sink.statesOf(stream.task).filter((state, index, all) => state !== all[index - 1]);
  assert.equal(states.at(-1), 'completed');
  assert.equal(new Set(states).size, states.length, states.join());
});
