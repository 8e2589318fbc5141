import assert from 'node:assert/strict';
import { test } from 'node:test';
import { farHost, http, PUBLIC_ADDRESS } from '../../test/far-host.ts';
import { handTime, receiver } from '../../test/push-receiver.ts';
import { message, serve } from '../../test/served-agent.ts';
import { guardedFetch } from '../index.ts';

const WEB = { route: 'public', enabled: true } as const;

test('C118 an address that is not public is refused when the webhook is made, by default', async (t) => {
  const inside = await receiver(t);
  const agent = await serve(t, async () => 'done', { push: {} });
  const { result } = await agent.call('SendMessage', message('m1'));
  const taskId = result?.task?.id;
  const refused = [
    inside.url,
    inside.url.replace('http:', 'https:'),
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://[::1]/',
    'http://93.184.216.34/',
    'https://93.184.216.34:8443/',
  ];
  for (const url of refused) {
    const { error } = await agent.call('CreateTaskPushNotificationConfig', { taskId, url });
    assert.equal(error?.code, -32602, url);
    assert.match(error?.message ?? '', /^url is not one that this agent posts to: A2A_EGRESS_[A-Z_]+_REFUSED\.$/);
    const configuration = { taskPushNotificationConfig: { url } };
    const inline = await agent.call('SendMessage', { ...message('m2'), configuration });
    assert.equal(inline.error?.code, -32602, url);
  }
  assert.equal((await agent.call('ListTasks')).result?.totalSize, 1);
  assert.equal(inside.unread.length, 0);
});

test('C118 C178 a name that leads inside later is refused at the delivery, for good', async (t) => {
  const host = await farHost(t, { names: ['hooks.example'], answers: [[PUBLIC_ADDRESS], ['10.0.0.1']] });
  const reported = Promise.withResolvers<unknown>();
  const push = { fetch: guardedFetch(WEB, host.access) };
  const agent = await serve(t, async () => 'done', { push, onError: reported.resolve });
  const configuration = { taskPushNotificationConfig: { url: 'https://hooks.example/' } };
  await agent.call('SendMessage', { ...message('m1'), configuration });
  assert.match(
    String(await reported.promise),
    /hooks\.example did not take .*\(A2A_EGRESS_ADDRESS_REFUSED, attempts: 1\)/,
  );
  assert.equal(host.visits.length, 0);
});

test('C178 a name that cannot be looked up now may be a webhook, and is looked up at each attempt', async (t) => {
  const response = http('204 No Content');
  const host = await farHost(t, { names: ['hooks.example'], answers: [[], [], [PUBLIC_ADDRESS]], response });
  const time = handTime();
  const push = { fetch: guardedFetch(WEB, host.access), wait: time.wait, random: time.random };
  const agent = await serve(t, async () => 'done', { push });
  const first = host.visited();
  const configuration = { taskPushNotificationConfig: { url: 'https://hooks.example/a?b', token: 'token' } };
  await agent.call('SendMessage', { ...message('m1'), configuration });
  assert.equal(await time.pause(), 500);
  const { request } = await first;
  assert.match(request, /^POST \/a\?b HTTP\/1\.1\r\n/);
  assert.match(request, /\r\nx-a2a-notification-token: token\r\n/i);
  assert.match(request, /\r\nhost: hooks\.example\r\n/i);
});
