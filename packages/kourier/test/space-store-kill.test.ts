import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { claimAll } from '../contract/space-store-samples.ts';
import { sqliteSpaceStore } from '../src/adapters/space-store/sqlite/sqlite-space-store.ts';
import type { SpaceStore } from '../src/ports/space/space-store.ts';

const WRITER = fileURLToPath(new URL('./space-store-kill-writer.ts', import.meta.url));
const ROUNDS = 5;
const MOST_REPORTS = 400;

/** The last number of each name that was acknowledged, by what was. */
type Acknowledged = Record<'began' | 'observed' | 'saved' | 'used', Map<string, number>>;

test('SIGKILL at any moment: no acknowledged write of a Space is lost, and none is half there', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-space-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'space.db');
  const known: Acknowledged = { began: new Map(), observed: new Map(), saved: new Map(), used: new Map() };
  for (let round = 0; round < ROUNDS; round += 1) {
    const reports = Math.ceil(Math.random() * MOST_REPORTS);
    for (const line of await linesUntilKilled(path, `round${round}`, reports)) {
      const [what = '', name = '', count = '1'] = line.split(' ');
      if (what in known) known[what as keyof Acknowledged].set(name, Number(count));
    }
    const store = sqliteSpaceStore({ path });
    await store.open();
    await auditTasks(store, known);
    for (const [id, number] of known.saved) await auditAgent(store, id, number);
    for (const jti of known.used.keys()) assert.equal(await store.usePermit(jti, 10_000, 1_000), false, jti);
    await store.close();
  }
  for (const [what, names] of Object.entries(known))
    assert.ok(names.size >= ROUNDS, `${what} was hardly ever acknowledged`);
});

/** A task stands where its last event says, and owes every event up to it. */
async function auditTasks(store: SpaceStore, { began, observed }: Acknowledged): Promise<void> {
  const queues = await claimAll(store, { now: 10_000_000, until: 10_000_000, limit: 1_000 });
  for (const id of began.keys()) {
    const task = await store.task(id);
    assert.ok(task, `${id} is lost`);
    const seen = task.updatedAt;
    assert.ok(seen >= (observed.get(id) ?? 0), `${id}: what was observed is lost`);
    const queue = queues.find(({ taskId }) => taskId === id);
    const events = queue === undefined ? [] : await store.owed(queue.id, 10_000);
    const expected = Array.from({ length: seen }, (_, n) => `${n + 1}`);
    assert.deepEqual(
      events.map(({ payload }) => payload),
      expected,
      id,
    );
    if (seen > 0) assert.equal((await store.taskOfRemote('demo', 'a', `remote-${id}`))?.id, id);
  }
}

async function auditAgent(store: SpaceStore, id: string, number: number): Promise<void> {
  const current = (await store.agent('demo', id))?.current?.number ?? 0;
  assert.ok(current >= number, `${id}: revision ${number} is lost`);
  const heads = await store.revisions('demo', id, { limit: 100_000 });
  const expected = Array.from({ length: current }, (_, n) => [current - n, n === 0 ? 'current' : 'superseded']);
  assert.deepEqual(
    heads.map((head) => [head.number, head.state]),
    expected,
    id,
  );
}

async function linesUntilKilled(path: string, round: string, reports: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [WRITER, path, round], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: writer.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length === reports) writer.kill('SIGKILL');
  });
  const [, signal] = await once(writer, 'close');
  assert.equal(signal, 'SIGKILL');
  return lines;
}
