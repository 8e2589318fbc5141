import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpAgent } from '../contract/http-agent.ts';
import { fakeSlack } from '../contract/slack/fake-slack.ts';
import { TestClock } from '../contract/slack/test-clock.ts';
import { CHANNELS, PEOPLE } from '../contract/slack/town.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { ThreadClient } from './process/thread-client.ts';
import { completes } from './stage/hitl-agent.ts';
import { messageOf } from './stage/sent-message.ts';

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
  const agent = (await HttpAgent.start('1.0')).on('send', completes, completes, completes);
  t.after(() => agent.stop());
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  const all = documents(slack, agent.origin).map((document) => JSON.stringify(document));
  writeFileSync(file, all.join('\n---\n'));
  const product = await ProductProcess.start(t, '--config', file, '--data', join(folder, 'data'));
  const client = new ThreadClient(product.url);
  const notify = (body: object) => client.post('/hooks/alertmanager/ops', body);
  const ours = () => slack.world.channel(CHANNELS.ops).messages.filter(({ app }) => app !== undefined);
  /** Resolves once the thread reads so, from its first message on. */
  const reads = (root: string, ...wanted: readonly string[]) =>
    slack.until(() => {
      const texts = slack.messages(CHANNELS.ops, root).map(({ text, streaming }) => (streaming ? '…' : text));
      return JSON.stringify(texts) === JSON.stringify(wanted);
    });

  const { thread } = await notify(group('firing', 'checkout'));
  const root = await slack.until(() => ours()[0]?.ts);
  const began = ['Alert firing: HighLatency (1)', 'Done.'];
  await reads(root, ...began);

  assert.deepEqual(await notify(group('resolved', 'checkout')), { thread });
  const over = 'Alert resolved: HighLatency (1)\nservice=checkout !channel';
  await reads(root, ...began, over);

  assert.equal((await notify(group('firing', 'checkout', 'search')))['thread'], thread);
  const again = [over, 'Alert firing: HighLatency (2)', 'Done.'];
  await reads(root, ...began, ...again);
  slack.people.mention(CHANNELS.ops, PEOPLE.ada, 'why?', { thread: root });
  await reads(root, ...began, ...again, '@Kourier why?', 'Done.');

  const [first, second, third] = agent.seen('send').map((call) => messageOf(call));
  assert.match(first?.parts[0]?.text ?? '', /untrusted data.*:\n\| .*\n\| .*"service":"checkout <!channel>"/);
  assert.match(second?.parts[0]?.text ?? '', /\| a trigger: Alert resolved: HighLatency \(1\)\n\| service=checkout/);
  assert.equal(third?.parts[0]?.text, '[Slack: Ada (U0ADA) <ada@example.com>]\nwhy?');
  const actors = [first, second, third].map((sent) => sent?.metadata?.['agentkourier.dev/actor']);
  assert.deepEqual(
    actors.map((actor) => actor !== undefined),
    [false, false, true],
  );
  assert.deepEqual(slack.messages(CHANNELS.secret), []);
  assert.equal(ours().filter(({ threadTs, ts }) => threadTs === undefined || threadTs === ts).length, 1);
});
