import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lease, message } from '../contract/store-samples.ts';
import { sqliteStore } from '../src/adapters/store/sqlite/sqlite-store.ts';
import type { ThreadId } from '../src/core/thread/ids.ts';
import type { Store } from '../src/ports/store.ts';

const WRITER = fileURLToPath(new URL('./store-kill-writer.ts', import.meta.url));
const ROUNDS = 10;
const MOST_REPORTS = 400;

test('SIGKILL at any moment: no acknowledged write is lost, and none is half there', async (t) => {
  const path = join(await folderOf(t), 'kourier.db');
  const acknowledged = new Map<ThreadId, Acknowledged>();
  for (let round = 0; round < ROUNDS; round++) {
    const reports = Math.ceil(Math.random() * MOST_REPORTS);
    const lines = await linesUntilKilled(path, `round${round}`, reports);
    assert.ok(lines.length >= reports);
    for (const line of lines) note(acknowledged, line);
    const store = await sqliteStore({ path });
    for (const [id, known] of acknowledged) await audit(store, id, known);
    await store.close();
  }
  assert.ok(acknowledged.size >= ROUNDS);
  const seen = [...acknowledged.values()];
  for (const kind of ['accepted', 'committed', 'placed', 'delivered'] as const) {
    assert.ok(seen.filter((known) => known[kind] > 0).length >= ROUNDS, `${kind} was hardly ever acknowledged`);
  }
});

test('a second process on the same store is told at once that it is in use, and harms nothing', async (t) => {
  const path = join(await folderOf(t), 'kourier.db');
  const first = start(path, 'first');
  t.after(() => first.kill('SIGKILL'));
  const lines = createInterface({ input: first.stdout });
  await once(lines, 'line');
  const second = start(path, 'second');
  const told: string[] = [];
  createInterface({ input: second.stdout }).on('line', (line) => told.push(line));
  const [code] = await once(second, 'close');
  assert.deepEqual([told, code], [['in-use'], 0]);
  await once(lines, 'line');
  first.kill('SIGKILL');
  await once(first, 'close');
  await (await sqliteStore({ path })).close();
});

/** What the writer said of a thread: the last of each kind that was acknowledged. */
interface Acknowledged {
  accepted: number;
  committed: number;
  placed: number;
  delivered: number;
}

function note(acknowledged: Map<ThreadId, Acknowledged>, line: string): void {
  const [what, id, count = '0'] = line.split(' ');
  const known = acknowledged.get(id as ThreadId) ?? { accepted: 0, committed: 0, placed: 0, delivered: 0 };
  if (what !== undefined && what in known) {
    const kind = what as keyof Acknowledged;
    known[kind] = Math.max(known[kind], Number(count));
  }
  acknowledged.set(id as ThreadId, known);
}

/** Everything in the thread must be what some number of whole writes left, and no fewer than were acknowledged. */
async function audit(store: Store, id: ThreadId, known: Acknowledged): Promise<void> {
  const timeline = await store.timeline(id);
  const claimed = await store.claim(id, lease('auditor', 1), 0);
  assert.ok(timeline && claimed.kind === 'claimed', `${id} is lost`);
  const committed = Number(claimed.thread.contextId ?? 0);
  const accepted = timeline.entries.filter(({ kind }) => kind === 'message').length - 1;
  assert.ok(committed >= known.committed, `${id}: commit ${known.committed} is lost`);
  assert.ok(accepted >= known.accepted, `${id}: message ${known.accepted} is lost`);
  const named = (prefix: string, from: number, to: number) =>
    Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => `${prefix}${from + index}`);
  const expected = [
    ...named('m', 0, accepted),
    ...['left-', 'right-'].flatMap((side) => named(side, 1, committed)),
    ...(committed > 0 ? ['last'] : []),
  ];
  assert.deepEqual(timeline.entries.map((entry) => entry.id).sort(), expected.sort(), id);
  const last = timeline.entries.find((entry) => entry.kind === 'answer' && entry.id === 'last');
  assert.equal(last?.kind === 'answer' ? last.text : '0', `${committed}`, id);
  assert.deepEqual(
    (await store.pending(id)).map((pending) => pending.id),
    named('m', committed, accepted),
    id,
  );
  assert.equal(timeline.revision, 1 + accepted + committed, id);
  await auditAll(store, id, committed);
  await auditDelivery(store, id, timeline.revision, known);
  if (accepted === 0) return;
  const repeated = await store.accept(id, message('again'), { key: `k${accepted}` });
  assert.equal(repeated.kind, 'repeated', id);
}

/** Two records for each commit that is there, in their order, and none for one that is not. */
async function auditAll(store: Store, id: ThreadId, committed: number): Promise<void> {
  const records = await store.audit({ limit: 2 * committed + 1, thread: id });
  const requests = Array.from({ length: committed }, (_, index) => [`a${index + 1}`, `b${index + 1}`]).flat();
  assert.deepEqual(
    records.map(({ request }) => request),
    requests.reverse(),
    id,
  );
  const numbers = records.map(({ number }) => number);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((one, other) => other - one),
    id,
  );
}

/** Every third count a place and a delivery, whole, none that was acknowledged lost; and what is owed fits both. */
async function auditDelivery(store: Store, id: ThreadId, revision: number, known: Acknowledged): Promise<void> {
  const [first, ...further] = await store.placesOf(id);
  assert.equal(first, id);
  assert.deepEqual(
    further,
    further.map((_, index) => `${id}/${3 * (index + 1)}`),
    id,
  );
  assert.ok(3 * further.length >= known.placed, `${id}: place ${known.placed} is lost`);
  for (const place of [id, ...further]) assert.equal(await store.threadAt('ops', place), id);
  const delivery = await store.delivery(id);
  const { count } = (delivery?.state ?? { count: 0 }) as { count: number };
  assert.ok(count >= known.delivered, `${id}: delivery ${known.delivered} is lost`);
  const undelivered = await store.undelivered('chat', 1_000);
  assert.equal(undelivered.includes(id), revision > (delivery?.revision ?? 0), id);
  if (delivery === undefined) return;
  const expected = {
    revision: count % 2 === 0 ? 1 + 2 * count : count,
    state: { count, posts: 'x'.repeat(count % 5_000) },
  };
  assert.deepEqual(delivery, expected, id);
}

async function linesUntilKilled(path: string, round: string, reports: number): Promise<readonly string[]> {
  const writer = start(path, round);
  const lines: string[] = [];
  createInterface({ input: writer.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length === reports) writer.kill('SIGKILL');
  });
  const [code, signal] = await once(writer, 'close');
  assert.deepEqual([code, signal], [null, 'SIGKILL'], `the writer ended by itself after ${lines.length} reports`);
  // The last line may have been cut.
  return lines.slice(0, Math.max(reports, lines.length - 1));
}

function start(path: string, round: string) {
  return spawn(process.execPath, [WRITER, path, round], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function folderOf(t: { after(end: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-store-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
