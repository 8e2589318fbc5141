import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { stringify } from 'yaml';
import { apiKeyDocument } from '../../../../cli/space/key.ts';
import { LIMITS } from '../../../../core/limits.ts';
import type { SpaceConfiguration, SpaceRegistry } from '../../../../ports/space/space-configuration.ts';
import { type FileRegistryOptions, fileRegistry } from '../file-registry.ts';
import { readProduct } from '../read-product.ts';
import { demoSpaceConfiguration } from './demo-space-configuration.ts';
import { readSpaceConfiguration, SPACE_GATEWAY } from './read-space-configuration.ts';
import { spaceRegistry } from './space-registry.ts';

const API = 'apiVersion: agentkourier.dev/v1alpha1';
const SPACE = `${API}\nkind: Space\nmetadata: { name: demo }\nspec: {}\n`;
const ofFile = (file: string): string =>
  `${SPACE}---\n${API}\nkind: SpaceAgent\nmetadata: { name: echo }\nspec: { space: demo, card: { file: ${file} } }\n`;

/** Long enough that only the watcher can have told. */
const NEVER_MS = 3_600_000;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-space-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function registryOf(t: TestContext, folder: string, more: Partial<FileRegistryOptions> = {}) {
  const registry = await spaceRegistry({
    paths: [join(folder, 'space.yaml')],
    sets: [],
    warn: (problems) => assert.fail(problems.join('\n')),
    pollEveryMs: NEVER_MS,
    ...more,
  });
  t.after(() => registry.close());
  return registry;
}

const nextChange = (registry: SpaceRegistry): Promise<SpaceConfiguration> =>
  new Promise((resolve) => {
    const end = registry.watch((configuration) => {
      end();
      resolve(configuration);
    });
  });

const cardName = ({ agents }: SpaceConfiguration): unknown => {
  const card = agents[0]?.card;
  return card?.kind === 'given' ? card.card['name'] : undefined;
};

test('without a file there is one Space of the default tenant, without agents, in local mode', async () => {
  const { configuration } = await readSpaceConfiguration({ paths: [], sets: [], builtIn: [demoSpaceConfiguration()] });
  assert.deepEqual(
    [...(configuration?.spaces.values() ?? [])].map(({ id, tenant }) => [id, tenant]),
    [['space-demo', 'default']],
  );
  assert.deepEqual(configuration?.agents, []);
  assert.equal(configuration?.access, undefined);
});

test('what kourier space key prints is taken as it is', async () => {
  const grants = [{ space: 'space-demo', role: 'publisher' }] as const;
  const options = { name: 'ci', tenant: 'default', kind: 'user', grants, expiresAt: '2040-01-31T00:00:00Z' } as const;
  const printed = `---\n${stringify(apiKeyDocument(options, 'b'.repeat(64)))}`;
  const { text, file } = demoSpaceConfiguration();
  const read = await readSpaceConfiguration({ paths: [], sets: [], builtIn: [{ file, text: text + printed }] });
  assert.deepEqual(read.problems, []);
  assert.deepEqual(read.configuration?.access?.apiKeys, [
    {
      ...{ name: 'ci', sha256: 'b'.repeat(64), tenant: 'default', kind: 'user' },
      grants: new Map([['space-demo', 'publisher']]),
      expiresAt: Date.UTC(2040, 0, 31),
    },
  ]);
});

test('--set goes before the Gateway document, and what is wrong with it is told', async () => {
  const gateway = `${API}\nkind: Gateway\nmetadata: { name: gateway }\nspec: { publicUrl: http://localhost:1, health: { failures: 2 } }\n`;
  const read = (sets: readonly string[]) =>
    readSpaceConfiguration({ paths: [], sets, builtIn: [{ file: 'f.yaml', text: gateway }] });
  const { configuration } = await read([
    'publicUrl=http://127.0.0.1:8080/',
    'health.every=1m',
    'health.failures=4',
    'cards.sign=false',
  ]);
  assert.equal(configuration?.publicUrl, 'http://127.0.0.1:8080');
  assert.deepEqual(configuration?.health, { everyMs: 60_000, timeoutMs: 10_000, failures: 4 });
  assert.equal(configuration?.signCards, false);
  const { problems } = await read(['permits.validFor=1h', 'health.timeout=1h', 'cards.sign=no']);
  assert.deepEqual(problems, ['--set: cards.sign is neither true nor false; write true or false']);
  assert.deepEqual((await read(['permits.validFor=1h', 'health.timeout=1h'])).problems, [
    '--set: permits.validFor is too long; write at most 5m',
    '--set: health.timeout is longer than health.every; make it shorter',
  ]);
});

test('a card and keys are read from the folder of their document, and again when they change', async (t) => {
  const folder = await folderFor(t);
  await mkdir(join(folder, 'cards'));
  const card = join(folder, 'cards', 'echo.json');
  await writeFile(card, '{"name":"v0"}');
  await writeFile(join(folder, 'space.yaml'), ofFile('cards/echo.json'));
  const registry = await registryOf(t, folder);
  assert.equal(cardName(registry.current()), 'v0');
  for (const name of ['v1', 'v2']) {
    const change = nextChange(registry);
    await writeFile(`${card}.new`, JSON.stringify({ name }));
    await rename(`${card}.new`, card);
    assert.equal(cardName(await change), name);
  }
});

