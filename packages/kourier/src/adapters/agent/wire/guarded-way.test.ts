import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { frame, json, type Reaction, raw, silence, status, stream } from '../../../../contract/http-agent.ts';
import { renderCard, renderEvent } from '../../../../contract/render-wire.ts';
import { BINDING, callOptions, overHttp, PUBLIC_ADDRESS, type Setup } from '../../../../test/agent-over-http.ts';
import type { AgentEvent } from '../../../core/reply/agent-event.ts';
import type { MessageId, TaskId } from '../../../core/thread/ids.ts';

const TASK = 'task-1' as TaskId;
const WORKING: AgentEvent = { kind: 'status', taskId: TASK, status: { state: 'working', codes: [] }, final: false };
const FRAME = frame(renderEvent(WORKING, '1.0'));
const FAR = { looked: [[PUBLIC_ADDRESS]] };

async function open(t: TestContext, setup: Setup = FAR, ...reactions: readonly Reaction[]) {
  const over = await overHttp(t, '1.0', setup);
  over.http.on('send', ...reactions);
  const send = (sink: () => 'more' | 'enough' = () => 'more', signal?: AbortSignal) =>
    over.agent.send({ messageId: 'm' as MessageId, text: 'Hi' }, sink, callOptions(signal));
  return { ...over, send };
}

test('C175, C176, C178 egress `public` calls neither plain HTTP, nor a private address in any spelling, nor a name that leads there', async (t) => {
  const places = {
    'http://127.0.0.1': 'A2A_EGRESS_SCHEME_REFUSED',
    'http://8.8.8.8': 'A2A_EGRESS_SCHEME_REFUSED',
    'https://127.0.0.1': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://127.0.0.1.': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://0x7f.1': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://0177.0.0.1': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://2130706433': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://①②⑦.0.0.1': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://169.254.169.254': 'A2A_EGRESS_ADDRESS_REFUSED: link-local',
    'https://10.1': 'A2A_EGRESS_ADDRESS_REFUSED: private',
    'https://[::1]': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://[::ffff:127.0.0.1]': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://[::10.0.0.1]': 'A2A_EGRESS_ADDRESS_REFUSED: private',
    'https://[64:ff9b::7f00:1]': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
    'https://[2002:a00:1::]': 'A2A_EGRESS_ADDRESS_REFUSED: private',
    'https://[2001:0:808:808::f5ff:fffe]': 'A2A_EGRESS_ADDRESS_REFUSED: private',
    'https://[fd00:ec2::254]': 'A2A_EGRESS_ADDRESS_REFUSED: private',
    'https://localhost': 'A2A_EGRESS_ADDRESS_REFUSED: loopback',
  };
  for (const [host, refused] of Object.entries(places)) {
    const { http, agent } = await overHttp(t, '1.0', { backend: { url: `${host}:1/agent`, egress: 'public' } });
    const reading = await agent.getTask(TASK, callOptions());
    assert.deepEqual(reading, { kind: 'not-sent', why: `agent card: no connection (${refused})` }, host);
    assert.equal(http.calls.length, 0);
  }
});

test('C175, C178 a name is judged at each call: one that was public for the card and leads inside for the turn is not called', async (t) => {
  const looked = [[PUBLIC_ADDRESS], ['127.0.0.1'], [PUBLIC_ADDRESS, '10.0.0.1'], [PUBLIC_ADDRESS]];
  const { http, send, dialled } = await open(
    t,
    { looked },
    stream([FRAME], (response) => void response.end()),
  );
  const refused = (reason: string) => `no connection (A2A_EGRESS_ADDRESS_REFUSED: ${reason})`;
  assert.deepEqual(await send(), { kind: 'not-sent', why: refused('loopback') });
  assert.deepEqual(await send(), { kind: 'not-sent', why: refused('private') });
  assert.deepEqual([http.seen('card').length, http.seen('send').length], [1, 0]);
  assert.deepEqual(await send(), { kind: 'closed' });
  assert.deepEqual(dialled, [[PUBLIC_ADDRESS], [PUBLIC_ADDRESS]]);
});

test('the call carries identity, static headers and its own, under the name of the host', async (t) => {
  const headers = [
    { name: 'X-Api-Key', value: 'key' },
    { name: 'A2A-Version', value: 'theirs' },
  ];
  const { http, send } = await open(t, { ...FAR, backend: { headers, url: 'https://Agent.Example.:8443/agent' } });
  await send();
  for (const { headers: seen } of [...http.seen('card'), ...http.seen('send')]) {
    assert.deepEqual(
      [seen.authorization, seen['x-api-key'], seen['a2a-version'], seen.host],
      ['Bearer secret', 'key', '1.0', 'agent.example:8443'],
    );
  }
  assert.equal(http.calls.length, 2);
});

test('a host with an international name is called by its one spelling', async (t) => {
  const { http, send } = await open(t, { ...FAR, backend: { url: 'https://BÜCHER.example/agent' } });
  assert.equal((await send()).kind, 'unknown');
  assert.equal(http.seen('send')[0]?.headers.host, 'xn--bcher-kva.example');
});

