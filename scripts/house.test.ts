// Rules on the house as a whole: what we depend on, what is bounded, what is proved.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (file: string): string => readFileSync(file, 'utf8');
const manifests = ['package.json', ...globSync('{packages,examples}/*/package.json')]
  .filter((file) => !file.includes('node_modules'))
  .map((file) => ({ file, manifest: JSON.parse(read(file)) as Manifest }));
const dependencies = manifests.flatMap(({ file, manifest }) =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }).map(
    ([name, version]) => ({ file, name, version }),
  ),
);

test('the documents that a reader looks for exist', () => {
  const wanted = ['README.md', 'ARCHITECTURE.md', 'STYLE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE'];
  assert.deepEqual(
    wanted.filter((file) => !existsSync(file)),
    [],
  );
});

test('every dependency is an exact version', () => {
  const loose = dependencies.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  assert.deepEqual(loose, [], 'npm i -E: a build of today is the build of next year');
});

test('every dependency says in ARCHITECTURE.md what for and why this one', () => {
  const table = read('ARCHITECTURE.md');
  const ours = new Set(manifests.map(({ manifest }) => manifest.name));
  const silent = dependencies.filter(
    ({ name }) => !(ours.has(name) || new RegExp(`^\\| .*\`${name}\`.* \\| .+ \\| .+ \\|$`, 'm').test(table)),
  );
  assert.deepEqual(silent, [], 'add a line to the table of dependencies');
});

test('every line of that table is a dependency', () => {
  const section =
    read('ARCHITECTURE.md')
      .split(/^## /m)
      .find((text) => text.startsWith('Dependencies')) ?? '';
  const named = [...section.matchAll(/^\| ([^|]*`[^|]*) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const gone = named.filter((name) => !dependencies.some((dependency) => dependency.name === name));
  assert.ok(named.length > 0, 'there is such a table');
  assert.deepEqual(gone, []);
});

test('nothing is compiled at install', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly gypfile?: boolean; readonly hasInstallScript?: boolean }>>;
  };
  // A package that brings what is built says `gypfile: false`. `npm i` leaves that out of the lock file, and then npm
  // before 11 runs node-gyp, which wants Python and a compiler.
  const compiled = Object.entries(packages).filter(
    ([path, { gypfile }]) => existsSync(`${path}/binding.gyp`) && gypfile !== false,
  );
  assert.ok(packages['node_modules/better-sqlite3'], 'the lock file is read');
  assert.deepEqual(
    compiled.map(([path]) => path),
    [],
    'write "gypfile": false into its entry of package-lock.json',
  );
});

test('all workspaces have one version', () => {
  const versions = new Set(manifests.map(({ manifest }) => manifest.version));
  assert.equal(versions.size, 1, [...versions].join(', '));
});

test('every limit is used', () => {
  const unused = globSync('packages/*/src/**/limits.ts').flatMap((file) => {
    const users = globSync(`${file.split('/').slice(0, 3).join('/')}/**/*.ts`)
      .filter((other) => other !== file && !other.endsWith('.test.ts'))
      .map(read);
    const names = [...read(file).matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    assert.ok(names.length > 0, `${file} has limits`);
    return names
      .filter((name) => !users.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
      .map((name) => `${file}: ${name}`);
  });
  assert.deepEqual(unused, [], 'a limit that nothing obeys is a false promise: obey it or remove it');
});

test('every adapter runs the contract suite of its port', () => {
  const adapters = globSync(
    'packages/kourier/src/adapters/{agent,chat,store,space-store,registry,identity,upstream}/*/',
  )
    .map((folder) => folder.replace(/\/$/, ''))
    .filter((folder) => !['wire', 'sql'].includes(basename(folder)));
  const unproved = adapters.filter((folder) => {
    const own = globSync(`${folder}/**/*.test.ts`).map(read);
    // Or one beside the folders of its family that names it.
    const family = globSync(`${dirname(folder)}/*.test.ts`)
      .map(read)
      .filter((text) => text.includes(basename(folder).replace(/^a2a-/, '')));
    // Or one of those that want a database.
    const elsewhere = globSync('packages/kourier/db/*.test.ts')
      .map(read)
      .filter((text) => text.includes(`/src/${folder.split('/src/')[1]}/`));
    return ![...own, ...family, ...elsewhere].some((text) => /from '(\.\.\/)+contract\//.test(text));
  });
  assert.ok(adapters.length > 0, 'there are adapters');
  assert.deepEqual(unproved, [], 'add NAME.contract.test.ts that runs packages/kourier/contract/PORT.ts on it');
});

test('a file of tests stands beside what it tests', () => {
  const lonely = globSync('packages/*/src/**/*.test.ts').filter((file) =>
    globSync(`${dirname(file)}/*.ts`).every((other) => other.endsWith('.test.ts')),
  );
  assert.deepEqual(lonely, []);
});
