import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SpaceClient } from './space-client.ts';
import { type SpaceEnvironment, spaceOf } from './space-environment.ts';
import { SpaceError } from './space-error.ts';

test('the Space that the environment names, its id alone or in a list', () => {
  const named = { KOURIER_SPACE_URL: ' https://space.example ', KOURIER_SPACE_ID: 'space-demo' };
  assert.deepEqual(spaceOf(named), { url: 'https://space.example', space: 'space-demo' });
  const listed = { ...named, KOURIER_SPACE_ID: '["one"]', KOURIER_SPACE_KEY: 'key\n' };
  assert.deepEqual(spaceOf(listed), { url: 'https://space.example', space: 'one', key: 'key' });
});

const URL_AND = (id: string): SpaceEnvironment => ({ KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: id });

for (const [detail, environment] of [
  ['KOURIER_SPACE_URL and KOURIER_SPACE_ID are not set: no Space is configured.', {}],
  ['KOURIER_SPACE_ID is not set: no Space is configured.', { KOURIER_SPACE_URL: 'http://h', KOURIER_SPACE_ID: '[]' }],
  ['KOURIER_SPACE_URL is not set: no Space is configured.', { KOURIER_SPACE_URL: ' ', KOURIER_SPACE_ID: 's' }],
  [
    'KOURIER_SPACE_URL is no address of a Space: write https://HOST.',
    { KOURIER_SPACE_URL: 'space.example', KOURIER_SPACE_ID: 's' },
  ],
  [
    'KOURIER_SPACE_URL is no address of a Space: write https://HOST.',
    { ...URL_AND('s'), KOURIER_SPACE_URL: 'http://u@h' },
  ],
  [
    'KOURIER_SPACE_KEY holds no key: set it to the key, and nothing else.',
    { ...URL_AND('s'), KOURIER_SPACE_KEY: 'a\nb' },
  ],
  ['KOURIER_SPACE_ID names several Spaces: choose one of them.', URL_AND('["a","b"]')],
  ['KOURIER_SPACE_ID is no list of ids: write one id, or a JSON array with it.', URL_AND('[1]')],
  ['KOURIER_SPACE_ID is no list of ids: write one id, or a JSON array with it.', URL_AND('["a"')],
] as const satisfies readonly (readonly [string, SpaceEnvironment])[]) {
  test(`A7 no client without a Space: ${detail}`, () => {
    assert.throws(
      () => SpaceClient.fromEnvironment(environment),
      (error) => {
        assert.ok(error instanceof SpaceError);
        const { failure, code, message } = error;
        assert.deepEqual(
          { failure, code, message },
          { failure: 'not-configured', code, message: `${code}: ${detail}` },
        );
        return code === 'A2A_SPACE_NOT_CONFIGURED';
      },
    );
  });
}
