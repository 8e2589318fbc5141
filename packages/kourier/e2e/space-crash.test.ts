import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { OUTBOX_WAITS } from '../src/space/limits.ts';
import { ActingAgent } from './space/acting-agent.ts';
import { openStream, says } from './space/open-stream.ts';
import { SINK_SECRET_DOCUMENT } from './space/sink-secret.ts';
import { messageOf, SpaceCaller } from './space/space-caller.ts';
import { kourier } from './space/space-command.ts';
import { apiKey, documentOf, keyOf, SpaceProcess } from './space/space-process.ts';
import { ToldSink } from './space/told-sink.ts';

interface Stage {
  readonly space: SpaceProcess;
  readonly agent: ActingAgent;
  readonly sink: ToldSink;
  readonly anna: SpaceCaller;
}

async function stage(t: TestContext): Promise<Stage> {
  const [agent, sink] = [await ActingAgent.start(t), await ToldSink.start(t)];
  const documents = [
    SINK_SECRET_DOCUMENT,
    documentOf('Space', 'north', { tenant: 'acme', ...sink.spec }),
    apiKey('anna', 'acme', { north: 'operator' }),
    documentOf('SpaceAgent', 'actor', { space: 'north', card: { url: agent.url } }),
  ];
  const space = await SpaceProcess.start(t, documents);
  return { agent, sink, space, anna: new SpaceCaller(space.url, 'north', keyOf('anna')) };
}

const environment = ({ space }: Stage) => ({
  KOURIER_SPACE_URL: space.url,
  KOURIER_SPACE_ID: 'north',
  KOURIER_SPACE_KEY: keyOf('anna'),
});

test('killed in mid-stream: the task is bound, a fresh process finds it, the same message is the same task', async (t) => {
  const all = await stage(t);
  const { space, agent, sink, anna } = all;
  sink.status = () => 503;
  const message = messageOf('hold');
  const stream = await openStream(anna, 'actor', 'SendStreamingMessage', { message });
  await stream.until(says('begun '));
  await space.logged('event-failed');
  await space.kill();
  assert.equal(await stream.ended, 'broken');
  assert.equal(agent.canceled, 0);
  sink.status = () => 204;
  await space.startAgain();
  const recorded = (await anna.get(`/tasks/${stream.task}`)).json;
  assert.equal(recorded.status, 'working');
  assert.ok(recorded.remoteTaskId && recorded.remoteContextId);
  const status = await kourier(t, ['a2a', 'status', stream.task, '--json'], environment(all));
  const { answer, ...told } = JSON.parse(status.out);
  assert.deepEqual([status.code, told], [0, { taskId: stream.task, status: 'working', agentId: 'actor' }]);
  const again = await openStream(anna, 'actor', 'SendStreamingMessage', { message });
  assert.equal(again.task, stream.task);
  await again.until(says('begun '));
  agent.release();
  assert.equal(await again.ended, 'whole');
  assert.equal((await anna.get(`/tasks/${stream.task}`)).json.status, 'completed');
  assert.deepEqual([agent.runs.length, agent.canceled], [1, 0]);
  await sink.until(() => sink.statesOf(stream.task).includes('completed'));
  const states = [...new Set(sink.statesOf(stream.task))];
  assert.deepEqual(
    states,
    states.toSorted((one, other) => ORDER.indexOf(one) - ORDER.indexOf(other)),
  );
  assert.deepEqual((await anna.get('/tasks')).json.tasks.length, 1);
});

const ORDER = ['submitted', 'working', 'completed'];

test('C181 C182 told to stop in mid-stream: nobody is cancelled, and the next process knows the task', async (t) => {
  const { space, agent, anna } = await stage(t);
  const stream = await openStream(anna, 'actor', 'SendStreamingMessage', { message: messageOf('hold') });
  await stream.until(says('begun '));
  await space.stop();
  assert.equal(await stream.ended, 'broken', 'nobody takes it for the whole');
  assert.equal(agent.reached.filter(({ path }) => path.includes('cancel')).length, 0);
  await space.startAgain();
  const { remoteTaskId: id, status } = (await anna.get(`/tasks/${stream.task}`)).json;
  assert.equal(status, 'working');
  const followed = await openStream(anna, 'actor', 'SubscribeToTask', { id });
  assert.equal(followed.task, stream.task);
  agent.release();
  assert.equal(await followed.ended, 'whole');
  assert.equal((await anna.get(`/tasks/${stream.task}`)).json.status, 'completed');
  assert.equal(agent.canceled, 0);
});

