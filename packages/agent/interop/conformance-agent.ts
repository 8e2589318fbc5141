// The agent that the official conformance kit is run against (docs/conformance.md): it does what the prefix of a
// message's id says, which is how the kit picks its scenarios. `--port N` where it listens, `--protocol V` what it speaks,
// which may be said twice, `--without-push` for one that takes no webhooks.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AgentDefinition, AgentServer, type ProtocolVersion, type Turn } from '../src/index.ts';
import { openDoor } from './conformance-door.ts';

const FILE = { kind: 'file', filename: 'output.txt', mediaType: 'text/plain' } as const;
const BYTES = new TextEncoder().encode('a file');
/** Twice what the kit waits before it subscribes to a task that is under way. */
const LONG_MS = 4_000;

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1']);

/** The texts of the kit's scenarios, by the prefix that asks for each. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'tck-artifact-text': ['Generated text content'],
  'tck-stream-001': ['Stream hello from TCK'],
  'tck-stream-002': [],
  'tck-stream-003': ['Stream task lifecycle'],
  'tck-stream-ordering-001': ['Ordered output'],
  'tck-stream-artifact-text': ['Streamed text content'],
  'tck-stream-artifact-chunked': ['chunk-1 ', 'chunk-2'],
};

/** Whether the task is to wait for another message after this one. */
const goesOn = (text: string) => text.startsWith('TCK history message');

async function* turn({ messageId, ask, signal }: Turn) {
  const is = (prefix: string) => messageId.startsWith(prefix);
  if (is('tck-input-required')) while (goesOn(await ask('What else?')));
  // The kit for 0.3 names no scenario: its tasks are gone on with, and canceled.
  else if (!is('tck-') && !is('test-resubscribe')) for (;;) yield await ask('What else?');
  else if (is('test-resubscribe-message-id')) await delay(LONG_MS, undefined, { signal });
  else if (is('tck-artifact-file-url')) yield { part: { ...FILE, url: 'https://example.com/output.txt' } };
  else if (is('tck-artifact-file') || is('tck-stream-artifact-file')) yield { part: { ...FILE, bytes: BYTES } };
  else if (is('tck-artifact-data')) yield { part: { kind: 'data' as const, data: { key: 'value', count: 42 } } };
  else yield* Object.entries(TEXTS).find(([prefix]) => is(prefix))?.[1] ?? ['Hello from TCK'];
}

const agent: AgentDefinition = {
  name: 'Conformance',
  description: 'Does what the conformance kit asks for',
  version: '1.0.0',
  inputModes: ['*/*'],
  turn,
};

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9999' },
    protocol: { type: 'string', multiple: true, default: ['1.0'] },
    'without-push': { type: 'boolean', default: false },
  },
});
const protocols = values.protocol as readonly ProtocolVersion[];
const url = `http://127.0.0.1:${values.port}`;
/** Callers make the addresses of webhooks up: the kit's receiver is on this machine, and its other addresses are nobody's. */
const toThisMachine = async (webhook: string, init: RequestInit): Promise<Response> => {
  if (!LOOPBACK.has(new URL(webhook).hostname)) throw Object.assign(new Error('not here'), { retryable: false });
  return await fetch(webhook, init);
};
const server = new AgentServer(agent, {
  url,
  protocols,
  ...(values['without-push'] ? {} : { push: { fetch: toThisMachine } }),
});
await server.open();
await openDoor(Number(values.port), (asked) => server.fetch(asked));
process.stdout.write(`ready ${url}\n`);
