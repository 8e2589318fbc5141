import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { insideUpstreams } from '../adapters/upstream/inside/inside-upstreams.ts';
import { UpstreamFailed } from '../ports/space/upstream.ts';
import { cardPlace, fetchCard } from './card-fetch.ts';
import { SPACE_LIMITS } from './limits.ts';

const NEVER = new AbortController().signal;

async function cardAt(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  signal: AbortSignal = NEVER,
): Promise<unknown> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstreams = insideUpstreams();
  t.after(async () => {
    await upstreams.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/card.json`;
  return fetchCard(url, upstreams.to([url]), { 'x-own': 'yes' }, signal);
}

test('a URL names a card, or an agent whose card is at the well-known path below it', () => {
  for (const [url, place] of [
    ['https://a.example', 'https://a.example/.well-known/agent-card.json'],
    ['https://a.example/', 'https://a.example/.well-known/agent-card.json'],
    ['https://a.example/agents/x/?q=1', 'https://a.example/agents/x/.well-known/agent-card.json'],
    ['https://a.example/x/card.json?v=1', 'https://a.example/x/card.json?v=1'],
  ] as const) {
    assert.equal(cardPlace(url), place);
    assert.equal(cardPlace(place), place, 'it is the place of itself');
  }
});

test('a card is asked for as JSON, and read whole', async (t) => {
  let headers: IncomingMessage['headers'] = {};
  const card = await cardAt(t, (request, response) => {
    headers = request.headers;
    const bytes = Buffer.from('{"name":"é"}');
    response.write(bytes.subarray(0, 10));
    response.end(bytes.subarray(10));
  });
  assert.deepEqual(card, { name: 'é' });
  assert.deepEqual([headers.accept, headers['x-own']], ['application/json', 'yes']);
});

test('what is no card says by its code what it is', async (t) => {
  const long = `{"a":"${'x'.repeat(SPACE_LIMITS.cardCharacters)}"}`;
  for (const [status, body, code] of [
    [404, '{}', 'A2A_CARD_HTTP_404'],
    [204, '', 'A2A_CARD_HTTP_204'],
    [200, '', 'A2A_CARD_NOT_JSON'],
    [200, '<html>', 'A2A_CARD_NOT_JSON'],
    [200, `${'['.repeat(SPACE_LIMITS.jsonDepth + 1)}${']'.repeat(SPACE_LIMITS.jsonDepth + 1)}`, 'A2A_CARD_NOT_JSON'],
    [200, long, 'A2A_CARD_TOO_LARGE'],
  ] as const) {
    const fetching = cardAt(t, (_request, response) => response.writeHead(status).end(body));
    await assert.rejects(fetching, (error) => error instanceof UpstreamFailed && error.code === code, code);
  }
});

test('C010 C011 a card is looked for below the path; one that stands at the origin is told of, and not taken', async (t) => {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const isCard = url === '/.well-known/agent-card.json' || url.startsWith('/whole/');
    response.writeHead(isCard ? 200 : url.startsWith('/page') ? 405 : 404).end(isCard ? '{"name":"x"}' : '<html>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const upstreams = insideUpstreams();
  t.after(async () => {
    await upstreams.close();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (path: string) => fetchCard(cardPlace(origin + path), upstreams.to([origin]), {}, NEVER);
  for (const path of ['/a2a', '/page/agent?tenant=a'])
    await assert.rejects(at(path), (error) => error instanceof UpstreamFailed && error.code === 'A2A_CARD_AT_ORIGIN');
  assert.deepEqual(await at('/whole/agent'), { name: 'x' });
  assert.deepEqual(
    asked.filter((path) => path !== '/.well-known/agent-card.json').map((path) => path.split('?')[0]),
    [...['/a2a', '/page/agent', '/whole/agent'].map((path) => `${path}/.well-known/agent-card.json`)],
  );
});

test('C022 a redirect is not followed', async (t) => {
  const fetching = cardAt(t, (_request, response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  );
  await assert.rejects(fetching, (error) => error instanceof UpstreamFailed);
});

test('a card that never comes to its end is let go of when it is called off', async (t) => {
  const leaving = new AbortController();
  const closed = Promise.withResolvers<void>();
  const fetching = cardAt(
    t,
    (_request, response) => {
      response.on('close', () => closed.resolve());
      response.write('{', () => leaving.abort(new Error('enough')));
    },
    leaving.signal,
  );
  await assert.rejects(fetching, { message: 'enough' });
  await closed.promise;
});

test('what is no card is let go of at once, however long it is', async (t) => {
  const closed = Promise.withResolvers<void>();
  const fetching = cardAt(t, (_request, response) => {
    response.on('close', () => closed.resolve());
    response.writeHead(500);
    response.write('and so on');
  });
  await assert.rejects(fetching, (error) => error instanceof UpstreamFailed && error.code === 'A2A_CARD_HTTP_500');
  await closed.promise;
});
