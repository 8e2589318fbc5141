import assert from 'node:assert/strict';
import { test } from 'node:test';
import { audit } from './process/audit.ts';
import { writeConfiguration } from './process/configuration.ts';
import { EchoAgent } from './process/echo-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { ThreadClient } from './process/thread-client.ts';
import { Writer } from './process/writer.ts';

const THREADS = 200;
const MESSAGES = 3;

test(`${THREADS} threads at once: every message is answered, in its thread's order`, async (t) => {
  const agent = await EchoAgent.start(t);
  const folder = folderFor(t);
  const config = writeConfiguration(folder, new Map([['echo', agent.url]]));
  const product = await ProductProcess.start(t, '--config', config, '--data', folder);
  const client = new ThreadClient(product.url);
  const writers = Array.from({ length: THREADS }, (_, index) => new Writer(`w${index}`, 'echo', () => undefined));
  await Promise.all(writers.map((writer) => writer.write(client, MESSAGES)));
  const timelines = await Promise.all(writers.map((writer) => client.settled(String(writer.thread))));
  for (const [index, writer] of writers.entries()) {
    const timeline = timelines[index];
    assert.ok(timeline);
    audit(writer, timeline, agent);
  }
  assert.equal(agent.runs.length, THREADS * MESSAGES);
  t.diagnostic(`peak ${product.peakMebibytes().toFixed(0)} MiB`);
});
