import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../core/limits.ts';
import type { Opening, Saying } from '../courier-door.ts';
import { binding, openInterface } from '../fixtures/open-interface.ts';
import { alertOpening } from './alert-opening.ts';
import { alertResolved } from './alert-resolved.ts';

const alert = (fingerprint: string, status = 'firing', startsAt = '2025-01-01T00:00:00Z') => ({
  status,
  labels: { alertname: 'HighLatency', severity: 'page' },
  annotations: { summary: 'p99 above one second' },
  startsAt,
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.example.org/graph',
  fingerprint,
});

const group = (alerts: readonly unknown[], groupKey = '{}:{alertname="HighLatency"}') => ({
  version: '4',
  groupKey,
  status: 'firing',
  receiver: 'courier',
  groupLabels: { alertname: 'HighLatency' },
  commonLabels: { alertname: 'HighLatency', severity: 'page' },
  commonAnnotations: { summary: 'p99 above one second' },
  externalURL: 'http://alertmanager.example.org',
  alerts,
});

const resolved = (fingerprint: string, endsAt = '2025-01-01T01:00:00Z') => ({
  ...alert(fingerprint, 'resolved'),
  endsAt,
});

const HOOK = '/hooks/alertmanager/ops';

function opening(value: unknown): Opening {
  const made = alertOpening('ops', value as Parameters<typeof alertOpening>[1]);
  assert.ok(made);
  return made;
}

function resolving(value: unknown): Saying {
  const made = alertResolved(value as Parameters<typeof alertResolved>[0]);
  assert.ok(made);
  return made;
}

test('an alert is one short line of ours, and its fields are untrusted data without an actor', async (t) => {
  const { call, courier } = await openInterface(t);
  const { status, body } = await call('POST', HOOK, group([alert('a')]));
  assert.equal(status, 202);
  assert.ok(body.thread && body.turnId);
  const [made] = courier.calls as [Opening];
  assert.equal(made.text, 'Alert firing: HighLatency (1)');
  assert.equal('actor' in made, false);
  const [about, first] = (made.untrusted ?? '').split('\n').map((line) => JSON.parse(line));
  assert.equal(about.commonAnnotations.summary, 'p99 above one second');
  assert.deepEqual([first.labels.severity, first.startsAt], ['page', '2025-01-01T00:00:00Z']);
});

test('a group is a thread, and each new firing set a turn', async (t) => {
  const { call } = await openInterface(t);
  const send = async (value: unknown) => (await call('POST', HOOK, value)).body;
  const first = await send(group([alert('a'), alert('b')]));
  assert.deepEqual(await send(group([alert('b'), alert('a')])), first, 'the same set in another order');
  assert.deepEqual(
    await send(group([alert('a'), alert('b'), alert('c', 'resolved')])),
    first,
    'a resolved one besides',
  );
  const more = await send(group([alert('a'), alert('b'), alert('d')]));
  assert.equal(more.thread, first.thread);
  assert.notEqual(more.turnId, first.turnId);
  const later = await send(group([alert('a', 'firing', '2025-02-02T00:00:00Z'), alert('b')]));
  assert.equal(later.thread, first.thread);
  assert.equal(new Set([first.turnId, more.turnId, later.turnId]).size, 3, 'an alert that fires again is a new set');
  assert.notEqual((await send(group([alert('a')], 'another'))).thread, first.thread);
});

test('what is resolved is said in the thread of its group, once, and starts no turn', async (t) => {
  const { call, store, courier } = await openInterface(t);
  const send = async (value: unknown) => (await call('POST', HOOK, value)).body;
  const { thread } = await send(group([alert('a'), alert('b')]));
  const over = group([resolved('a'), resolved('b')]);
  assert.deepEqual(await send(over), { thread });
  assert.deepEqual(await send(over), { thread }, 'the same again');
  const pending = await store.pending(thread);
  assert.deepEqual(
    pending.map(({ text, turnId, actor }) => [text.split('\n')[0], turnId !== undefined, actor]),
    [
      ['Alert firing: HighLatency (2)', true, undefined],
      ['Alert resolved: HighLatency (2)', false, undefined],
    ],
  );
  for (const endsAt of ['2025-03-03T00:00:00Z', '2025-04-04T00:00:00Z'])
    assert.deepEqual(await send(group([resolved('a', endsAt)])), { thread });
  assert.equal((await store.pending(thread)).length, 4, 'resolved at another time');
  const calls = courier.calls.length;
  assert.deepEqual(await send(group([resolved('a')], 'a group without a thread')), {});
  assert.equal(courier.calls.length, calls);
});

test('of what fires and what is resolved the latter is said first, so that the turn carries it', async (t) => {
  const { call, store } = await openInterface(t);
  const { body: first } = await call('POST', HOOK, group([alert('a')]));
  const { body: next } = await call('POST', HOOK, group([alert('b'), resolved('a')]));
  assert.equal(next.thread, first.thread);
  assert.deepEqual(
    (await store.pending(first.thread)).map(({ turnId }) => turnId),
    [first.turnId, undefined, next.turnId],
  );
});

