import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { json, rawAgent } from '../../test/raw-agent.ts';
import { SPACE_CLIENT_LIMITS } from '../limits.ts';
import { SpaceApi } from './space-api.ts';
import { SpaceError, type SpaceFailure } from './space-error.ts';

async function apiOf(t: TestContext, answer: (response: ServerResponse) => unknown) {
  const { url, asked } = await rawAgent(t, (_asked, response) => answer(response), 'none');
  return { api: new SpaceApi({ url: `${url}//`, space: 'north/ü', key: 'secret-key' }), asked };
}

const failed = (failure: SpaceFailure, code: string) => (error: unknown) => {
  assert.ok(error instanceof SpaceError, String(error));
  assert.deepEqual([error.failure, error.code], [failure, code]);
  assert.ok(error.message.startsWith(`${code}: `));
  assert.doesNotMatch(error.message, /secret-key/);
  return true;
};

test('calls go below the Space, with the key, and a body as JSON', async (t) => {
  const { api, asked } = await apiOf(t, (response) => json(response, { ok: true }));
  assert.deepEqual(await api.get('/agents?q=a%20b'), { ok: true });
  assert.deepEqual(await api.post('/route', { text: 'hi' }), { ok: true });
  assert.deepEqual(
    asked.map(({ method, path, body, headers }) => [method, path, body, headers.authorization]),
    [
      ['GET', '/api/v1/spaces/north%2F%C3%BC/agents', {}, 'Bearer secret-key'],
      ['POST', '/api/v1/spaces/north%2F%C3%BC/route', { text: 'hi' }, 'Bearer secret-key'],
    ],
  );
  assert.deepEqual(new SpaceApi({ url: 'https://h', space: 's' }).headers, {}, 'no key, no header');
});

test('a refusal has its class, the code of the Space, and what to do', async (t) => {
  for (const [status, failure] of [
    [400, 'invalid'],
    [401, 'unauthenticated'],
    [403, 'refused'],
    [404, 'not-found'],
    [408, 'unavailable'],
    [409, 'invalid'],
    [422, 'invalid'],
    [429, 'unavailable'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const) {
    const { api } = await apiOf(t, (response) => json(response, { code: 'some-code', detail: 'Do this.' }, status));
    await assert.rejects(api.get('/x'), failed(failure, 'some-code'), String(status));
    await assert.rejects(api.get('/x'), { message: 'some-code: Do this.' });
  }
});

test('what is no answer of a Space is told so, and a redirect is not followed', async (t) => {
  const unknown = 'A2A_SPACE_ANSWER_UNKNOWN';
  for (const [status, body, failure] of [
    [200, '<html>', 'unavailable'],
    [200, '[]', 'unavailable'],
    [200, '', 'unavailable'],
    [302, '{}', 'unavailable'],
    [404, 'Not here', 'not-found'],
    [502, '<html>', 'unavailable'],
    [403, '{"code":7}', 'refused'],
  ] as const) {
    const { api, asked } = await apiOf(t, (response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(body),
    );
    await assert.rejects(api.get('/x'), failed(failure, unknown), `${status} ${body}`);
    assert.equal(asked.length, 1);
  }
});

test('long words of a Space are cut, and an endless answer is let go of', async (t) => {
  const long = 'x'.repeat(10_000);
  const wordy = await apiOf(t, (response) => json(response, { code: long, detail: long }, 400));
  await assert.rejects(wordy.api.get('/x'), (error: Error) => error.message.length < 700);
  const closed = Promise.withResolvers<void>();
  const endless = await apiOf(t, (response) => {
    response.on('close', () => closed.resolve());
    const more = (): void => {
      while (!response.destroyed && response.write('x'.repeat(1_024 * 1_024)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  await assert.rejects(endless.api.get('/x'), failed('unavailable', 'A2A_SPACE_ANSWER_TOO_LARGE'));
  await closed.promise;
  assert.ok(SPACE_CLIENT_LIMITS.answerBytes < 100 * 1_024 * 1_024);
});

test('a Space that is not there is unavailable; who calls it off hears their own reason', async (t) => {
  const gone = new SpaceApi({ url: 'http://127.0.0.1:1', space: 's' });
  await assert.rejects(gone.get('/x'), failed('unavailable', 'A2A_SPACE_UNREACHABLE'));
  const leaving = new AbortController();
  const { api } = await apiOf(t, () => leaving.abort(new Error('enough')));
  await assert.rejects(api.get('/x', leaving.signal), { message: 'enough' });
  const broken = await apiOf(t, (response) => response.destroy());
  await assert.rejects(broken.api.get('/x'), failed('unavailable', 'A2A_SPACE_UNREACHABLE'));
});
