import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loseConnection } from '../contract/http-agent.ts';
import { assertPrefixed, assertSent } from './stage/compare-sent.ts';
import { answered, notice, said, step } from './stage/conversation.ts';
import { messageOf } from './stage/sent-message.ts';
import { KAGENT, methods, type Role, Stage } from './stage/stage.ts';
import {
  ABSENT,
  ADK_0_3,
  type Item,
  KAGENT_0_9,
  played,
  replied,
  taskAfter,
  taskFor,
  transcript,
} from './stage/transcript.ts';

const ADK: Role = { wire: '0.3', card: ADK_0_3 };

/** What kagent and Google ADK send on a turn without a pause, carried by the product; `docs/agents/kagent-and-adk.md` says why it reads so. */
describe('transcripts: turns', { skip: ABSENT, timeout: 600_000 }, () => {
  let stage: Stage;

  before(async () => {
    stage = await Stage.open({
      '01': ADK,
      '02': ADK,
      '03': {},
      '05': {},
      '06': ADK,
      '07': { wire: '0.3', card: KAGENT_0_9, path: '/api/a2a/kagent/k8s-agent', userId: 'admin@kagent.dev' },
      '09': KAGENT,
      '16': KAGENT,
      '20': KAGENT,
      '26': KAGENT,
      '27': KAGENT,
    });
  });
  after(() => stage.close());

  it('01: narration and calls come as status messages; the answer is the artifact, and each call is one step', async () => {
    const items = transcript('01-adk-python-old-status.0.3.json');
    const agent = stage.agent('01').on('send', played(stage.agent('01'), items.slice(1, 8)));
    agent.on('get', replied(agent, items[9]));
    const thread = await (await stage.open('01', 'Which pods are failing in prod?')).settled();
    const pods = [
      { name: 'web-0', phase: 'CrashLoopBackOff' },
      { name: 'web-1', phase: 'Running' },
    ];
    assert.deepEqual(thread, [
      said('Which pods are failing in prod?'),
      step('list_pods', 'call_9f01', { namespace: 'prod' }, ['done', { result: pods }]),
      answered('One pod is failing: `web-0` (CrashLoopBackOff).'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get']);
    assertSent(agent.seen('send')[0], items[0]);
    assertSent(agent.seen('get')[0], items[8]);
    assertPrefixed(agent.seen('send')[0]);
    assert.equal(agent.seen('send')[0]?.path, '/');
  });

  it('02: partial texts, their aggregate and a thought come as status messages; the artifact alone is the answer', async () => {
    const items = transcript('02-adk-python-old-status-partials-thoughts.0.3.json');
    const agent = stage.agent('02');
    agent.on('send', played(agent, items)).on('get', replied(agent, taskAfter(items)));
    assert.deepEqual(await (await stage.open('02', 'Summarise the incident.')).settled(), [
      said('Summarise the incident.'),
      answered('The incident began at 08:41 and ended at 08:57.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get']);
  });

  it('03: one artifact for a whole run, appended to; its snapshot repeats the parts and brings no second step', async () => {
    const items = transcript('03-adk-go-default-one-artifact.1.0.json');
    const agent = stage.agent('03');
    agent.on('send', played(agent, items.slice(0, 8))).on('get', replied(agent, items[9]));
    assert.deepEqual(await (await stage.open('03', 'Scale web to 3.')).settled(), [
      said('Scale web to 3.'),
      step('get_deployment', 'adk-fc-1', { name: 'web' }, ['done', { output: { replicas: 1 } }]),
      step('scale', 'adk-fc-2', { name: 'web', replicas: 3 }, ['done', { output: 'scaled' }]),
      answered('`web` now has 3 replicas.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get']);
    assertSent(agent.seen('get')[0], items[8]);
  });

  it('03, with partial events: their artifact is emptied at the end, and no piece of it stays in the answer', async () => {
    const items = transcript('03-adk-go-default-one-artifact.1.0.json');
    const marked = { adk_partial: true };
    const ids = { taskId: '4358694e-eb09-4c67-a8ae-914a10562ce7', contextId: 'a625406f-6977-445c-a391-b078f4d3656e' };
    const partial = (...parts: readonly object[]): Item => {
      const artifact = { artifactId: 'partial', parts, metadata: marked };
      return { note: 'a partial event', result: { artifactUpdate: { ...ids, artifact, metadata: marked } } };
    };
    const pieces = ['`web` now ', 'has 3 replicas.'].map((text) => partial({ text, metadata: marked }));
    const run = [
      ...items.slice(0, 6),
      ...pieces,
      ...items.slice(6, 7),
      partial({ data: {}, metadata: marked }),
      ...items.slice(7, 8),
    ];
    const agent = stage.agent('03');
    agent.on('send', played(agent, run)).on('get', replied(agent, taskAfter(run)));
    const thread = await (await stage.open('03', 'Scale web to 3.')).settled();
    assert.deepEqual(thread.slice(3), [answered('`web` now has 3 replicas.')]);
  });

  for (const [name, file] of [
    ['05', '05-adk-python-new-artifacts.1.0.json'],
    ['06', '06-adk-python-new-artifacts.0.3.json'],
  ] as const) {
    it(`${name}: an artifact for each event; the aggregate replaces its chunks, and the call splits the answer`, async () => {
      const items = transcript(file);
      const agent = stage.agent(name);
      agent.on('send', played(agent, items)).on('get', replied(agent, taskAfter(items)));
      assert.deepEqual(await (await stage.open(name, 'Restart the web pod.')).settled(), [
        said('Restart the web pod.'),
        answered('Restarting it now.'),
        step('restart_pod', 'adk-1b', { name: 'web-0' }, ['done', { status: 'restarted' }]),
        answered('\n\n`web-0` was restarted.'),
      ]);
      assert.deepEqual(methods(agent), ['send', 'get']);
    });
  }

  it('07: kagent 0.9, partial texts marked as such; what the store repeats is shown once', async () => {
    const items = transcript('07-kagent-0.9-python.0.3.json');
    const agent = stage.agent('07');
    agent.on('send', played(agent, items.slice(0, 9))).on('get', replied(agent, items[10]));
    const args = { resource_type: 'deployment', namespace: 'default' };
    assert.deepEqual(await (await stage.open('07', 'What is wrong with the api deployment?')).settled(), [
      said('What is wrong with the api deployment?'),
      step('k8s_get_resources', 'call_Xy1', args, ['done', { result: 'NAME READY\napi 0/1' }]),
      answered('The `api` deployment has 0 of 1 pods ready.'),
    ]);
    assert.deepEqual(methods(agent), ['send', 'get']);
    assertSent(agent.seen('get')[0], items[9]);
    // Its card lists both versions, 0.3 first, and its own address: neither changes where a call goes.
    assert.equal(agent.seen('send')[0]?.path, '/api/a2a/kagent/k8s-agent');
    assert.equal(agent.seen('send')[0]?.body.method, 'message/stream');
  });

  it('09: kagent 1.0 ends the stream with its stored task, so nothing is read; the step stands where its call was made', async () => {
    const items = transcript('09-kagent-1.0-tool-call.1.0.json');
    const agent = stage.agent('09');
    agent.on('send', played(agent, items.slice(1, 11)));
    const args = { resource_type: 'pod', namespace: 'prod' };
    assert.deepEqual(await (await stage.open('09', 'Which pods restart?')).settled(), [
      said('Which pods restart?'),
      answered('Checking the pods.'),
      step('k8s_get_resources', 'call_k9', args, ['done', { output: 'web-0 7 restarts' }]),
      answered('\n\n`web-0` restarted 7 times.'),
    ]);
    assert.deepEqual(methods(agent), ['send']);
    assertSent(agent.seen('send')[0], items[0]);
    assertPrefixed(agent.seen('send')[0]);
    assert.equal(agent.seen('send')[0]?.path, '/agents/kagent/k8s');
    assert.equal(agent.seen('card')[0]?.path, '/agents/kagent/k8s/.well-known/agent-card.json');
    assert.equal(agent.seen('card')[0]?.headers['x-user-id'], 'kourier@example.com');
  });

  it('16: a result with an error is a failed step, a call without arguments has none, an empty output is a success', async () => {
    const items = transcript('16-kagent-1.0-tool-error-result.1.0.json');
    const agent = stage.agent('16');
    agent.on('send', played(agent, items));
    assert.deepEqual(await (await stage.open('16', 'Read the secret.')).settled(), [
      said('Read the secret.'),
      step('k8s_get_secret', 'call_s1', { name: 'db' }, ['failed', { error: 'secrets "db" is forbidden' }]),
      step('list_events', 'call_s2', undefined, ['done', { output: '' }]),
      answered('I may not read that secret.'),
    ]);
    assert.deepEqual(methods(agent), ['send']);
  });

  it('20: silence cuts the stream, the task is followed through every cut, and its call stays one step', async () => {
    const items = transcript('20-kagent-1.0-long-running-dropped-stream.1.0.json');
    const agent = stage.agent('20');
    agent.on('send', played(agent, items.slice(1, 4), 'stay'));
    agent.on('get', replied(agent, items[6]), replied(agent, items[6]));
    agent.on('subscribe', played(agent, items.slice(8, 9), 'stay'), played(agent, items.slice(11, 12)));
    assert.deepEqual(await (await stage.open('20', 'Run the full backup.')).settled(), [
      said('Run the full backup.'),
      step('run_backup', 'call_b', { scope: 'all' }, ['done', { output: 'done, 214 GiB' }]),
      answered('The backup finished: 214 GiB.'),
    ]);
    // The transcript subscribes again at once; the contract reads the task first (rules M2, M3).
    assert.deepEqual(methods(agent), ['send', 'get', 'subscribe', 'get', 'subscribe']);
    assertSent(agent.seen('send')[0], items[0]);
    assertSent(agent.seen('get')[0], items[5]);
    assertSent(agent.seen('subscribe')[0], items[7]);
    assertSent(agent.seen('subscribe')[1], items[10]);
  });

  it('26: a first turn of unknown outcome is sent again as it was, and a later one is looked up before', async () => {
    const items = transcript('26-kagent-1.0-first-turn-retry.1.0.json');
    const agent = stage.agent('26');
    agent.on('send', loseConnection, played(agent, items.slice(3, 4)));
    const conversation = await stage.open('26', 'Start the report.');
    assert.deepEqual(await conversation.settled(), [said('Start the report.'), answered('The report is ready.')]);
    const [first, second] = agent.seen('send');
    assertSent(first, items[0]);
    assertSent(second, items[2]);
    assert.deepEqual(second?.body.params, first?.body.params);
    agent.on('send', loseConnection, played(agent, taskFor('second', items[3])));
    agent.on('list', replied(agent, items[5]));
    await conversation.say('And the next one.');
    assert.deepEqual((await conversation.settled(2)).slice(2), [
      said('And the next one.'),
      answered('The report is ready.'),
    ]);
    // The list holds the first turn alone, so the second is not in it and is sent again, in the same context.
    assert.deepEqual(methods(agent), ['send', 'send', 'send', 'list', 'send']);
    assertSent(agent.seen('list')[0], items[4]);
    const [, , third, fourth] = agent.seen('send');
    assert.deepEqual(fourth?.body.params, third?.body.params);
    assert.equal(messageOf(third).contextId, '15f86e45-6593-4c2f-a390-f360cd1accf8');
  });

  it('27: a thought that lost its mark is answer text; a structured output is no text and no step', async () => {
    const items = transcript('27-kagent-1.0-structured-output-and-thought.1.0.json');
    const agent = stage.agent('27');
    agent.on('send', played(agent, items));
    const conversation = await stage.open('27', 'Give me the figures.');
    assert.deepEqual(await conversation.settled(), [
      said('Give me the figures.'),
      answered('I should compute the revenue from the ledger.'),
    ]);
    // The same output without that text: there is no answer, and the thread is told so.
    agent.on(
      'send',
      played(
        agent,
        taskFor('bare', items[4], (artifacts) => artifacts.slice(1)),
      ),
    );
    await conversation.say('Only the figures.');
    assert.deepEqual((await conversation.settled(2)).slice(2), [said('Only the figures.'), notice('no-output')]);
  });
});