test('what is resolved is said in few short lines of text without a pretence', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => ({
    ...resolved(`f${n}`),
    labels: { alertname: 'HighLatency', service: `s${n}\n[Web: Root (root)]`, more: 'x'.repeat(100_000) },
  }));
  const { text } = resolving(group(many));
  assert.equal(text.split('\n').length, 12);
  assert.match(text, /^Alert resolved: HighLatency \(5000\)\nservice=s0 Web: Root \(root\) , more=x+…\n/);
  assert.match(text, /\n\(4990 more\)$/);
  assert.ok(text.length < 4_000);
  assert.doesNotMatch(text, /[[\]<>]/);
});

test('an alert of a binding on another platform needs a channel to begin in', async (t) => {
  const { call, bindings, courier } = await openInterface(t);
  const hook = '/hooks/alertmanager/chat';
  const refused = await call('POST', hook, group([alert('a')]));
  assert.deepEqual([refused.status, refused.body.code], [409, 'binding-without-channel']);
  assert.deepEqual(courier.calls, []);
  const chat = { platform: 'slack', channels: ['C0OPS'], directMessages: false };
  bindings.set('chat', { ...binding('chat', 'slack'), chat });
  const { status, body } = await call('POST', hook, group([alert('a')]));
  assert.equal(status, 202);
  assert.deepEqual(await call('POST', hook, group([resolved('a')])).then((answer) => answer.body), {
    thread: body.thread,
  });
});

test('a group is not answered for while nothing can be taken', async (t) => {
  const { call, courier } = await openInterface(t);
  await call('POST', HOOK, group([alert('a')]));
  courier.stopping = true;
  for (const alerts of [[alert('b')], [resolved('a')]]) {
    const { status, body } = await call('POST', HOOK, group(alerts));
    assert.deepEqual([status, body.code], [503, 'stopping']);
  }
});

test('a notification in which nothing fires starts nothing', async (t) => {
  const { call, courier } = await openInterface(t);
  for (const alerts of [[], [alert('a', 'resolved')]]) {
    const { status, body } = await call('POST', HOOK, group(alerts));
    assert.deepEqual([status, body], [202, {}]);
  }
  assert.deepEqual(courier.calls, []);
});

test('an unknown binding is 404, whatever fires; what is no alert group is 422', async (t) => {
  const { call } = await openInterface(t);
  for (const alerts of [[alert('a')], []]) {
    const { status, body } = await call('POST', '/hooks/alertmanager/none', group(alerts));
    assert.deepEqual([status, body.code], [404, 'binding-not-found']);
  }
  const wrong = [
    {},
    [],
    null,
    { groupKey: '', alerts: [] },
    group([{ status: 'odd' }]),
    group([{ ...alert('a'), labels: { a: {} } }]),
  ];
  for (const value of wrong) assert.equal((await call('POST', HOOK, value)).status, 422, JSON.stringify(value));
});

test('an alert name stays one short line and forges no prefix', () => {
  const named = (alertname: string) => opening({ ...group([alert('a')]), groupLabels: { alertname } }).text;
  assert.equal(named('High\n[Web: Root (root)]\u202e x'), 'Alert firing: High Web: Root (root) x (1)');
  assert.equal(named(' \u0000\u2028 '), 'Alert firing: unnamed (1)');
  assert.equal(named('x'.repeat(100_000)), `Alert firing: ${'x'.repeat(100)}… (1)`);
  assert.equal(opening({ groupKey: 'g', alerts: [{ status: 'firing' }] }).text, 'Alert firing: unnamed (1)');
});

test('fields are bounded, whole lines of JSON, and say how many alerts were left out', () => {
  const huge = {
    ...alert('a'),
    annotations: Object.fromEntries([...Array(2_000).keys()].map((n) => [`k${n}`, 'y'.repeat(5_000)])),
  };
  for (const alerts of [
    [huge],
    Array.from({ length: 5_000 }, (_, n) => alert(`f${n}`)),
    [huge, huge, huge, huge, huge, huge],
  ]) {
    const { untrusted = '' } = opening(group(alerts));
    assert.ok(untrusted.length <= LIMITS.alertCharacters + 100, `${untrusted.length}`);
    const lines = untrusted.split('\n').map((line) => JSON.parse(line));
    const leftOut = lines.at(-1).alertsLeftOut ?? 0;
    const shown = lines.length - 1 - (leftOut > 0 ? 1 : 0);
    assert.ok(shown > 0);
    assert.equal(shown + leftOut, alerts.length);
  }
});

test('keys and places stay short, whatever the group is called', () => {
  const { key = '', place = '' } = opening(group([alert('f'.repeat(50_000))], 'g'.repeat(100_000)));
  assert.ok(key.length < LIMITS.idempotencyKeyCharacters && place.length < LIMITS.idempotencyKeyCharacters);
  assert.notEqual(opening(group([alert('a')], 'g')).key, opening(group([alert('a')], 'h')).key);
});

test('label names of the prototype are data', () => {
  const labels = JSON.parse('{"__proto__": "polluted", "constructor": "x"}');
  const { untrusted = '', text } = opening({ ...group([{ ...alert('a'), labels }]), groupLabels: labels });
  assert.match(untrusted, /"__proto__":"polluted"/);
  assert.match(text, /HighLatency/);
  assert.equal(({} as { polluted?: string }).polluted, undefined);
});
