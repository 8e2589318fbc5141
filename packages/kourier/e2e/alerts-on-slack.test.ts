import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeSlack } from '../contract/slack/fake-slack.ts';
import { TestClock } from '../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../contract/slack/town.ts';
import { EchoAgent } from './process/echo-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { ThreadClient } from './process/thread-client.ts';

const API = { apiVersion: 'agentkourier.dev/v1alpha1' };

type Slack = Awaited<ReturnType<typeof fakeSlack>>;

function documents({ apiUrl, app }: Slack, url: string): readonly object[] {
  const reference = (key: string) => ({ name: 'slack', key });
  const slack = {
    mode: 'socket',
    botTokenSecretRef: reference('bot'),
    appTokenSecretRef: reference('app'),
    apiUrl,
  };
  const chat = { platform: 'slack', channels: [CHANNELS.ops, CHANNELS.secret] };
  const binding = { backend: 'echo', identity: { userId: 'kourier' }, chat };
  return [
    { ...API, kind: 'AgentBackend', metadata: { name: 'echo' }, spec: { dialect: 'a2a', url } },
    { ...API, kind: 'ChatPlatform', metadata: { name: 'slack' }, spec: { slack } },
    { ...API, kind: 'Binding', metadata: { name: 'ops' }, spec: binding },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'slack' },
      stringData: { bot: app.botToken, app: app.appToken },
    },
  ];
}

const group = (status: 'firing' | 'resolved', ...services: readonly string[]) => ({
  groupKey: '{}:{alertname="HighLatency"}',
  groupLabels: { alertname: 'HighLatency' },
  alerts: services.map((service) => ({
    ...{ status, startsAt: '2026-01-05T09:00:00Z', endsAt: '2026-01-05T10:00:00Z', fingerprint: service },
    labels: { alertname: 'HighLatency', service: `${service} <!channel>` },
  })),
});

test('an alert begins a thread in the first channel; what is resolved and what people say stand in the same', async (t) => {
  // Its time stands still, so that nothing of it is left to wait for at the end.
  const slack = await fakeSlack({ clock: new TestClock(Date.now()), rateLimits: false });
  t.after(() => slack.close());
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  const all = documents(slack, agent.url).map((document) => JSON.stringify(document));
  writeFileSync(file, all.join('\n---\n'));
  const product = await ProductProcess.start(t, '--config', file, '--data', join(folder, 'data'));
  const client = new ThreadClient(product.url);
  const notify = (body: object) => client.post('/hooks/alertmanager/ops', body);
  const ours = () => slack.world.channel(CHANNELS.ops).messages.filter(({ app }) => app !== undefined);
  /** Once the thread has so many messages, none of which is still being written. */
  const seen = (root: string, count: number) =>
    slack.until(() => {
      const messages = slack.messages(CHANNELS.ops, root);
      return messages.length === count && messages.every(({ streaming }) => !streaming) && messages;
    });

  const { thread } = await notify(group('firing', 'checkout'));
  const root = await slack.until(() => ours()[0]?.ts);
  const [alert] = await seen(root, 2);
  assert.equal(alert?.text, 'Alert firing: HighLatency (1)');
  await slack.until(() => slack.messages(CHANNELS.ops, root)[1]?.text.includes('untrusted data'));

  assert.deepEqual(await notify(group('resolved', 'checkout')), { thread });
  const resolved = (await seen(root, 3)).at(-1);
  assert.match(resolved?.text ?? '', /^Alert resolved: HighLatency \(1\)\nservice=checkout/);
  assert.doesNotMatch(JSON.stringify(resolved?.message.blocks), /<!channel>/);

  assert.equal((await notify(group('firing', 'checkout', 'search')))['thread'], thread);
  await seen(root, 5);
  slack.people.mention(CHANNELS.ops, PEOPLE.ada, 'why?', { thread: root });
  await seen(root, 7);
  assert.equal(agent.runs.length, 3);
  assert.equal(new Set(agent.runs.map(({ contextId }) => contextId)).size, 1);
  assert.match(agent.runs[1]?.words ?? '', /\| a trigger: Alert resolved: HighLatency \(1\)\n\| service=checkout/);
  assert.equal(agent.runs[2]?.words, 'why?');
  assert.deepEqual(slack.messages(CHANNELS.secret), []);
  assert.equal(ours().filter(({ threadTs, ts }) => threadTs === undefined || threadTs === ts).length, 1);
});
