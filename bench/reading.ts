import { createParser } from 'eventsource-parser';
import { request } from 'undici';
import type { AgentEvent } from '../packages/kourier/src/core/reply/agent-event.ts';
import type { MessageId } from '../packages/kourier/src/core/thread/ids.ts';
import { agentsFor, registryFor } from './carrying.ts';
import { type Finding, interleaved, type Measure, mustEqual, wallMs } from './measure.ts';
import { officialClient, officialTurn } from './official-client.ts';
import { startAgent } from './processes.ts';

const WORDS = 'some words '.length;

/** One long stream of small updates, to the core's own events, against the parts a client would be made of. */
export const reading: Measure = {
  name: 'reading',
  async run(quick): Promise<readonly Finding[]> {
    const updates = quick ? 5_000 : 200_000;
    const agent = await startAgent();
    const url = `${agent.said}/flood/${updates}`;
    const agents = agentsFor(registryFor(url));
    const client = await officialClient(url);
    const timed = (read: () => Promise<number>) => () =>
      wallMs(async () => mustEqual(await read(), updates * WORDS, 'characters that were read'));
    try {
      const best = await interleaved(quick ? 1 : 12, {
        ours: timed(() => readOurs(agents)),
        parts: timed(() => readWithParts(url)),
        theirs: timed(async () => (await officialTurn(client, '')).characters),
      });
      return findings(best, updates);
    } finally {
      await agents.close();
      agent.end();
    }
  },
};

/** The adapter's whole way: the call, its limits and timers, both wires' reader, and the event in the core's words. */
async function readOurs(agents: ReturnType<typeof agentsFor>): Promise<number> {
  let characters = 0;
  const sink = (event: AgentEvent): 'more' => {
    if (event.kind !== 'artifact') return 'more';
    for (const part of event.artifact.parts) if (part.kind === 'text') characters += part.text.length;
    return 'more';
  };
  const options = { signal: new AbortController().signal, traceId: '0af7651916cd43dd8448eb211c80319c' };
  const message = { messageId: crypto.randomUUID() as string as MessageId, text: 'Go on' };
  const end = await agents.agentFor('bench')?.send(message, sink, options);
  mustEqual(end?.kind, 'closed', 'the end of our stream');
  return characters;
}

interface Update {
  readonly result: { readonly artifactUpdate?: { readonly artifact: { readonly parts: readonly { text: string }[] } } };
}

/** The least that could be called a client: no limits, no lenience, nothing but the text. */
async function readWithParts(url: string): Promise<number> {
  let characters = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      const { result } = JSON.parse(data) as Update;
      for (const { text } of result.artifactUpdate?.artifact.parts ?? []) characters += text.length;
    },
  });
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Go on' }] };
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'parts', method: 'SendStreamingMessage', params: { message } }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
  return characters;
}

function findings(ms: Readonly<Record<'ours' | 'parts' | 'theirs', number>>, updates: number): readonly Finding[] {
  const rate = (one: number): string => `${Math.round(updates / one)}k updates/s`;
  const name = `reading ${updates.toLocaleString('en')} small artifact updates, against`;
  return [
    {
      name: `${name} undici, eventsource-parser and JSON.parse`,
      ...{ ratio: ms.parts / ms.ours, goal: 0.9, better: 'higher' },
      detail: `${rate(ms.ours)}, ${rate(ms.parts)}`,
    },
    {
      name: `${name} the official SDK's client`,
      ...{ ratio: ms.theirs / ms.ours, goal: 1.9, better: 'higher' },
      detail: `${rate(ms.ours)}, ${rate(ms.theirs)}`,
    },
  ];
}
