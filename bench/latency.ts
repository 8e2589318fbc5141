import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { type Finding, interleaved, type Measure, median, mustEqual } from './measure.ts';
import { start, startAgent } from './processes.ts';

const EVERY_MS = 4;

/** How long a chunk is on its way, from the agent's write to the reader of a thread: product against plain proxy. */
export const latency: Measure = {
  name: 'latency',
  async run(quick): Promise<readonly Finding[]> {
    const chunks = quick ? 20 : 150;
    const path = `/ticks/${chunks}/${EVERY_MS}`;
    const data = mkdtempSync(join(tmpdir(), 'kourier-bench-'));
    const agent = await startAgent();
    const proxy = await start('proxy.ts', { args: [agent.said] });
    const product = await start('product.ts', { args: [agent.said + path, data] });
    try {
      const best = await interleaved(quick ? 1 : 9, {
        ours: async () => middle(await throughProduct(product.said), chunks),
        proxied: async () => middle(await throughProxy(proxy.said + path), chunks),
      });
      return [finding(best)];
    } finally {
      for (const one of [product, proxy, agent]) one.end();
      rmSync(data, { recursive: true, force: true });
    }
  },
};

/** Of the microseconds of each chunk. */
function middle(latencies: readonly number[], chunks: number): number {
  mustEqual(latencies.length, chunks, 'chunks that arrived one by one');
  return median(latencies);
}

/** The agent's clock and ours are the machine's one monotonic clock. */
function microsecondsSince(stamp: string): number {
  return Number(process.hrtime.bigint() - BigInt(stamp)) / 1_000;
}

async function throughProduct(url: string): Promise<readonly number[]> {
  const opened = await fetch(`${url}/api/v1/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ binding: 'bench', text: 'Go on', actor: { id: 'u1' } }),
  });
  const { thread } = (await opened.json()) as { thread: string };
  let known = 0;
  const latencies: number[] = [];
  await readEvents(`${url}/api/v1/threads/${thread}/events`, undefined, (data) => {
    const { kind, text, streaming } = JSON.parse(data) as { kind?: string; text?: string; streaming?: boolean };
    if (kind !== 'answer' || text === undefined) return 'more';
    // An event holds the whole text: chunks that it brings together have all been on their way.
    latencies.push(...(text.slice(known).match(/\d+/g) ?? []).map(microsecondsSince));
    known = text.length;
    return streaming ? 'more' : 'enough';
  });
  return latencies;
}

async function throughProxy(url: string): Promise<readonly number[]> {
  const latencies: number[] = [];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Go on' }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'proxied', method: 'SendStreamingMessage', params: { message } });
  await readEvents(url, body, (data) => {
    const stamp = /"text":"(\d+) "/.exec(data)?.[1];
    if (stamp !== undefined) latencies.push(microsecondsSince(stamp));
    return 'more';
  });
  return latencies;
}

function readEvents(url: string, body: string | undefined, onData: (data: string) => 'more' | 'enough'): Promise<void> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, headers: { 'content-type': 'application/json' } }, (response) => {
      const parser = createParser({ onEvent: ({ data }) => void (onData(data) === 'enough' && response.destroy()) });
      response.setEncoding('utf8').on('data', (text: string) => parser.feed(text));
      response.once('close', resolve).once('error', () => undefined);
    });
    sent.once('error', reject).end(body);
  });
}

function finding({ ours, proxied }: { readonly ours: number; readonly proxied: number }): Finding {
  return {
    name: "latency of a chunk from the agent's write to the thread's event, against a plain reverse proxy",
    ratio: ours / proxied,
    goal: 3,
    better: 'lower',
    detail: `medians ${Math.round(ours)} µs, ${Math.round(proxied)} µs`,
  };
}
