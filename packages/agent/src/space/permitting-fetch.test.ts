import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Prepare, permittingFetch } from './permitting-fetch.ts';

const URL_OF = 'https://space.example/spaces/north/agents/echo';
const MESSAGE = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'é' }] };
const HASH = createHash('sha256').update('{"messageId":"m1","parts":[{"text":"é"}],"role":"ROLE_USER"}').digest('hex');

function recording() {
  const asked: Prepare[] = [];
  const sent: { readonly body: unknown; readonly permit: string | null; readonly key: string | null }[] = [];
  const fetching = permittingFetch(
    async (_input, init) => {
      const headers = new Headers(init?.headers);
      sent.push({ body: init?.body, permit: headers.get('a2a-space-permit'), key: headers.get('authorization') });
      return new Response();
    },
    async (prepare) => {
      asked.push(prepare);
      return { taskId: 'task-1', permit: `permit-${asked.length}` };
    },
  );
  return { asked, sent, fetching };
}

test('each send gets a permit for its own message, wherever the message is in the body', async () => {
  const { asked, sent, fetching } = recording();
  const sends = [
    { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message: { ...MESSAGE, taskId: 't', contextId: 'c' } } },
    { message: MESSAGE, configuration: {} },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'message/stream',
      params: { message: Object.fromEntries(Object.entries(MESSAGE).toReversed()) },
    },
  ];
  for (const send of sends)
    await fetching(URL_OF, { method: 'POST', headers: { authorization: 'Bearer k' }, body: JSON.stringify(send) });
  assert.deepEqual(asked, Array(3).fill({ messageId: 'm1', messageSha256: HASH }));
  assert.deepEqual(
    sent.map(({ permit, key }) => [permit, key]),
    [1, 2, 3].map((at) => [`permit-${at}`, 'Bearer k']),
  );
  assert.deepEqual(
    sent.map(({ body }) => body),
    sends.map((send) => JSON.stringify(send)),
    'the bytes are as they were',
  );
});

test('what is no send asks for nothing, and goes out as it is', async () => {
  const { asked, sent, fetching } = recording();
  for (const body of [
    undefined,
    'no json',
    '[]',
    'null',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 't' } }),
    JSON.stringify({ message: 'text' }),
  ])
    await fetching(URL_OF, body === undefined ? undefined : { method: 'POST', body });
  assert.deepEqual([asked.length, sent.length], [0, 6]);
  assert.ok(sent.every(({ permit }) => permit === null));
});

test('a send that is not permitted is not sent', async () => {
  let calls = 0;
  const fetching = permittingFetch(
    async () => {
      calls += 1;
      return new Response();
    },
    () => Promise.reject(new Error('no')),
  );
  await assert.rejects(fetching(URL_OF, { method: 'POST', body: JSON.stringify({ message: MESSAGE }) }), {
    message: 'no',
  });
  assert.equal(calls, 0);
});
