import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpAgent, json, type Reaction, raw, reply, status } from '../contract/http-agent.ts';
import { folderFor, ProductProcess } from './process/product-process.ts';
import { ThreadClient } from './process/thread-client.ts';
import {
  approval,
  artifact,
  call,
  completes,
  HITL_CARD,
  result,
  stored,
  streamed,
  text,
  update,
  whole,
} from './stage/hitl-agent.ts';

/** Stands in all that a log must not hold: what is said, secrets, and what an agent sends where nothing is said. */
const HUSH = 'hush';
const API = { apiVersion: 'agentkourier.dev/v1alpha1' };
const YES = { actor: { id: 'u1', name: `${HUSH}-approver` }, approvals: [{ id: 't1', approved: true }] };
const PAUSE = approval({ id: 't1', name: `${HUSH}-tool`, args: { pod: HUSH, password: HUSH } });
const COMPLETED = whole('COMPLETED', { artifacts: [artifact('a', text(HUSH))] });

/** What an agent can say wrong to a send, each ending its turn or being followed by `completes`. */
const TROUBLE: Readonly<Record<string, readonly Reaction[]>> = {
  failed: [streamed(whole('FAILED', { message: { messageId: 'm', parts: [text(`${HUSH}: rate limit`)] } }))],
  'an error frame': [
    raw(`data: {"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"${HUSH}","data":["${HUSH}"]}}\n\n`),
  ],
  'an error': [reply({ error: { code: -32010, message: HUSH, data: { [HUSH]: HUSH } } })],
  'HTTP 500': [status(500, { 'x-hush': HUSH, 'retry-after': '0' }, HUSH), completes],
  'HTTP 401': [status(401, { 'www-authenticate': `Bearer realm="${HUSH}"` }, HUSH)],
  'a redirect': [
    status(302, { location: `http://${HUSH}:${HUSH}@127.0.0.1:9/there?token=${HUSH}#${HUSH}` }),
    completes,
  ],
  'no JSON': [raw(`data: {"${HUSH}"\n\n`), completes],
  'no event stream': [raw(`<html>${HUSH}</html>`, `text/${HUSH}`), completes],
  'another type': [json({ jsonrpc: '2.0', id: 1, result: { task: { id: { [HUSH]: 1 } } } }), completes],
  'a step that fails': [
    streamed(
      update('WORKING'),
      artifact('s', call('c1', `${HUSH}-step`, { token: HUSH }), result('c1', `${HUSH}-step`, { error: HUSH })),
      COMPLETED,
    ),
  ],
  'an event after the end': [streamed(COMPLETED, update('WORKING', { messageId: 'm', parts: [text(HUSH)] }))],
};

function configuration(url: string, valid = true): string {
  const secret = { name: 'agent' };
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: secret, stringData: { token: `${HUSH}-token`, key: `${HUSH}-key` } },
    {
      ...{ ...API, kind: 'Settings', metadata: { name: 'settings' } },
      spec: { timings: { retryBackoffInitial: '20ms', streamDropDelay: '20ms', followBackoffInitial: '20ms' } },
    },
    {
      ...{ ...API, kind: 'AgentBackend', metadata: { name: 'a' } },
      spec: {
        ...{ dialect: 'a2a', url },
        headers: [
          { name: 'X-Key', valueFrom: { secretKeyRef: { ...secret, key: 'key' } } },
          { name: 'X-Team', value: `${HUSH}-team${valid ? '' : '\n'}` },
        ],
      },
    },
    {
      ...{ ...API, kind: 'Binding', metadata: { name: 'a' } },
      spec: {
        ...{ backend: 'a', chat: { platform: 'web' }, interactions: { toolApprovals: { timeout: '1h' } } },
        identity: { tokenSecretRef: { ...secret, key: 'token' } },
      },
    },
  ]
    .map((document) => JSON.stringify(document))
    .join('\n---\n');
}

test('neither the log at its most talkative nor the metrics hold what is said, or a secret', {
  timeout: 600_000,
}, async (t) => {
  const folder = folderFor(t);
  const file = join(folder, 'kourier.yaml');
  const agent = await HttpAgent.start('1.0');
  t.after(() => agent.stop());
  agent.on('card', json({ ...(HITL_CARD as object), name: HUSH, description: HUSH }));
  writeFileSync(file, configuration(agent.origin));
  const args = ['--config', file, '--data', join(folder, 'data'), '--set', 'log.level=debug'];
  const product = await ProductProcess.start(t, ...args);
  const client = new ThreadClient(product.url);

  agent.on('send', streamed(update('WORKING'), whole('INPUT_REQUIRED', { message: PAUSE })), completes);
  agent.on('get', ...Array.from({ length: 4 }, () => stored('INPUT_REQUIRED', { message: PAUSE })));
  const thread = await client.open('a', `${HUSH} first`);
  const reader = await client.events(thread);
  const request = (await reader.until(({ data }) => data.kind === 'request')).at(-1);
  reader.close();
  await client.post(`/api/v1/requests/${request?.data.id}/answer`, YES);
  await client.settled(thread);
  agent.forget('get');

  for (const [name, reactions] of Object.entries(TROUBLE)) {
    agent.on('send', ...reactions);
    agent.on('list', ...Array.from({ length: 4 }, () => reply({ result: { tasks: [], nextPageToken: '' } })));
    await client.say(thread, `${HUSH} ${name}`);
    await client.settled(thread);
    agent.forget('list').forget('send');
  }

  const headers = { 'content-type': 'application/json', 'x-key': HUSH };
  for (const body of [`{"${HUSH}`, JSON.stringify({ text: HUSH, [HUSH]: HUSH }), JSON.stringify({ text: 1 })]) {
    await fetch(`${product.url}/api/v1/threads/${thread}/messages?${HUSH}`, { method: 'POST', headers, body });
  }
  writeFileSync(`${file}.new`, configuration(agent.origin, false));
  renameSync(`${file}.new`, file);
  await product.complained(/"configuration-refused"/);

  const metrics = await (await fetch(`${product.url}/metrics`)).text();
  const said = [...product.err, ...product.out, ...metrics.split('\n')];
  for (const event of ['message-accepted', 'request-settled', 'call-failed', 'turn-settled', 'configuration-refused']) {
    assert.ok(
      said.some((line) => line.includes(`"${event}"`)),
      `${event} was logged`,
    );
  }
  const kinds = product.err.flatMap((line) => /"call-failed".*"kind":"([^"]+)"/.exec(line)?.[1] ?? []);
  assert.ok(new Set(kinds).size >= 4, `several kinds of failure: ${kinds.join(', ')}`);
  assert.deepEqual(
    said.filter((line) => line.includes(HUSH)),
    [],
  );
});
