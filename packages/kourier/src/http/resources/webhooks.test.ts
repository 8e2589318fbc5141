import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import type { WebhookRequest } from '../../ports/webhook.ts';
import { type HttpInterfaceOptions, httpInterface } from '../http-interface.ts';

interface Told {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

async function open(t: TestContext) {
  const received: WebhookRequest[] = [];
  const webhook = {
    path: '/slack/events',
    bodyBytes: 1_000,
    async receive(call: WebhookRequest) {
      received.push(call);
      return { status: 201, headers: { 'content-type': 'text/plain', 'x-slack-no-retry': '1' }, body: 'challenge' };
    },
  };
  const clock = { now: () => 0, wakeAt: () => () => {} };
  const none = {} as HttpInterfaceOptions;
  const offered = httpInterface({ ...none, clock, webhooks: [webhook], log: () => {}, local: true });
  const listening = await offered.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => listening.close());

  const call = (method: string, path: string, headers: Record<string, string>, body = ''): Promise<Told> =>
    new Promise((resolve, reject) => {
      const sent = request(`${listening.url}${path}`, { method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      });
      sent.on('error', reject).end(body);
    });
  return { received, call };
}

const PUBLIC = { host: 'kourier.example.com', 'content-type': 'application/x-www-form-urlencoded' };

describe('webhooks', () => {
  it('get the body as it came, under whatever name they are called, and answer as they like', async (t) => {
    const { received, call } = await open(t);
    const body = 'payload=%7B%7D&ü';
    const {
      status,
      body: answered,
      headers,
    } = await call('POST', '/slack/events?x=1', { ...PUBLIC, 'X-Slack-Signature': 'v0=1' }, body);
    assert.deepEqual(
      [status, answered, headers['x-slack-no-retry'], headers['cache-control']],
      [201, 'challenge', '1', 'no-store'],
    );
    assert.equal(Buffer.from(received[0]?.rawBody ?? []).toString(), body);
    assert.equal(received[0]?.headers['x-slack-signature'], 'v0=1');
  });

  it('open nothing else to a stranger', async (t) => {
    const { received, call } = await open(t);
    for (const [method, path] of [
      ['GET', '/slack/events'],
      ['POST', '/slack/events/'],
      ['POST', '/slack/events/../../api/v1/threads'],
      ['POST', '/api/v1/threads?/slack/events'],
      ['POST', '//slack/events'],
    ] as const) {
      assert.equal((await call(method, path, PUBLIC)).status, 403, path);
    }
    assert.deepEqual(received, []);
  });

  it('take POST alone, and a body of no more than they say', async (t) => {
    const { received, call } = await open(t);
    const local = { 'content-type': 'application/json' };
    assert.equal((await call('GET', '/slack/events', local)).status, 405);
    assert.equal((await call('POST', '/slack/events', local, 'x'.repeat(1_001))).status, 413);
    assert.equal(
      (await call('POST', '/slack/events', { ...local, 'transfer-encoding': 'chunked' }, 'x'.repeat(1_001))).status,
      413,
    );
    assert.equal((await call('POST', '/slack/events', { ...local, 'content-encoding': 'gzip' }, 'x')).status, 415);
    assert.deepEqual(received, []);
    assert.equal((await call('POST', '/slack/events', local, 'x'.repeat(1_000))).status, 201);
  });
});