test('killed while an event is on its way: it is brought again with its id, and those behind it after it', async (t) => {
  const { space, sink, anna } = await stage(t);
  const hung = Promise.withResolvers<void>();
  sink.answers = hung.promise;
  const sent = await anna.send('actor', messageOf('hello'));
  const task = sent.headers.get('a2a-space-task') ?? '';
  await sink.until(() => sink.all.length === 1);
  await space.kill();
  hung.resolve();
  sink.answers = undefined;
  await space.startAgain();
  await sink.until(() => sink.statesOf(task).at(-1) === 'completed' && sink.all.length > 1);
  const [first, second] = sink.all;
  assert.equal(second?.id, first?.id);
  assert.equal(second?.body, first?.body);
  const [before, after] = [first, second].map((told) => Number(told?.headers['webhook-timestamp']) * 1_000);
  assert.ok(
    (after ?? 0) - (before ?? 0) < OUTBOX_WAITS.holdMs,
    'it was not waited until the hold of the dead was over',
  );
});

test('a sink that refuses one task does not keep another from it; the dead letter outlives a crash and is sent again in order', async (t) => {
  const { space, sink, anna } = await stage(t);
  const bad = messageOf('ask');
  let refused = '';
  sink.status = ({ taskId }) => (taskId === refused || refused === '' ? 400 : 204);
  const asked = await anna.send('actor', bad);
  refused = asked.headers.get('a2a-space-task') ?? '';
  const good = await anna.send('actor', messageOf('hello'));
  const other = good.headers.get('a2a-space-task') ?? '';
  await sink.until(() => sink.statesOf(other).includes('completed'));
  await space.logged('queue-died');
  // What comes after waits behind it.
  const { remoteTaskId } = (await anna.get(`/tasks/${refused}`)).json;
  await anna.send('actor', messageOf('Oslo', { taskId: remoteTaskId }));
  await space.kill();
  await space.startAgain();
  const [dead] = (await anna.get('/outbox')).json.dead;
  const { id, diedAt, events, ...rest } = dead;
  assert.deepEqual(rest, { sink: 'space:told', taskId: refused, attempts: 3, lastError: 'HTTP_400' });
  assert.ok(events >= 2 && !Number.isNaN(Date.parse(diedAt)));
  sink.all.length = 0;
  sink.status = () => 204;
  assert.equal((await anna.post(`/outbox/${id}/replay`)).status, 202);
  await sink.until(() => sink.statesOf(refused).includes('completed'));
  const states = sink.statesOf(refused);
  assert.equal(states.length, events);
  assert.ok(states.indexOf('input-required') < states.indexOf('completed'), states.join());
  const again = await anna.post(`/outbox/${id}/replay`);
  assert.deepEqual([again.status, (await anna.get('/outbox')).json.dead], [404, []]);
});

test('C179 a thousand streams of a quiet task that are left leave nothing behind, here or at the agent', async (t) => {
  const { space, agent, anna } = await stage(t);
  const first = await openStream(anna, 'actor', 'SendStreamingMessage', { message: messageOf('hold') });
  await first.until(says('begun '));
  const { remoteTaskId: id } = (await anna.get(`/tasks/${first.task}`)).json;
  const files = (): number => readdirSync(`/proc/${space.process.pid}/fd`).length;
  const [base, open] = [files(), agent.open];
  for (let round = 0; round < 10; round += 1) {
    const streams = await Promise.all(
      Array.from({ length: 100 }, () => openStream(anna, 'actor', 'SubscribeToTask', { id })),
    );
    assert.ok(agent.open > open);
    for (const stream of streams) stream.leave();
    await agent.until(() => agent.open === open);
  }
  await anna.get('/tasks');
  // Connections to the agent that may be used again.
  assert.ok(files() <= base + 20, `${files()} files are open, and ${base} were`);
  assert.equal(agent.canceled, 0);
  agent.release();
  assert.equal(await first.ended, 'whole');
});
