import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { LIMITS } from '../../../core/limits.ts';
import { DEFAULT_TIMINGS } from '../../../core/timings.ts';
import { demoConfiguration } from './demo-configuration.ts';
import { readConfiguration } from './read-configuration.ts';
import { SETTINGS } from './schema/settings.ts';

const GOOD = demoConfiguration('http://127.0.0.1:9001').text;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-configuration-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function problemsOf(...paths: string[]): Promise<readonly string[]> {
  return (await readConfiguration({ paths, sets: [] })).problems;
}

test('every timing is a setting', () => {
  const settings = Object.keys(SETTINGS.properties?.['timings']?.properties ?? {});
  assert.deepEqual(
    settings,
    Object.keys(DEFAULT_TIMINGS).map((key) => key.replace(/Ms$/, '')),
  );
});

test('a folder: *.yaml and *.yml in the order of names, nothing hidden, nothing else, no folder within', async (t) => {
  const folder = await folderFor(t);
  const [backend = '', binding = ''] = GOOD.split('---\n');
  await writeFile(join(folder, 'b.yml'), backend);
  await writeFile(join(folder, 'a.yaml'), binding);
  await writeFile(join(folder, '.hidden.yaml'), 'not: ours');
  await writeFile(join(folder, 'notes.txt'), 'not ours');
  await mkdir(join(folder, 'within'));
  await writeFile(join(folder, 'within', 'c.yaml'), 'not: ours');
  const { problems, sources, configuration } = await readConfiguration({
    paths: [folder, join(folder, 'a.yaml')],
    sets: [],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(
    sources.map(({ file }) => file),
    [join(folder, 'a.yaml'), join(folder, 'b.yml')],
  );
  assert.deepEqual([...(configuration?.bindings.keys() ?? [])], ['demo']);
});

test('a Windows file, with a byte order mark, is read like another', async (t) => {
  const file = join(await folderFor(t), 'kourier.yaml');
  await writeFile(file, `\ufeff${GOOD.replaceAll('\n', '\r\n')}`);
  assert.deepEqual(await problemsOf(file), []);
});

test('what cannot be read is named, each with a line of its own, and nothing hangs', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'large.yaml'), Buffer.alloc(10 * 1_024 * 1_024, 'a'));
  await writeFile(join(folder, 'latin.yaml'), Buffer.from('name: caf\xe9', 'latin1'));
  await mkdir(join(folder, 'folder.yaml'));
  await symlink('loop.yaml', join(folder, 'loop.yaml'));
  await symlink('nowhere', join(folder, 'dangling.yaml'));
  execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
  assert.deepEqual(await problemsOf(folder, join(folder, 'absent')), [
    `${folder}/absent: not there; check the path`,
    `${folder}/dangling.yaml: not there; check the path`,
    `${folder}/folder.yaml: no regular file; name a file, or move this out of the folder`,
    `${folder}/large.yaml: larger than 1024 KiB; split it into smaller files`,
    `${folder}/latin.yaml: not UTF-8; save it as UTF-8 text`,
    `${folder}/loop.yaml: cannot be read (ELOOP); check the path and the disk`,
    `${folder}/pipe.yaml: no regular file; name a file, or move this out of the folder`,
  ]);
});

test('a file without the right to read it', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root reads everything: run as another user');
  const file = join(await folderFor(t), 'kourier.yaml');
  await writeFile(file, GOOD);
  await chmod(file, 0);
  assert.deepEqual(await problemsOf(file), [
    `${file}: cannot be read; give the user of this process the right to read it`,
  ]);
});

test('too much in all is refused before it is parsed', async (t) => {
  const folder = await folderFor(t);
  for (let index = 0; index < 5; index += 1)
    await writeFile(join(folder, `${index}.yaml`), Buffer.alloc(LIMITS.configurationFileBytes, '#'));
  const last = join(folder, '4.yaml');
  assert.deepEqual(await problemsOf(folder), [
    `${last}: the configuration is larger than 4 MiB; leave out what is not needed`,
  ]);
});

test('error lines have an end, and one that is not shown is counted', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `kind: X${index}\n`).join('---\n');
  const { problems } = await readConfiguration({ paths: [], sets: [], builtIn: [{ file: 'f.yaml', text }] });
  assert.equal(problems.length, 51);
  assert.equal(problems.at(-1), 'and 10 more; correct these first');
});

test('a name in an error line is inert: one line, no control or direction characters, not without end', async () => {
  const text = `"kind\\n\\e[31m\\u202e${'x'.repeat(1_000)}": 1\nkind: Secret\napiVersion: v1\nmetadata: { name: x }\n`;
  const { problems } = await readConfiguration({ paths: [], sets: [], builtIn: [{ file: 'f.yaml', text }] });
  assert.deepEqual(problems, [
    `f.yaml:1: Secret x: unknown key kind??[31m?${'x'.repeat(52)}…; write one of apiVersion, kind, metadata, type, immutable, stringData, data`,
  ]);
});

