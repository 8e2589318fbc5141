import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '../../core/limits.ts';
import { webText } from './web-text.ts';

async function served(t: TestContext, listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/card`);
}

test('an answer of any status with its text; a body is POSTed as JSON', async (t) => {
  const seen: unknown[] = [];
  const url = await served(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push([request.method, request.headers['content-type'], request.headers['a2a-version'], body]);
    response.writeHead(body === '' ? 200 : 404).end('{"ü":1}');
  });
  assert.deepEqual(await webText(url), { kind: 'answer', status: 200, text: '{"ü":1}' });
  assert.deepEqual(await webText(url, '{}'), { kind: 'answer', status: 404, text: '{"ü":1}' });
  assert.deepEqual(seen, [
    ['GET', undefined, '1.0', ''],
    ['POST', 'application/json', '1.0', '{}'],
  ]);
});

test('C022 no redirect is followed, and where it pointed is told', async (t) => {
  let calls = 0;
  const url = await served(t, (_, response) => {
    calls += 1;
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  });
  assert.deepEqual(await webText(url), {
    kind: 'redirect',
    why: 'HTTP 302: redirects are not followed; it pointed to http://169.254.169.254/latest/meta-data',
  });
  assert.equal(calls, 1);
});

test('C022 nothing but http and https is called, and no text is without end', async (t) => {
  for (const text of ['file:///etc/passwd', 'ftp://h/card.json', 'data:application/json,{}'])
    assert.deepEqual(await webText(new URL(text)), { kind: 'failed', why: 'not http or https' });
  const url = await served(t, (_, response) => void response.write('x'.repeat(LIMITS.cardBytes + 1)));
  assert.deepEqual(await webText(url), { kind: 'failed', why: `over ${LIMITS.cardBytes} bytes` });
});

test('nobody there', async () => {
  const answer = await webText(new URL('http://127.0.0.1:9/'));
  assert.deepEqual(answer, { kind: 'failed', why: 'no connection (ECONNREFUSED)' });
});
