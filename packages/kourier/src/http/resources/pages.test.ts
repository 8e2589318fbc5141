import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openInterface } from '../fixtures/open-interface.ts';

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'pages-'));
  t.after(() => rmSync(path, { recursive: true }));
  return path;
}

function build(path: string): void {
  mkdirSync(join(path, 'assets'));
  writeFileSync(join(path, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(join(path, 'assets', 'index-abc.js'), 'export {}');
  writeFileSync(join(path, 'assets', 'index-abc.js.map'), '{}');
  writeFileSync(join(path, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  symlinkSync('/etc/passwd', join(path, 'assets', 'link.txt'));
}

test('the page, its own addresses and its files', async (t) => {
  const pages = folder(t);
  build(pages);
  const { call } = await openInterface(t, {}, pages);
  for (const path of ['/', '/threads', '/threads/t_1', '/threads/t_1/more']) {
    const { status, text, headers } = await call('GET', path);
    assert.deepEqual(
      [status, text, headers.get('cache-control')],
      [200, '<!doctype html><title>page</title>', 'no-cache'],
      path,
    );
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  }
  const script = await call('GET', '/assets/index-abc.js');
  assert.deepEqual([script.status, script.text], [200, 'export {}']);
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
  assert.match(script.headers.get('cache-control') ?? '', /immutable/);
  assert.match((await call('GET', '/favicon.svg')).headers.get('content-type') ?? '', /^image\/svg/);
  assert.equal((await call('HEAD', '/')).status, 200);
});

test('pages run their own scripts alone and stand in no frame', async (t) => {
  const pages = folder(t);
  build(pages);
  const { call } = await openInterface(t, {}, pages);
  for (const path of ['/', '/assets/index-abc.js']) {
    const { headers } = await call('GET', path);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  }
});

test('no address leads out of the folder, and nothing but the built files is there', async (t) => {
  const pages = folder(t);
  build(pages);
  writeFileSync(join(pages, '..', 'outside.txt'), 'outside');
  t.after(() => rmSync(join(pages, '..', 'outside.txt')));
  const { call } = await openInterface(t, {}, pages);
  for (const path of [
    '/../outside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/assets/%5c..%5coutside.txt',
    '/assets/link.txt',
    '/assets/index-abc.js.map',
    '/assets/',
    '/assets',
    '/threadsx',
    '/index.html%00.js',
  ]) {
    const { status, body } = await call('GET', path);
    assert.deepEqual([status, body.code], [404, 'not-found'], path);
  }
});

test('a page that is not built says how, and is there once it is', async (t) => {
  const pages = folder(t);
  const { call } = await openInterface(t, {}, pages);
  const missing = await call('GET', '/');
  assert.equal(missing.status, 503);
  assert.match(missing.text, /npm run build/);
  assert.equal((await call('GET', '/assets/index-abc.js')).status, 404);
  build(pages);
  assert.equal((await call('GET', '/')).status, 200);
  const none = await openInterface(t, {}, join(pages, 'none'));
  assert.match((await none.call('GET', '/threads/t')).text, /npm run build/);
});