test('C119 keys that JavaScript knows are unknown keys like others', async () => {
  const text = 'kind: Secret\napiVersion: v1\nmetadata: { name: x }\n__proto__: { type: Opaque }\nconstructor: 1\n';
  const { problems } = await readConfiguration({ paths: [], sets: [], builtIn: [{ file: 'f.yaml', text }] });
  assert.deepEqual(
    problems.map((line) => line.replace(/;.*/, '')),
    ['f.yaml:4: Secret x: unknown key __proto__', 'f.yaml:5: Secret x: unknown key constructor'],
  );
});

test('--set goes over the Settings document', async () => {
  const settings = `apiVersion: agentkourier.dev/v1alpha1
kind: Settings
metadata: { name: settings }
spec: { timings: { giveUpAfter: 1h, streamIdle: 1m }, store: { sqlite: { path: a.db } } }
`;
  const sets = ['timings.giveUpAfter=5m', 'timings.cancelAttempts=3', 'store.sqlite.path=b=c.db'];
  const { configuration, problems } = await readConfiguration({
    paths: [],
    sets,
    builtIn: [{ file: 'f.yaml', text: settings }],
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(configuration?.timings, {
    ...DEFAULT_TIMINGS,
    giveUpAfterMs: 300_000,
    streamIdleMs: 60_000,
    cancelAttempts: 3,
  });
  assert.deepEqual(configuration?.store, { kind: 'sqlite', path: 'b=c.db' });
});

for (const [set, expected] of Object.entries({
  'timings.giveUpAftr=5m': '--set: unknown key timings.giveUpAftr; write giveUpAfter',
  'timing.giveUpAfter=5m': '--set: unknown key timing; write timings',
  'timings.giveUpAfter=soon':
    '--set: timings.giveUpAfter is no duration; write a whole number and a unit (ms, s, m, h or d), as 30s, up to 365d',
  'timings.cancelAttempts=many':
    '--set: timings.cancelAttempts is no whole number; write a whole number without quotes',
  'timings=5m': '--set: timings is no group of keys; write its keys below it, indented',
  'timings.giveUpAfter': '--set: no value for timings.giveUpAfter; write --set KEY=VALUE',
  '=5m': '--set: no value for =5m; write --set KEY=VALUE',
  '__proto__.polluted=1': '--set: unknown key __proto__; write one of store, timings',
  'store.postgres.url=postgres://u:hush@h/d': '--set: store postgres: not in this version; write sqlite: {}',
  'timings.retryBackoffMax=10ms':
    '--set: timings.retryBackoffInitial is longer than timings.retryBackoffMax; make it shorter',
})) {
  test(`--set ${set} is refused`, async () => {
    const { problems, configuration } = await readConfiguration({ paths: [], sets: [set] });
    assert.deepEqual(problems, [expected]);
    assert.equal(configuration, undefined);
    assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  });
}

test('mounted secrets: what is not there, or no value, is named by its place', async (t) => {
  const secretsDir = await folderFor(t);
  const reference = (name: string, key: string): string =>
    GOOD.replace('userId: demo', `tokenSecretRef: { name: ${name}, key: ${key} }`);
  const problems = async (name: string, key: string): Promise<readonly string[]> =>
    (
      await readConfiguration({
        paths: [],
        sets: [],
        secretsDir,
        builtIn: [{ file: 'f.yaml', text: reference(name, key) }],
      })
    ).problems;
  await mkdir(join(secretsDir, 'agent', 'nested'), { recursive: true });
  await writeFile(join(secretsDir, 'agent', 'large'), Buffer.alloc(LIMITS.secretBytes + 1, 'x'));
  await writeFile(join(secretsDir, 'agent', 'empty'), '\n');
  const [, line] = /^f\.yaml:(\d+)/.exec((await problems('agent', 'absent'))[0] ?? '') ?? [];
  assert.equal(
    reference('agent', 'absent').split('\n')[Number(line) - 1]?.trim(),
    'tokenSecretRef: { name: agent, key: absent }',
  );
  const at = `f.yaml:${line}: Binding demo:`;
  assert.deepEqual(await problems('agent', 'absent'), [
    `${at} secret agent is not known; put the value into ${secretsDir}/agent/absent`,
  ]);
  assert.deepEqual(await problems('agent', 'empty'), [
    `${at} the value of secret agent, key empty, is empty; write one`,
  ]);
  assert.deepEqual(
    await problems('agent', 'large').then((lines) => lines[0]),
    `${secretsDir}/agent/large: larger than 64 KiB; split it into smaller files`,
  );
  assert.deepEqual(
    await problems('agent', 'nested').then((lines) => lines[0]),
    `${secretsDir}/agent/nested: no regular file; name a file, or move this out of the folder`,
  );
  assert.match((await problems('..', 'passwd'))[0] ?? '', /tokenSecretRef\.name is no name/);
  assert.match((await problems('agent', '../../passwd'))[0] ?? '', /tokenSecretRef\.key is no key of a secret/);
});
