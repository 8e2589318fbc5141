import { once } from 'node:events';
import { Agent, request } from 'undici';
import { type Finding, interleaved, type Measure, mustEqual, wallMs } from '../measure.ts';
import { type Started, start } from '../processes.ts';
import { CHUNK } from './script.ts';

const SIDES = ['ours', 'official', 'bare'] as const;
type Name = (typeof SIDES)[number];
type Servers = Readonly<Record<Name, Started>>;

const CONNECTIONS = 32;

/** A served agent against the official SDK's express server and a bare node:http, which do the same work. */
export const serving: Measure = {
  name: 'serving',
  async run(quick): Promise<readonly Finding[]> {
    const speed = await withServers(async (servers) => [
      ...(await requests(servers, quick)),
      ...(await events(servers, quick)),
    ]);
    const held = await withServers((servers) => memory(servers, quick));
    const grown = await withServers((servers) => growth(servers, quick));
    return [...speed, held, grown];
  },
};

/** Fresh servers for each measure: what one leaves behind is not the next one's. */
async function withServers<T>(work: (servers: Servers) => Promise<T>): Promise<T> {
  const servers = await startAll();
  try {
    return await work(servers);
  } finally {
    for (const name of SIDES) servers[name].end();
  }
}

async function startAll(): Promise<Servers> {
  const started = await Promise.all(
    SIDES.map((name) => start('serving/server.ts', { args: [name], flags: ['--expose-gc'] })),
  );
  return Object.fromEntries(SIDES.map((name, index) => [name, started[index] as Started])) as Servers;
}

let messages = 0;

function post(dispatcher: Agent, url: string, method: string, text: string) {
  const message = { messageId: `m${messages++}`, role: 'ROLE_USER', parts: [{ text }] };
  return request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message } }),
  });
}

/** Does `count` pieces of work, so many at a time. */
async function many(count: number, abreast: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: abreast }, worker));
}

async function perSecond(
  servers: Servers,
  count: number,
  rounds: number,
  work: (dispatcher: Agent, url: string) => Promise<void>,
  abreast: number,
) {
  const side = (name: Name) => async () => {
    const dispatcher = new Agent({ connections: abreast, pipelining: 1 });
    const took = await wallMs(() => many(count, abreast, () => work(dispatcher, servers[name].said)));
    await dispatcher.close();
    return took;
  };
  return interleaved(rounds, { ours: side('ours'), official: side('official'), bare: side('bare') });
}

async function requests(servers: Servers, quick: boolean): Promise<readonly Finding[]> {
  const count = quick ? 64 : 6_000;
  const took = await perSecond(servers, count, quick ? 1 : 5, sendMessage, CONNECTIONS);
  return against(took, `SendMessage requests a second, ${CONNECTIONS} connections`, count);
}

async function sendMessage(dispatcher: Agent, url: string): Promise<void> {
  const { body } = await post(dispatcher, url, 'SendMessage', 'say');
  const { result } = (await body.json()) as {
    result: { task: { status: { state: string }; artifacts: { parts: { text: string }[] }[] } };
  };
  mustEqual(result.task.status.state, 'TASK_STATE_COMPLETED', 'state');
  mustEqual(result.task.artifacts[0]?.parts[0]?.text, CHUNK, 'answer');
}

async function events(servers: Servers, quick: boolean): Promise<readonly Finding[]> {
  const [streams, chunks] = quick ? [4, 10] : [400, 100];
  const stream = async (dispatcher: Agent, url: string): Promise<void> => {
    const { body } = await post(dispatcher, url, 'SendStreamingMessage', `chunks ${chunks}`);
    const text = await body.text();
    mustEqual(text.split('artifactUpdate').length - 1, chunks, 'events of a stream');
  };
  const took = await perSecond(servers, streams, quick ? 1 : 3, stream, 8);
  return against(
    took,
    `streamed events a second, ${streams} streams of ${chunks} chunks, 8 at a time`,
    streams * chunks,
  );
}

function against(took: Readonly<Record<Name, number>>, name: string, count: number): readonly Finding[] {
  const rate = (side: Name) => count / (took[side] / 1_000);
  const each = SIDES.map((side) => `${side} ${Math.round(rate(side)).toLocaleString('en')}/s`).join(', ');
  return [
    {
      name: `${name}, against the official SDK`,
      ratio: took.official / took.ours,
      goal: 3,
      better: 'higher',
      detail: each,
    },
    {
      name: `${name}, against bare node:http`,
      ratio: took.bare / took.ours,
      goal: 0.5,
      better: 'higher',
      detail: each,
    },
  ];
}

/**
 * Opens streams that stay idle, and reads what the server has grown by. As many are open before: what a heap grows by
 * once, whatever it does, is no stream's cost.
 */
async function memory(servers: Servers, quick: boolean): Promise<Finding> {
  const streams = quick ? 50 : 2_000;
  const grown: Partial<Record<Name, number>> = {};
  for (const name of SIDES) {
    const dispatcher = new Agent({ connections: 2 * streams, pipelining: 1 });
    const open = async (): Promise<void> => {
      const { body, headers } = await post(dispatcher, servers[name].said, 'SendStreamingMessage', 'hold');
      mustEqual(headers['content-type'], 'text/event-stream', 'an open stream');
      body.on('error', () => undefined);
      await once(body, 'data');
    };
    await many(streams, 50, open);
    const before = await used(servers[name]);
    await many(streams, 50, open);
    grown[name] = (await used(servers[name])).rss - before.rss;
    await dispatcher.destroy();
  }
  const each = (name: Name): number => (grown[name] ?? 0) / streams / 1_024;
  return {
    name: `resident memory of each of ${streams.toLocaleString('en')} idle streams, against the official SDK`,
    ratio: each('ours') / each('official'),
    goal: 0.5,
    better: 'lower',
    detail: SIDES.map((name) => `${name} ${each(name).toFixed(1)} KiB`).join(', '),
  };
}

async function used(server: Started): Promise<{ readonly rss: number; readonly heap: number }> {
  return JSON.parse(await server.ask('memory')) as { rss: number; heap: number };
}

/** One task of many chunks: what ten times as many cost, in time. */
async function growth(servers: Servers, quick: boolean): Promise<Finding> {
  const [few, lots] = quick ? [20, 200] : [2_000, 20_000];
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const side = (url: string, chunks: number) => () =>
    wallMs(async () => {
      const { body } = await post(dispatcher, url, 'SendStreamingMessage', `chunks ${chunks}`);
      const text = await body.text();
      mustEqual(text.includes('TASK_STATE_COMPLETED'), true, 'the stream ended');
    });
  const took = await interleaved(quick ? 1 : 3, {
    few: side(servers.ours.said, few),
    lots: side(servers.ours.said, lots),
  });
  // The SDK's cost grows by the square: 20,000 chunks would take it some twenty minutes.
  const [small, large] = quick ? [20, 40] : [500, 1_000];
  const [smallMs, largeMs] = [await side(servers.official.said, small)(), await side(servers.official.said, large)()];
  await dispatcher.close();
  return {
    name: `served, cost of ${lots.toLocaleString('en')} against ${few.toLocaleString('en')} chunks of one task`,
    ratio: took.lots / took.few,
    goal: 12,
    better: 'lower',
    detail: `${took.few.toFixed(0)} and ${took.lots.toFixed(0)} ms; the official SDK: ${small} chunks ${smallMs.toFixed(0)} ms, ${large} chunks ${largeMs.toFixed(0)} ms`,
  };
}
