import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startExample } from '../../../examples/testing/start-example.ts';
import type { Entry } from '../src/core/thread/entry.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { answersOf, ThreadClient } from './process/thread-client.ts';

const CONFIGURATION = fileURLToPath(new URL('../../../examples/approval.yaml', import.meta.url));

for (const approved of [true, false]) {
  test(`the first example asks before it acts, and is ${approved ? 'approved' : 'denied'} in the thread`, async (t) => {
    const agent = await startExample(t, 'approval.ts', {});
    const folder = folderFor(t);
    const config = join(folder, 'approval.yaml');
    writeFileSync(config, readFileSync(CONFIGURATION, 'utf8').replace('http://127.0.0.1:9001', agent));
    const product = await ProductProcess.start(t, '--config', config, '--data', folder);
    const client = new ThreadClient(product.url);
    const thread = await client.open('ops', 'please restart the db');
    const events = await client.events(thread);
    let request: Extract<Entry, { kind: 'request' }> | undefined;
    await events.until(({ event, data }) => {
      if (event === 'entry' && data.kind === 'request') request = data;
      return request?.state === 'open';
    });
    events.close();
    assert(request);
    assert.equal(request.heading, 'Restart db?');
    assert.deepEqual(
      request.tools?.map(({ name, args }) => ({ name, args })),
      [{ name: 'restart_service', args: { service: 'db' } }],
    );
    const approvals = request.tools?.map(({ id }) => ({ id, approved }));
    await client.post(`/api/v1/requests/${request.id}/answer`, { actor: { id: 'u1' }, approvals });
    const timeline = await client.settled(thread);
    const steps = timeline.entries.flatMap((entry) => (entry.kind === 'step' ? [[entry.name, entry.state]] : []));
    assert.deepEqual(steps, approved ? [['restart_service', 'done']] : []);
    const said = approved ? 'I will restart **db**. It is up again.' : 'I will restart **db**. I left it alone.';
    assert.deepEqual(answersOf(timeline), [said]);
  });
}