test('a card that is mounted is followed when its version is swapped', async (t) => {
  const folder = await folderFor(t);
  const mount = async (stamp: string): Promise<void> => {
    await mkdir(join(folder, stamp));
    await writeFile(join(folder, stamp, 'echo.json'), JSON.stringify({ name: stamp }));
    await symlink(stamp, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  await mount('..one');
  await symlink(join('..data', 'echo.json'), join(folder, 'echo.json'));
  await writeFile(join(folder, 'space.yaml'), ofFile('echo.json'));
  const registry = await registryOf(t, folder);
  const change = nextChange(registry);
  await mount('..two');
  assert.equal(cardName(await change), '..two');
});

test('a card that is not there at a change is waited for, with the last good configuration', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'space.yaml'), SPACE);
  const refused = Promise.withResolvers<readonly string[]>();
  const registry = await registryOf(t, folder, { warn: refused.resolve });
  await writeFile(join(folder, 'space.yaml'), ofFile('echo.json'));
  const file = join(folder, 'space.yaml');
  assert.deepEqual(await refused.promise, [`${file}:9: SpaceAgent echo: card.file: not there; check the path`]);
  const change = nextChange(registry);
  await writeFile(join(folder, 'echo.json'), '{"name":"late"}');
  assert.equal(cardName(await change), 'late');
});

test('a card that is emptied before it is written is no change', async (t) => {
  const folder = await folderFor(t);
  const card = join(folder, 'echo.json');
  await writeFile(card, '{"name":"v0"}');
  await writeFile(join(folder, 'space.yaml'), ofFile('echo.json'));
  const readEmpty = Promise.withResolvers<void>();
  const read = readProduct(SPACE_GATEWAY);
  const registry = await fileRegistry<SpaceConfiguration>(
    { paths: [folder], sets: [], warn: () => assert.fail('refused'), pollEveryMs: NEVER_MS, hesitateMs: NEVER_MS },
    async (place, before) => {
      const reading = await read(place, before);
      if (reading.attached.some((attached) => attached.read.kind === 'text' && attached.read.text === ''))
        readEmpty.resolve();
      return reading;
    },
  );
  t.after(() => registry.close());
  const change = nextChange(registry);
  await writeFile(card, '');
  await readEmpty.promise;
  await writeFile(card, '{"name":"v1"}');
  assert.equal(cardName(await change), 'v1');
});

test('what is no card is told at its document, whatever it is', async (t) => {
  const folder = await folderFor(t);
  const table: Readonly<Record<string, string>> = {
    '': 'no JSON object; write one, as { "name": … }',
    '{': 'no JSON object; write one, as { "name": … }',
    '[]': 'no JSON object; write one, as { "name": … }',
    '{"name":"a","name":"b"}': 'a member stands there twice; keep one of them',
    '{"name":"\\ud800"}': 'a text in it is no Unicode; correct it',
    [`{"a":${'['.repeat(100)}${']'.repeat(100)}}`]: 'no JSON object; write one, as { "name": … }',
    [`{"a":"${'x'.repeat(LIMITS.cardBytes)}"}`]: 'larger than 1024 KiB; split it into smaller files',
  };
  const file = join(folder, 'space.yaml');
  await writeFile(file, ofFile('echo.json'));
  for (const [text, words] of Object.entries(table)) {
    await writeFile(join(folder, 'echo.json'), text);
    const { problems } = await readSpaceConfiguration({ paths: [file], sets: [] });
    assert.deepEqual(problems, [`${file}:9: SpaceAgent echo: card.file: ${words}`]);
  }
});

test('files of documents have a bound together', async (t) => {
  const folder = await folderFor(t);
  const count = LIMITS.configurationAttachedBytes / LIMITS.cardBytes + 2;
  const agents = Array.from({ length: count }, (_, index) => {
    const spec = `{ space: demo, card: { file: ${index}.json } }`;
    return `---\n${API}\nkind: SpaceAgent\nmetadata: { name: a-${index} }\nspec: ${spec}\n`;
  });
  const card = `{"a":"${'x'.repeat(LIMITS.cardBytes - 8)}"}`;
  for (let index = 0; index < count; index += 1) await writeFile(join(folder, `${index}.json`), card);
  await writeFile(join(folder, 'space.yaml'), `${SPACE}${agents.join('')}`);
  const { problems } = await readSpaceConfiguration({ paths: [folder], sets: [] });
  const line = 5 + 5 * (count - 1) + 4;
  assert.deepEqual(problems, [
    `${folder}/space.yaml:${line}: SpaceAgent a-${count - 1}: card.file: past the 32 MiB that such files may have together; leave out what is not needed`,
  ]);
});

test('a file may hold one key or a set, of which those count that verify', async (t) => {
  const folder = await folderFor(t);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  const keys = [jwk, { ...jwk, use: 'enc' }, { ...jwk, kid: 'two' }];
  await writeFile(join(folder, 'set.json'), JSON.stringify({ keys }));
  await writeFile(join(folder, 'one.json'), JSON.stringify(jwk));
  const spec = `{ signatures: { keys: [{ jwkFile: set.json }, { jwkFile: one.json, origins: [https://a.example] }] } }`;
  await writeFile(join(folder, 'space.yaml'), SPACE.replace('spec: {}', `spec: ${spec}`));
  const { configuration, problems } = await readSpaceConfiguration({ paths: [folder], sets: [] });
  assert.deepEqual(problems, []);
  assert.deepEqual(configuration?.spaces.get('demo')?.signatures.keys, [
    { jwk, origins: [] },
    { jwk: { ...jwk, kid: 'two' }, origins: [] },
    { jwk, origins: ['https://a.example'] },
  ]);
});
