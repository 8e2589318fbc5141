import assert from 'node:assert/strict';
import { test } from 'node:test';
import { http } from '../../../../contract/upstream-host.ts';
import { bodyOf, failureOf, get, never } from '../../../../contract/upstream-samples.ts';
import { farUpstream } from '../../../../test/upstream-far.ts';
import { guardedUpstream } from './guarded-upstream.ts';

const PUBLIC = { route: 'public', enabled: true } as const;
const FAR = get('https://agent.example');

test('C175, C178 each call is judged anew: a name that turns inward is refused, before a credential is read', async (t) => {
  const { host, answers, dialled, access } = await farUpstream(t);
  answers.push(['127.0.0.1'], ['2606:4700::1', '::ffff:10.0.0.1'], ['64:ff9b::a9fe:a9fe']);
  host.answer(http('200 OK', { 'content-length': 2 }, 'hi'));
  let asked = 0;
  const credentials = () => {
    asked += 1;
    return { authorization: `Bearer ${asked}` };
  };
  const upstream = guardedUpstream(PUBLIC, { ...access, credentials });
  assert.equal(await bodyOf(await upstream.call(FAR, never())), 'hi');
  assert.match(host.visits[0]?.request ?? '', /\r\nauthorization: Bearer 1\r\n/i);
  for (const detail of ['loopback', 'private', 'link-local']) {
    const refused = { code: 'A2A_EGRESS_ADDRESS_REFUSED', sent: false, retryable: false, detail };
    await assert.rejects(upstream.call(FAR, never()), refused);
  }
  for (const url of ['http://agent.example/', 'file:///etc/passwd', 'https://agent.example:8443/', 'https://[::1]/']) {
    const [code, sent] = await failureOf(upstream.call({ ...FAR, url }, never()));
    assert.match(code, /^A2A_EGRESS_(SCHEME|PORT|ADDRESS)_REFUSED$/);
    assert.equal(sent, false);
  }
  assert.deepEqual([dialled.length, asked], [1, 1]);
});

test('C176 nothing is called unless the policy says so, nor a network without its dialer', async (t) => {
  const { dialled, access } = await farUpstream(t);
  for (const [policy, code] of [
    [undefined, 'A2A_EGRESS_TRANSPORT_REQUIRED'],
    [{ route: 'public', enabled: false }, 'A2A_PUBLIC_EGRESS_DISABLED'],
    [{ route: 'vpc' }, 'A2A_VPC_EGRESS_DIALER_REQUIRED'],
  ] as const) {
    assert.deepEqual(await failureOf(guardedUpstream(policy, access).call(FAR, never())), [code, false, false]);
  }
  assert.deepEqual(dialled, []);
});

test('a credential that the caller sent, too, and one that cannot be sent, are refused without their value', async (t) => {
  const { dialled, access } = await farUpstream(t);
  const call = (headers: Record<string, string>, authorization: string) =>
    guardedUpstream(PUBLIC, { ...access, credentials: () => ({ authorization }) }).call({ ...FAR, headers }, never());
  const conflict = await failureOf(call({ authorization: 'Bearer caller' }, 'Bearer ours'));
  assert.deepEqual(conflict, ['A2A_CREDENTIAL_INJECTION_CONFLICT', false, false]);
  const broken = call({}, 'hush\r\nx: y');
  await assert.rejects(broken, (error) => !/hush/.test(String(error)));
  assert.deepEqual(await failureOf(broken), ['A2A_UPSTREAM_REQUEST_REFUSED', false, false]);
  assert.deepEqual(dialled, []);
});
