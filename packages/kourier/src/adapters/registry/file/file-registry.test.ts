import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Configuration, Registry } from '../../../ports/registry.ts';
import { courierRegistry } from './courier-registry.ts';
import { demoConfiguration } from './demo-configuration.ts';
import { type FileRegistry, type FileRegistryOptions, fileRegistry } from './file-registry.ts';
import { readConfiguration } from './read-configuration.ts';

/** A configuration of one binding, whose name tells which version was read. */
const version = (name: string): string =>
  demoConfiguration('http://127.0.0.1:9001').text.replace(
    'name: demo\nspec:\n  backend',
    `name: ${name}\nspec:\n  backend`,
  );

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kourier-registry-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

/** Long enough that only the watcher can have told. */
const NEVER_MS = 3_600_000;

async function registryOf(t: TestContext, options: Partial<FileRegistryOptions>): Promise<FileRegistry<Configuration>> {
  const registry = await courierRegistry({
    paths: [],
    sets: [],
    warn: () => undefined,
    pollEveryMs: NEVER_MS,
    ...options,
  });
  t.after(() => registry.close());
  return registry;
}

const names = (registry: Registry): string[] => [...registry.current().bindings.keys()];

const nextChange = (registry: Registry): Promise<Configuration> =>
  new Promise((resolve) => {
    const end = registry.watch((configuration) => {
      end();
      resolve(configuration);
    });
  });

test('the demo configuration stands by itself: one web binding that may ask everything', async (t) => {
  const registry = await registryOf(t, { builtIn: [demoConfiguration('http://127.0.0.1:4711')] });
  const demo = registry.current().bindings.get('demo');
  assert.equal(demo?.backend?.url, 'http://127.0.0.1:4711');
  assert.deepEqual(demo?.identity, { userId: 'demo' });
  assert.deepEqual(Object.keys(demo?.interactions ?? {}).sort(), ['questions', 'toolApprovals']);
});

test('an editor that replaces the file is followed, again and again', async (t) => {
  const folder = await folderFor(t);
  const file = join(folder, 'kourier.yaml');
  await writeFile(file, version('v0'));
  const registry = await registryOf(t, { paths: [file] });
  for (const name of ['v1', 'v2', 'v3']) {
    const change = nextChange(registry);
    await writeFile(join(folder, '.kourier.yaml.swp'), version(name));
    await rename(join(folder, '.kourier.yaml.swp'), file);
    await change;
    assert.deepEqual(names(registry), [name]);
  }
});

test('a file that is added to a folder, or taken out, is a change', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'a.yaml'), version('a'));
  const registry = await registryOf(t, { paths: [folder] });
  const added = nextChange(registry);
  const binding = version('b').split('---\n')[1] ?? '';
  await writeFile(join(folder, 'b.yml'), binding);
  await added;
  assert.deepEqual(names(registry), ['a', 'b']);
  const removed = nextChange(registry);
  await rm(join(folder, 'b.yml'));
  await removed;
  assert.deepEqual(names(registry), ['a']);
});

