import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keySeal } from './adapters/identity/seal/key-seal.ts';
import { UsageError } from './cli/usage-error.ts';
import { LIMITS } from './core/limits.ts';
import { inboundOf } from './inbound-file.ts';

const SECRET = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};
const TARGET = { account: 'acme', tenant: '', agent: 'echo', runtime: 'echo-1', registration: 'space-demo/echo' };
const OPTIONS = { issuer: 'https://gateway.example', ...TARGET };
const KEYS = keySeal([SECRET]).jwks;

function read(text: string, complain: (line: string) => void = () => undefined) {
  const readText = async (path: string, maxBytes: number) => {
    assert.deepEqual([path, maxBytes], ['gateway.json', LIMITS.cardBytes]);
    if (text === 'ENOENT') throw new Error('no such file');
    return text;
  };
  return inboundOf('gateway.json', { readText, complain });
}

test('a file that is none names itself, what is wrong and what to do', async () => {
  for (const [text, why] of [
    ['ENOENT', /cannot be read: no such file/],
    ['', /empty/],
    ['{\n"issuer"', /not JSON/],
    ['null', /issuer must be a text/],
    ['[1]', /0 is no option/],
    [JSON.stringify({ ...OPTIONS, keys: KEYS, tenant: undefined }), /tenant must be a text, empty where/],
    [JSON.stringify(OPTIONS), /keys or keysUrl/],
    [JSON.stringify({ ...OPTIONS, keys: { keys: [] } }), /no keys/],
    [JSON.stringify({ ...OPTIONS, keysUrl: 'http://gateway.example/' }), /must be https/],
    [JSON.stringify({ ...OPTIONS, keys: KEYS, fetch: 1 }), /fetch is no option/],
    [
      `{"issuer":"a",${JSON.stringify({ ...OPTIONS, keys: KEYS }).slice(1)}`,
      /issuer is no option, or stands there twice/,
    ],
  ] as const) {
    const refused = (error: unknown) =>
      error instanceof UsageError && /^gateway\.json/.test(error.message) && why.test(error.message);
    await assert.rejects(read(text), refused, text);
  }
});

test('each reason is complained of once', async () => {
  const complaints: string[] = [];
  const verify = await read(JSON.stringify({ ...OPTIONS, keys: KEYS }), (line) => complaints.push(line));
  const asked = (token?: string) =>
    verify({ method: 'GET', target: '/', header: () => token, body: async () => new Uint8Array() });
  for (const token of [undefined, undefined, 'x', 'y', undefined]) assert.equal(await asked(token), undefined);
  assert.deepEqual(
    complaints.map((line) => /\((.+)\)/.exec(line)?.[1]),
    ['no-identity', 'signature'],
  );
});
