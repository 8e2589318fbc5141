import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JSON_OF_ALICE, message, TASK } from './fixtures/asked.ts';
import { openGateway } from './fixtures/open-gateway.ts';

test('a call that comes back to where it was ends there, over however many gateways it went', async (t) => {
  const others: string[] = [];
  // Another gateway, whose agent is this one; its own hop stands in the list, too.
  const { base, asked, ledger } = await openGateway(t, (request, response, body) => {
    const via = `${request.headers['via']}, 1.1 other-gateway (who knows)`;
    others.push(via);
    fetch(base, { method: 'POST', headers: { ...JSON_OF_ALICE, via }, body }).then(
      async (again) => response.writeHead(again.status, { 'content-type': 'application/json' }).end(await again.text()),
      () => response.destroy(),
    );
  });
  const response = await fetch(base, {
    method: 'POST',
    headers: JSON_OF_ALICE,
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SendMessage', params: message() }),
  });
  assert.equal(response.status, 508);
  const { id, error } = (await response.json()) as { id: number; error: { code: number; data: [{ reason: string }] } };
  assert.deepEqual([id, error.code, error.data[0].reason], [7, -32_090, 'CALL_LOOPS']);
  assert.equal(asked.length, 1);
  assert.match(others[0] ?? '', /^1\.1 kourier-[0-9a-f]{32}, 1\.1 other-gateway/);
  assert.equal(ledger.all.size, 1);
});

test('a call that came over other gateways goes on, with all of them named', async (t) => {
  const { base, asked } = await openGateway(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ task: TASK })),
  );
  const response = await fetch(`${base}/a2a/v1/message:send`, {
    method: 'POST',
    headers: { ...JSON_OF_ALICE, 'a2a-version': '1.0', via: '1.0 fred, HTTP/1.1 kourier-elsewhere' },
    body: JSON.stringify(message()),
  });
  assert.equal(response.status, 200);
  assert.match(
    String(asked[0]?.headers['via']),
    /^1\.0 fred, HTTP\/1\.1 kourier-elsewhere, 1\.1 kourier-[0-9a-f]{32}$/,
  );
});