test('a mounted ConfigMap is read through its links, once, and its swap of ..data is a change', async (t) => {
  const folder = await folderFor(t);
  const mount = async (stamp: string, name: string): Promise<void> => {
    await mkdir(join(folder, stamp));
    await writeFile(join(folder, stamp, 'kourier.yaml'), version(name));
    await symlink(stamp, join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
  };
  await mount('..2026_01_01', 'v0');
  await symlink(join('..data', 'kourier.yaml'), join(folder, 'kourier.yaml'));
  const registry = await registryOf(t, { paths: [folder] });
  assert.deepEqual(names(registry), ['v0']);
  for (const [stamp, name] of [
    ['..2026_01_02', 'v1'],
    ['..2026_01_03', 'v2'],
  ] as const) {
    const change = nextChange(registry);
    await mount(stamp, name);
    await change;
    assert.deepEqual(names(registry), [name]);
  }
});

test('a folder that is a link is followed to where it then leads, and watched there', async (t) => {
  const root = await folderFor(t);
  for (const release of ['one', 'two']) {
    await mkdir(join(root, release));
    await writeFile(join(root, release, 'kourier.yaml'), version(release));
  }
  const current = join(root, 'current');
  await symlink('one', current);
  const registry = await registryOf(t, { paths: [current] });
  const swapped = nextChange(registry);
  await symlink('two', join(root, 'next'));
  await rename(join(root, 'next'), current);
  await swapped;
  assert.deepEqual(names(registry), ['two']);
  const written = nextChange(registry);
  await writeFile(join(root, 'two', 'kourier.yaml'), version('three'));
  await written;
  assert.deepEqual(names(registry), ['three']);
});

test('what no watcher sees, a link further up, is found by the poll', async (t) => {
  const root = await folderFor(t);
  for (const release of ['one', 'two']) {
    await mkdir(join(root, release, 'etc'), { recursive: true });
    await writeFile(join(root, release, 'etc', 'kourier.yaml'), version(release));
  }
  await symlink('one', join(root, 'current'));
  const registry = await registryOf(t, { paths: [join(root, 'current', 'etc', 'kourier.yaml')], pollEveryMs: 1 });
  const swapped = nextChange(registry);
  await symlink('two', join(root, 'next'));
  await rename(join(root, 'next'), join(root, 'current'));
  await swapped;
  assert.deepEqual(names(registry), ['two']);
});

test('a file that is emptied again and again before it is written is never taken up as empty', async (t) => {
  const folder = await folderFor(t);
  const file = join(folder, 'kourier.yaml');
  await writeFile(file, version('v0'));
  let readEmpty = Promise.withResolvers<void>();
  const registry = await fileRegistry(
    { paths: [file], sets: [], warn: () => assert.fail('refused'), pollEveryMs: NEVER_MS, hesitateMs: NEVER_MS },
    async (place) => {
      const reading = await readConfiguration(place);
      if (reading.sources.some(({ text }) => text === '')) readEmpty.resolve();
      return reading;
    },
  );
  t.after(() => registry.close());
  const seen: string[][] = [];
  registry.watch(() => seen.push(names(registry)));
  const change = nextChange(registry);
  for (let times = 0; times < 3; times += 1) {
    await writeFile(file, '');
    await readEmpty.promise;
    readEmpty = Promise.withResolvers();
  }
  await writeFile(file, version('v1'));
  await change;
  assert.deepEqual(seen, [['v1']]);
});

test('a file that stays empty is taken at its word', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'kourier.yaml'), version('v0'));
  const registry = await registryOf(t, { paths: [folder] });
  const change = nextChange(registry);
  await writeFile(join(folder, 'kourier.yaml'), '');
  await change;
  assert.deepEqual(names(registry), []);
});

test('a folder without a file is no empty configuration: the last good one stays', async (t) => {
  const folder = await folderFor(t);
  await writeFile(join(folder, 'kourier.yaml'), version('v0'));
  let tell: (problems: readonly string[]) => void = () => undefined;
  const refused = new Promise<readonly string[]>((resolve) => {
    tell = resolve;
  });
  const registry = await registryOf(t, { paths: [folder], warn: (problems) => tell(problems) });
  await rm(join(folder, 'kourier.yaml'));
  const expected = [`${folder}: a folder without a *.yaml or *.yml file; put one there, or name another`];
  assert.deepEqual(await refused, expected);
  assert.deepEqual(registry.problems(), expected);
  assert.deepEqual(names(registry), ['v0']);
});

test('D8 a mounted secret is read without its newline, and read again when it changes', async (t) => {
  const secretsDir = await folderFor(t);
  await mkdir(join(secretsDir, 'agent'));
  await writeFile(join(secretsDir, 'agent', 'token'), 't-1\n');
  const [backend, binding] = version('ops').split('---\n');
  const text = [backend, binding?.replace('userId: demo', 'tokenSecretRef: { name: agent, key: token }')].join('---\n');
  const registry = await registryOf(t, { builtIn: [{ file: 'f.yaml', text }], secretsDir });
  assert.deepEqual(registry.current().bindings.get('ops')?.identity, { token: 't-1' });
  const change = nextChange(registry);
  await writeFile(join(secretsDir, 'agent', 'token.new'), 't-2\r\n');
  await rename(join(secretsDir, 'agent', 'token.new'), join(secretsDir, 'agent', 'token'));
  assert.deepEqual((await change).bindings.get('ops')?.identity, { token: 't-2' });
});

test('closed, it tells nothing more', async (t) => {
  const folder = await folderFor(t);
  const file = join(folder, 'kourier.yaml');
  await writeFile(file, version('v0'));
  const closed = await registryOf(t, { paths: [file] });
  const open = await registryOf(t, { paths: [file] });
  closed.watch(() => assert.fail('told after the close'));
  closed.close();
  const change = nextChange(open);
  await writeFile(file, version('v1'));
  await change;
  assert.deepEqual(names(closed), ['v0']);
});
