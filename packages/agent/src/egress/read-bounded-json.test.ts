import assert from 'node:assert/strict';
import { test } from 'node:test';
import { farHost, http, refusal } from '../../test/far-host.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { readBoundedJson } from './read-bounded-json.ts';

test('A4 a body is judged before it is parsed', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const found = async (body: string | Uint8Array<ArrayBuffer>) => refusal(readBoundedJson(new Response(body)));
  assert.equal(await found(nested(64)), 'not refused');
  assert.equal(await found(nested(65)), 'A2A_EGRESS_JSON_REFUSED too-deep');
  assert.equal(await found('['.repeat(1_000_000)), 'A2A_EGRESS_JSON_REFUSED too-deep');
  assert.equal(await found(`"${'x'.repeat(1_048_576)}"`), 'not refused');
  assert.equal(await found(`"${'x'.repeat(1_048_577)}"`), 'A2A_EGRESS_JSON_REFUSED string-too-long');
  assert.equal(await found(`[${'{},'.repeat(100_000)}0]`), 'A2A_EGRESS_JSON_REFUSED too-many-values');
  assert.equal(await found('{"a":'), 'A2A_EGRESS_JSON_REFUSED not-json');
  assert.equal(await found(''), 'A2A_EGRESS_JSON_REFUSED not-json');
  assert.equal(await found(new Uint8Array([0x22, 0xff, 0x22])), 'A2A_EGRESS_JSON_REFUSED not-utf-8');
  assert.deepEqual(await readBoundedJson(new Response('{"a":[null]}')), { a: [null] });
  assert.equal(await readBoundedJson(new Response('null')), null);
});

test('a caller may want less than the transport lets in, and the rest is not read', async (t) => {
  const host = await farHost(t, { response: http('200 OK', {}, JSON.stringify({ card: 'x'.repeat(100) })) });
  const fetch = guardedFetch({ route: 'public', enabled: true }, host.access);
  const small = readBoundedJson(await fetch('https://agent.example/'), 50);
  assert.equal(await refusal(small), 'A2A_EGRESS_RESPONSE_TOO_LARGE over 50 bytes');
  assert.deepEqual(Object.keys(Object(await readBoundedJson(await fetch('https://agent.example/'), 500))), ['card']);
});
