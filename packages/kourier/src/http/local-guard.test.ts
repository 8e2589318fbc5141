import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { test } from 'node:test';
import { openInterface } from './fixtures/open-interface.ts';
import { isLoopback, localRefusal } from './local-guard.ts';

const HOST = 'localhost:8080';

const refusal = (headers: Record<string, string>, method = 'POST', url = '/') =>
  localRefusal({ headers, method, url })?.code;

test('loopback is this machine alone', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1'])
    assert.ok(isLoopback(host), host);
  for (const host of [
    '',
    '0.0.0.0',
    '::',
    '128.0.0.1',
    'localhost.example.org',
    '127.0.0.1.example.org',
    '2130706433',
    '0x7f.1',
  ]) {
    assert.ok(!isLoopback(host), host);
  }
});

test('a Host that is not loopback is refused (DNS rebinding)', () => {
  for (const host of [HOST, '127.0.0.1', '127.0.0.1:1', '[::1]:8080', 'LOCALHOST:80', 'localhost.:80']) {
    assert.equal(refusal({ host }), undefined, host);
  }
  for (const host of [
    '',
    'evil.example.org',
    'evil.example.org:8080',
    '10.0.0.1',
    'localhost:80@evil',
    'localhost evil',
    '[::2]',
  ]) {
    assert.equal(refusal({ host }), 'host-refused', host);
  }
  assert.equal(refusal({}), 'host-refused');
});

test('a page of another site is refused, our own page and a program are not', () => {
  for (const headers of [
    {},
    { origin: 'http://localhost:8080' },
    { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ]) {
    assert.equal(refusal({ host: HOST, ...headers }), undefined, JSON.stringify(headers));
  }
  for (const headers of [
    { origin: 'http://evil.example.org' },
    { origin: 'null' },
    { origin: 'http://localhost:9999' },
    { origin: 'http://localhost:8080.evil.example.org' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ]) {
    assert.equal(refusal({ host: HOST, ...headers }), 'origin-refused', JSON.stringify(headers));
  }
});

test('a link from elsewhere may be followed, in no frame', () => {
  const link = {
    host: HOST,
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  assert.equal(refusal(link, 'GET', '/threads/t'), undefined);
  assert.equal(refusal({ ...link, 'sec-fetch-dest': 'iframe' }, 'GET', '/threads/t'), 'origin-refused');
  assert.equal(refusal({ ...link, 'sec-fetch-mode': 'no-cors' }, 'GET', '/api/v1/bindings'), 'origin-refused');
});

test('a target that is no path is refused', () => {
  for (const url of ['http://evil.example.org/', '*', ''])
    assert.equal(refusal({ host: HOST }, 'GET', url), 'malformed-request');
});

test('the guard stands before every call of a running server', async (t) => {
  const { url, courier } = await openInterface(t);
  const send = async (method: string, path: string, headers: Record<string, string>) => {
    const sent = request(url + path, { method, headers: { 'content-type': 'application/json', ...headers } });
    sent.end(method === 'POST' ? '{"binding":"ops","text":"hi"}' : undefined);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const text = (await answer.toArray()).join('');
    return [answer.statusCode, answer.headers['content-type'], JSON.parse(text).code];
  };
  const problem = 'application/problem+json';
  const host = new URL(url).host;
  for (const path of ['/api/v1/bindings', '/metrics', '/', '/nothing']) {
    assert.deepEqual(await send('GET', path, { host: 'evil.example.org' }), [403, problem, 'host-refused'], path);
  }
  const foreign = { host, origin: 'http://evil.example.org' };
  assert.deepEqual(await send('POST', '/api/v1/threads', foreign), [403, problem, 'origin-refused']);
  assert.deepEqual(courier.calls, []);
});
