import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '../../core/limits.ts';
import type { Opening } from '../courier-door.ts';
import { binding, openInterface } from '../fixtures/open-interface.ts';

const SECRET = 'a-secret-of-this-test-alone';
const HOOK = '/hooks/generic/ops';
const NOW_S = 1_700_000_000;

interface Signing {
  readonly secret?: string;
  readonly timestamp?: number | string;
  /** What is signed, when it is not what is sent. */
  readonly signed?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

const sign = (raw: string, { secret = SECRET, timestamp = NOW_S, signed = raw }: Signing = {}) => ({
  'x-kourier-timestamp': String(timestamp),
  'x-kourier-signature': `v1=${createHmac('sha256', secret).update(`v1:${timestamp}:${signed}`).digest('hex')}`,
});

/** The interface with a binding that takes signed events, and one that does not. */
async function openHook(t: TestContext) {
  const opened = await openInterface(t);
  opened.bindings.set('ops', { ...binding('ops', 'web'), hooks: { generic: { secret: SECRET } } });
  const send = (event: unknown, signing: Signing = {}) => {
    const raw = typeof event === 'string' ? event : JSON.stringify(event);
    const headers = { ...sign(raw, signing), ...signing.headers };
    return opened.call('POST', signing.path ?? HOOK, undefined, { raw, headers });
  };
  return { ...opened, send };
}

test('a signed event is a turn without an actor; all but its title is untrusted', async (t) => {
  const { send, courier } = await openHook(t);
  const event = { title: 'Look at [this]\n deploy', text: 'it\nfailed', fields: { service: 'checkout', tries: 3 } };
  const { status, body } = await send(event);
  assert.equal(status, 202);
  assert.ok(body.thread && body.turnId);
  const [made] = courier.calls as [Opening];
  assert.equal(made.text, 'Look at this deploy');
  assert.equal(made.untrusted, 'it\nfailed\n{"service":"checkout"}\n{"tries":3}');
  assert.deepEqual(['actor' in made, 'place' in made], [false, false]);
});

test('the same id, or the same body without one, is the same turn, however often it is signed', async (t) => {
  const { send, clock } = await openHook(t);
  const { body: first } = await send({ title: 'a' });
  clock.advance(60_000);
  assert.deepEqual((await send({ title: 'a' }, { timestamp: NOW_S + 60 })).body, first);
  const { body: named } = await send({ title: 'a', id: '1' });
  assert.notEqual(named.thread, first.thread);
  assert.deepEqual((await send({ title: 'in other words', id: '1' })).body, named);
});

test('events that name a thread are one thread, and get into no other', async (t) => {
  const { send, call, courier } = await openHook(t);
  const { body: first } = await send({ title: 'a', thread: 'deploy/7' });
  const { body: second } = await send({ title: 'b', thread: 'deploy/7' });
  assert.equal(second.thread, first.thread);
  assert.notEqual(second.turnId, first.turnId);
  const alerts = { groupKey: 'g', alerts: [{ status: 'firing' }] };
  const { body: alert } = await call('POST', '/hooks/alertmanager/ops', alerts);
  const { place = '' } = courier.calls.at(-1) as Opening;
  assert.notEqual((await send({ title: 'c', thread: place })).body.thread, alert.thread);
});

test('without a secret the hook is not there, whoever signs, and no more than for a binding that is not', async (t) => {
  const { send, bindings, courier } = await openHook(t);
  bindings.set('shut', binding('shut', 'web'));
  const answers = [];
  for (const name of ['shut', 'none', '%2F'])
    for (const secret of [SECRET, ''])
      answers.push(await send({ title: 'a' }, { path: `/hooks/generic/${name}`, secret }));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  assert.deepEqual(courier.calls, []);
});

test('what is forged, stale, or not signed is refused, and nothing of it is kept', async (t) => {
  const { send, courier } = await openHook(t);
  const minutes = LIMITS.hookSignatureMs / 1_000;
  const good = sign('{"title":"a"}')['x-kourier-signature'];
  const wrong: readonly Signing[] = [
    { secret: 'another-secret-of-nobody' },
    { signed: '{"title":"b"}' },
    { timestamp: NOW_S - minutes - 1 },
    { timestamp: NOW_S + minutes + 1 },
    { timestamp: NOW_S + 1, headers: { 'x-kourier-timestamp': String(NOW_S) } },
    { timestamp: '' },
    { timestamp: '-1' },
    { timestamp: '1e9' },
    { timestamp: '9'.repeat(400) },
    { headers: { 'x-kourier-signature': '' } },
    { headers: { 'x-kourier-signature': 'v1=' } },
    { headers: { 'x-kourier-signature': good.slice(0, -1) } },
    { headers: { 'x-kourier-signature': good.toUpperCase() } },
    { headers: { 'x-kourier-signature': good.replace('v1', 'v0') } },
    { headers: { 'x-kourier-signature': `${good}, ${good}` } },
  ];
  for (const signing of wrong) {
    const { status, body } = await send({ title: 'a' }, signing);
    assert.deepEqual([status, body.code], [403, 'signature-refused'], JSON.stringify(signing));
  }
  assert.deepEqual(courier.calls, []);
  for (const timestamp of [NOW_S - minutes, NOW_S + minutes])
    assert.equal((await send({ title: 'a' }, { timestamp })).status, 202, 'at the edge');
});

test('a stranger is told of the signature before anything of the body is parsed', async (t) => {
  const { send } = await openHook(t);
  for (const raw of ['no json', '{"title": 1}', ''])
    assert.equal((await send(raw, { secret: 'another-secret-of-nobody' })).status, 403);
  assert.equal((await send('no json')).status, 400);
});

test('an event that does not fit is refused: unknown, nested, blank, too many, too long, too deep', async (t) => {
  const { send, courier } = await openHook(t);
  const long = (length: number): string => 'x'.repeat(length);
  const wrong: readonly unknown[] = [
    ...[{}, [], null, 'a', { title: '' }, { title: ' \n' }, { title: {} }, { title: 'a', actor: { id: 'u1' } }],
    { title: long(LIMITS.hookTitleCharacters + 1) },
    { title: 'a', text: long(LIMITS.alertCharacters) },
    { title: 'a', fields: { a: { b: 'c' } } },
    { title: 'a', fields: { a: long(LIMITS.alertFieldCharacters + 1) } },
    { title: 'a', fields: { [long(LIMITS.promptNameCharacters + 1)]: 'a' } },
    { title: 'a', fields: Object.fromEntries([...Array(LIMITS.hookFields + 1).keys()].map((n) => [`f${n}`, n])) },
    { title: 'a', thread: '' },
    { title: 'a', id: long(LIMITS.idempotencyKeyCharacters + 1) },
    `{"title":"a","fields":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`,
  ];
  for (const event of wrong) {
    const { status } = await send(typeof event === 'string' && event !== 'a' ? event : JSON.stringify(event));
    assert.equal(status, 422, JSON.stringify(event)?.slice(0, 100));
  }
  assert.equal((await send({ title: 'a', text: long(LIMITS.messageBytes + 1) })).status, 413);
  assert.equal((await send(`{"title":"${long(LIMITS.requestBodyBytes)}"}`)).status, 413);
  assert.deepEqual(courier.calls, []);
});

test('the most that fits is cut to what an agent gets, in whole lines, and counted', async (t) => {
  const { send, courier } = await openHook(t);
  const most = Array.from({ length: LIMITS.hookFields }, (_, n) => [`f${n}`, '"'.repeat(LIMITS.alertFieldCharacters)]);
  await send({ title: 'a', text: 'x'.repeat(LIMITS.alertCharacters / 2), fields: Object.fromEntries(most) });
  const { untrusted = '' } = courier.calls.at(-1) as Opening;
  assert.ok(untrusted.length <= LIMITS.alertCharacters + 100, `${untrusted.length}`);
  const lines = untrusted.split('\n').slice(1);
  const { fieldsLeftOut } = JSON.parse(lines.pop() ?? '');
  assert.ok(lines.length > 0);
  assert.equal(lines.length + fieldsLeftOut, LIMITS.hookFields);
});

test('a field that is called as the prototype is data', async (t) => {
  const { send, courier } = await openHook(t);
  await send('{"title":"a","fields":{"__proto__":"polluted","constructor":"x"}}');
  const { untrusted } = courier.calls.at(-1) as Opening;
  assert.equal(untrusted, '{"__proto__":"polluted"}\n{"constructor":"x"}');
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});

test('it may be called under any name, as nothing else may', async (t) => {
  const { url } = await openHook(t);
  const called = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const raw = '{"title":"a"}';
      const headers = { ...sign(raw), host: 'hooks.example.org', 'content-type': 'application/json' };
      request(url + path, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(raw);
    });
  assert.equal(await called(HOOK), 202);
  assert.equal(await called('/hooks/alertmanager/ops'), 403);
  assert.equal(await called('/hooks/generic'), 403);
});

test('a binding that has no channel to begin in takes no event', async (t) => {
  const { send, bindings } = await openHook(t);
  bindings.set('chat', { ...binding('chat', 'slack'), hooks: { generic: { secret: SECRET } } });
  const { status, body } = await send({ title: 'a' }, { path: '/hooks/generic/chat' });
  assert.deepEqual([status, body.code], [409, 'binding-without-channel']);
});