test('C022, C113 a redirect is a failed call with its target in the log, never followed, at the card and at a turn', async (t) => {
  const location = 'http://169.254.169.254/latest/meta-data?key=1';
  const { http, send, dialled } = await open(t, FAR, status(302, { location }), status(307, { location: '/agent/' }));
  http.on('card', status(302, { location }));
  const why = 'HTTP 302: redirects are not followed; it pointed to http://169.254.169.254/latest/meta-data';
  assert.deepEqual(await send(), { kind: 'not-sent', why: `agent card: ${why}` });
  assert.deepEqual(await send(), { kind: 'not-sent', why });
  const slash = 'HTTP 307: redirects are not followed; it pointed to /agent/';
  assert.deepEqual(await send(), { kind: 'not-sent', why: slash });
  assert.equal(dialled.length, 4);
});

test('what a direct call would make of an answer is made of this one, too', async (t) => {
  const gzip = (code: number): Reaction => status(code, { 'content-encoding': 'gzip' }, String(gzipSync('{}')));
  const huge: Reaction = (response) => void response.writeHead(200, { 'x-huge': 'x'.repeat(40_000) }).end();
  const { send } = await open(t, FAR, gzip(200), gzip(401), status(403), gzip(404), huge);
  assert.deepEqual(await send(), { kind: 'unknown', why: 'HTTP 200 with a content encoding that was not asked for' });
  assert.deepEqual(await send(), { kind: 'credentials', why: 'HTTP 401' });
  assert.deepEqual(await send(), { kind: 'credentials', why: 'HTTP 403' });
  assert.deepEqual(await send(), { kind: 'not-sent', why: 'HTTP 404 with a content encoding that was not asked for' });
  assert.equal((await send()).kind, 'too-large');
});

test('a certificate of another name is no connection, so nothing was sent', async (t) => {
  const { http, send } = await open(t, { ...FAR, backend: { url: 'https://other.example/agent' } });
  const why = 'agent card: no connection (A2A_EGRESS_TLS_FAILED: ERR_TLS_CERT_ALTNAME_INVALID)';
  assert.deepEqual(await send(), { kind: 'not-sent', why });
  assert.equal(http.calls.length, 0);
});

test('a card that is too large or nested without end is none, and a stream may be longer than any one answer', async (t) => {
  const { http, send } = await open(t, FAR, raw(`${`:${'x'.repeat(1_048_576)}\n\n`.repeat(20)}${FRAME}`));
  const deep = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  http.on('card', json({ ...renderCard('1.0'), more: 'x'.repeat(1_048_576) }), raw(deep, 'application/json'));
  assert.deepEqual(await send(), { kind: 'not-sent', why: 'agent card: over 1048576 bytes' });
  assert.equal((await send()).kind, 'not-sent');
  assert.deepEqual(await send(), { kind: 'closed' });
});

test('a stream is quiet for as long as `streamIdle` lets it, and is then cut', async (t) => {
  const opened = Promise.withResolvers<ServerResponse>();
  let news = Promise.withResolvers<void>();
  const timings = { streamIdleMs: 36_000_000 };
  const { send } = await open(t, { ...FAR, timings }, stream([FRAME], opened.resolve));
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ended = send(() => {
    news.resolve();
    return 'more';
  });
  const response = await opened.promise;
  await news.promise;
  news = Promise.withResolvers();
  t.mock.timers.tick(35_999_999);
  response.write(FRAME);
  await news.promise;
  t.mock.timers.tick(36_000_000);
  assert.deepEqual(await ended, { kind: 'cut', why: 'no event for 36000000 ms' });
  if (!response.closed) await once(response, 'close');
});

test('headers that do not come are a lost call, whose connection is dropped', async (t) => {
  const [arrived, dropped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hang: Reaction = (response) => {
    response.once('close', dropped.resolve);
    arrived.resolve();
  };
  const { send } = await open(t, { ...FAR, timings: { responseHeadersMs: 60_000 } }, hang);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ended = send();
  await arrived.promise;
  t.mock.timers.tick(60_000);
  assert.deepEqual(await ended, { kind: 'unknown', why: 'no response headers within 60000 ms' });
  await dropped.promise;
});

test('who calls off drops the connection, before and within the stream; so does the end of the product', async (t) => {
  const closes: Promise<unknown>[] = [];
  const arrived = Promise.withResolvers<void>();
  const watch =
    (reaction: Reaction): Reaction =>
    (response, call) => {
      closes.push(once(response, 'close'));
      reaction(response, call);
      arrived.resolve();
    };
  const holds = watch(stream([FRAME], () => undefined));
  const { send, agents } = await open(t, FAR, watch(silence), holds, holds);
  const before = new AbortController();
  const calledOff = send(undefined, before.signal);
  await arrived.promise;
  before.abort();
  assert.deepEqual(await calledOff, { kind: 'closed' });
  const within = new AbortController();
  const sink = () => {
    within.abort();
    return 'more' as const;
  };
  assert.deepEqual(await send(sink, within.signal), { kind: 'closed' });
  const lost = await send(() => {
    void agents.close();
    return 'more';
  });
  assert.equal(lost.kind, 'cut');
  await Promise.all(closes);
  assert.equal(agents.describe(BINDING)?.protocolVersion, '1.0');
});
