import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startAgent } from '../test/agent-process.ts';
import { killedAgentCases, type Place } from '../test/killed-agent.ts';

async function placeFor(t: TestContext): Promise<Place & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [path, log] = [join(folder, 'tasks.db'), join(folder, 'log')];
  return { path, log, start: () => startAgent(t, 'sqlite', path, log) };
}

killedAgentCases('sqlite', placeFor);

test('a second process on the same file is told which, and the first one goes on', async (t) => {
  const place = await placeFor(t);
  const first = await place.start();
  await assert.rejects(place.start(), (error) => {
    assert.match(String(error), /is in use by another process. Stop that one/);
    assert.ok(String(error).includes(place.path));
    return true;
  });
  assert.equal((await first.call('ListTasks')).result?.totalSize, 0);
});
