import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../core/limits.ts';
import type { Opening } from '../courier-door.ts';
import { openInterface } from '../fixtures/open-interface.ts';
import { alertOpening } from './alert-opening.ts';

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

const HOOK = '/hooks/alertmanager/ops';

function opening(value: unknown): Opening {
  const made = alertOpening('ops', value as Parameters<typeof alertOpening>[1]);
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
