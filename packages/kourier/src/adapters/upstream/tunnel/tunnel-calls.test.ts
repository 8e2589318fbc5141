import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { UpstreamFailed } from '../../../ports/space/upstream.ts';
import {
  bodyOf,
  dial,
  get,
  Heard,
  NEVER,
  post,
  StagedGateway,
  stagedAgent,
  textOf,
  tunnelTo,
} from './fixtures/tunnel-stage.ts';
import { isBelow } from './forward-call.ts';
import { TUNNEL_LIMITS } from './limits.ts';

const failed = (code: string, sent: boolean) => (error: unknown) => {
  assert.ok(error instanceof UpstreamFailed, String(error));
  assert.deepEqual({ code: error.code, sent: error.sent }, { code, sent });
  return true;
};

test('a call comes out as it went in, but for what belongs to one connection', async (t) => {
  const heard = new Heard<object>();
  const { upstream, to } = await tunnelTo(t, async (request, response) => {
    const { method, url, headers } = request;
    heard.add({ method, url, headers, body: await bodyOf(request) });
    response.setHeader('set-cookie', ['a=1', 'b=2']).setHeader('x-hop', 'h').setHeader('connection', 'close, x-hop');
    response.writeHead(201, { 'content-type': 'text/plain' }).end('made');
  });
  const sent = { 'x-trace': 'é', connection: 'x-private', 'x-private': 'p', te: 'trailers', upgrade: 'h2c' };
  const answer = await upstream.call(post('/a/b%20c?d=e&f=%2F', 'body', sent), NEVER);
  assert.equal(answer.status, 201);
  assert.equal(answer.header('content-type'), 'text/plain');
  assert.equal(answer.header('set-cookie'), 'a=1, b=2');
  assert.equal(answer.header('x-hop'), undefined);
  assert.equal(answer.header(':status'), undefined);
  assert.equal(await textOf(answer), 'made');
  const headers = {
    'x-trace': 'é',
    'accept-encoding': 'identity',
    'content-length': '4',
    host: to.host,
    connection: 'keep-alive',
  };
  assert.deepEqual(heard.items, [{ method: 'POST', url: '/a/b%20c?d=e&f=%2F', headers, body: 'body' }]);
});

test('every status is an answer, but a redirect', async (t) => {
  const { upstream } = await tunnelTo(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { location: 'http://inside.example/' }).end();
  });
  for (const status of [200, 204, 400, 404, 500, 599])
    assert.equal((await upstream.call(get(`/${status}`), NEVER)).status, status);
  for (const status of [301, 302, 303, 307, 308])
    await assert.rejects(upstream.call(get(`/${status}`), NEVER), failed('A2A_TUNNEL_REDIRECT_REFUSED', true));
});

test('200 calls at once, each with its own answer', async (t) => {
  const waiting: (() => void)[] = [];
  const { upstream } = await tunnelTo(t, async (request, response) => {
    const body = await bodyOf(request);
    waiting.push(() => response.end(`${request.url} ${body}`));
    // None is answered before all are there.
    if (waiting.length === 200) for (const answer of waiting.toReversed()) answer();
  });
  const body = (index: number): string => `${index} `.repeat(2_000);
  const texts = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => textOf(await upstream.call(post(`/${index}`, body(index)), NEVER))),
  );
  assert.deepEqual(
    texts,
    Array.from({ length: 200 }, (_, index) => `/${index} ${body(index)}`),
  );
});

test('a stream of 10,000 events comes in its order, and each when it was sent', async (t) => {
  const events = Array.from({ length: 10_000 }, (_, index) => `data: ${index}\n\n`);
  const streams = new Heard<ServerResponse>();
  const { upstream } = await tunnelTo(t, async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events[0]);
    streams.add(response);
  });
  const answer = await upstream.call(post('/', ''), NEVER);
  const got = new Heard<string>();
  const read = answer.read((piece) => got.add(Buffer.from(piece).toString()));
  await got.until((pieces) => pieces.join('') === events[0]);
  const [response] = streams.items;
  assert.ok(response);
  for (const event of events.slice(1)) if (!response.write(event)) await once(response, 'drain');
  response.end();
  await read;
  assert.equal(got.items.join(''), events.join(''));
});

