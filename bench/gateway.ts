import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Finding, interleaved, type Measure, median, mustEqual } from './measure.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { start, startAgent } from './processes.ts';

const EVERY_MS = 4;
/** At once, as a gateway has them: 12,500 events a second. */
const STREAMS = 50;

/** What the gateway of a Space adds to the way of a streamed event, against nginx as a plain reverse proxy. */
export const gateway: Measure = {
  name: 'gateway',
  async run(quick): Promise<readonly Finding[]> {
    if (!hasNginx()) {
      console.error('gateway: not measured, there is no nginx to measure against; apt-get install nginx-light');
      return [];
    }
    const [streams, events] = quick ? [2, 20] : [STREAMS, 250];
    const path = `/ticks/${events}/${EVERY_MS}`;
    const data = mkdtempSync(join(tmpdir(), 'kourier-bench-'));
    const agent = await startAgent();
    const nginx = await startNginx(agent.said, data);
    const space = await start('space.ts', { args: [agent.said + path, data] });
    try {
      const { direct, proxied, ours } = await interleaved(quick ? 1 : 9, {
        direct: () => middle(agent.said + path, streams, events),
        proxied: () => middle(nginx.url + path, streams, events),
        ours: () => middle(space.said, streams, events),
      });
      return [finding({ direct, proxied, ours })];
    } finally {
      for (const one of [space, nginx, agent]) one.end();
      rmSync(data, { recursive: true, force: true });
    }
  },
};

/** Microseconds from the agent's write of an event to its reader: the middle of all events of some streams at once. */
async function middle(url: string, streams: number, events: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: streams }, () => latenciesOf(url, events)));
  return median(all.flat());
}

async function latenciesOf(url: string, events: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Go on' }] };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'bench', method: 'SendStreamingMessage', params: { message } });
  await read(url, body, (text) => {
    const now = process.hrtime.bigint();
    // Both processes read the machine's one monotonic clock.
    for (const [, stamp = ''] of text.matchAll(/"text":"(\d+) "/g)) latencies.push(Number(now - BigInt(stamp)) / 1_000);
  });
  mustEqual(latencies.length, events, `events that came through ${url}`);
  return latencies;
}

function read(url: string, body: string, onText: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.setEncoding('utf8').on('data', onText).once('end', resolve).once('error', reject);
    });
    sent.once('error', reject).end(body);
  });
}

/** Less than a microsecond is no measure of this clock. */
const LEAST_US = 1;

function finding({ direct, proxied, ours }: Readonly<Record<'direct' | 'proxied' | 'ours', number>>): Finding {
  return {
    name: `what the gateway adds to the way of an event of ${STREAMS} streams, against nginx as a plain reverse proxy`,
    ratio: Math.max(ours - direct, LEAST_US) / Math.max(proxied - direct, LEAST_US),
    goal: 2,
    better: 'lower',
    detail: `medians ${Math.round(ours)} µs through the gateway, ${Math.round(proxied)} µs through nginx, ${Math.round(direct)} µs directly`,
  };
}