test('a slow reader stops its agent, and no other call', async (t) => {
  const piece = Buffer.alloc(65_536, 'x');
  const total = 512;
  let written = 0;
  const { upstream } = await tunnelTo(t, async (request, response) => {
    if (request.url === '/quick') return response.end('quick');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; written < total; written += 1) if (!response.write(piece)) await once(response, 'drain');
    return response.end();
  });
  const answer = await upstream.call(get('/slow'), NEVER);
  let [bytes, largest] = [0, 0];
  let held: (() => void) | undefined;
  const holding = new Heard<true>();
  const read = answer.read(async ({ byteLength }) => {
    bytes += byteLength;
    largest = Math.max(largest, byteLength);
    if (held !== undefined) return;
    const released = new Promise<void>((resolve) => {
      held = resolve;
    });
    holding.add(true);
    await released;
  });
  await holding.until((items) => items.length > 0);
  for (let round = 0; round < 100; round += 1)
    assert.equal(await textOf(await upstream.call(get('/quick'), NEVER)), 'quick');
  assert.ok(written < total / 2, `${written} of ${total} pieces were taken from the agent`);
  held?.();
  await read;
  assert.equal(bytes, total * piece.byteLength);
  assert.ok(largest <= TUNNEL_LIMITS.frameBytes, `a piece of ${largest} bytes`);
});

test('who lets an answer go, or aborts, lets the agent go', async (t) => {
  const [arrived, closed] = [new Heard<string | undefined>(), new Heard<string | undefined>()];
  const { upstream } = await tunnelTo(t, (request, response) => {
    arrived.add(request.url);
    response.once('close', () => closed.add(request.url));
    if (request.url !== '/silent') response.write('begun');
  });
  const answer = await upstream.call(get('/cancel'), NEVER);
  const read = answer.read(() => answer.cancel());
  await assert.rejects(read, failed('A2A_UPSTREAM_CANCELED', true));
  answer.cancel();

  const abort = new AbortController();
  const reason = new Error('the caller left');
  const reading = (await upstream.call(get('/read'), abort.signal)).read(() => abort.abort(reason));
  await assert.rejects(reading, reason);
  await assert.rejects(upstream.call(get('/late'), abort.signal), reason);

  const silent = new AbortController();
  const call = upstream.call(get('/silent'), silent.signal);
  await arrived.until((urls) => urls.includes('/silent'));
  silent.abort(reason);
  await assert.rejects(call, reason);
  await closed.until((urls) => ['/cancel', '/read', '/silent'].every((url) => urls.includes(url)));
});

test('a reader that throws lets the agent go', async (t) => {
  const closed = new Heard<true>();
  const { upstream } = await tunnelTo(t, (_request, response) => {
    response.once('close', () => closed.add(true)).write('begun');
  });
  const reason = new Error('cannot be read');
  await assert.rejects(
    (await upstream.call(get('/'), NEVER)).read(() => {
      throw reason;
    }),
    reason,
  );
  await closed.until((items) => items.length > 0);
});

test('an answer that the agent breaks off never looks whole', async (t) => {
  const { upstream } = await tunnelTo(t, (request, response) => {
    if (request.url === '/none') return request.socket.destroy();
    if (request.url === '/sized') response.writeHead(200, { 'content-length': '100' });
    return response.write('part', () => response.socket?.destroy());
  });
  await assert.rejects(upstream.call(get('/none'), NEVER), failed('A2A_TUNNEL_CONNECTION_LOST', true));
  for (const path of ['/chunked', '/sized']) {
    const broken = upstream.call(get(path), NEVER).then(textOf);
    await assert.rejects(broken, failed('A2A_TUNNEL_CONNECTION_LOST', true), path);
  }
});

test('an agent that is not there was not asked', async (t) => {
  const gateway = await StagedGateway.start(t);
  const nowhere = new URL('http://127.0.0.1:1');
  dial(t, gateway, nowhere);
  await gateway.changes.until((changes) => changes.includes('a+'));
  await assert.rejects(gateway.upstream().call(post('/', 'x'), NEVER), failed('A2A_TUNNEL_CONNECT_FAILED', false));
});

test('an early answer to a body that is not read frees the call', async (t) => {
  const { upstream } = await tunnelTo(t, (_request, response) => response.writeHead(413).end('too large'));
  const body = Buffer.alloc(4_194_304);
  for (let round = 0; round < 3; round += 1) {
    const answer = await upstream.call(post('/', body), NEVER);
    assert.equal(`${answer.status} ${await textOf(answer)}`, '413 too large');
  }
});

test('only what is below the one URL is reached, by a path that is read in one way', async (t) => {
  const urls: unknown[] = [];
  const gateway = await StagedGateway.start(t);
  const { origin } = await stagedAgent(t, (request, response) => {
    urls.push(request.url);
    response.end();
  });
  dial(t, gateway, new URL(`${origin}/agents/echo/`));
  await gateway.changes.until((changes) => changes.includes('a+'));
  const status = async (path: string): Promise<number> => (await gateway.upstream().call(get(path), NEVER)).status;
  const below = [
    '/agents/echo',
    '/agents/echo/',
    '/agents/echo?q=1',
    '/agents/echo/tasks/1:cancel',
    '/agents/echo/a..b',
  ];
  for (const path of below) assert.equal(await status(path), 200, path);
  const elsewhere = ['/', '/agents', '/agents/echoes', '/admin', '//agents/echo', '/agents/echo/..%2f..%2fadmin'];
  for (const path of elsewhere) assert.equal(await status(path), 404, path);
  assert.deepEqual(urls, below);
});

test('a path that a parser would change is not below anything', () => {
  const to = new URL('http://127.0.0.1:8094/agents/echo');
  assert.equal(isBelow(to, '/agents/echo/a?b'), true);
  for (const path of [
    '/../agents/echo',
    '/agents/echo/./a',
    '/agents\\echo',
    '/agents/echo/ a',
    '/agents/echo#a',
    '@h/agents/echo',
    '*',
  ])
    assert.equal(isBelow(to, path), false, path);
});

test('as many calls as a tunnel carries, and one more is not sent', async (t) => {
  const waiting = new Heard<ServerResponse>();
  const { upstream } = await tunnelTo(t, (_request, response) => waiting.add(response));
  const most = TUNNEL_LIMITS.callsAtOnce;
  const calls = Array.from({ length: most }, () => upstream.call(get('/'), NEVER));
  await waiting.until((items) => items.length === most);
  await assert.rejects(upstream.call(get('/'), NEVER), failed('A2A_TUNNEL_BUSY', false));
  for (const response of waiting.items) response.end('done');
  for (const call of calls) assert.equal(await textOf(await call), 'done');
  const again = upstream.call(get('/'), NEVER);
  await waiting.until((items) => items.length === most + 1);
  waiting.items.at(-1)?.end();
  assert.equal((await again).status, 200);
});

test('headers that are larger than a tunnel carries are not sent', async (t) => {
  const { upstream } = await tunnelTo(t, (_request, response) => response.end());
  const large = { 'x-large': 'x'.repeat(TUNNEL_LIMITS.headerBytes) };
  await assert.rejects(upstream.call(get('/', large), NEVER), failed('A2A_TUNNEL_REQUEST_REFUSED', false));
  const fits = { 'x-large': 'x'.repeat(10_000) };
  assert.equal((await upstream.call(get('/', fits), NEVER)).status, 200);
});

test('callers that leave in numbers do not cost the others the tunnel', async (t) => {
  const { upstream, gateway } = await tunnelTo(t, (request, response) => {
    response.write('begun');
    if (request.url === '/last') response.end();
  });
  for (let round = 0; round < 11; round += 1)
    await Promise.all(Array.from({ length: 100 }, async () => (await upstream.call(get('/'), NEVER)).cancel()));
  assert.equal(await textOf(await upstream.call(get('/last'), NEVER)), 'begun');
  assert.deepEqual(gateway.changes.items, ['a+']);
});
