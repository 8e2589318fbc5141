// Builds what is published: `pack.ts [FOLDER]` writes a tarball of each library into FOLDER (`out`). In the repository
// the packages run from source; Node strips no types below node_modules, so what others install is JavaScript with
// declarations, and its package.json names those.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildLibrary } from './build-library.ts';

const PACKAGES = ['packages/a2a', 'packages/agent'];
const out = resolve(process.argv[2] ?? 'out');
const stage = mkdtempSync(join(tmpdir(), 'pack-'));
mkdirSync(out, { recursive: true });
try {
  for (const folder of PACKAGES) pack(folder);
} finally {
  rmSync(stage, { recursive: true });
}

function pack(folder: string): void {
  const to = join(stage, folder);
  mkdirSync(to, { recursive: true });
  build(folder, join(to, 'dist'));
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  const exports = Object.fromEntries(Object.entries(manifest.exports).map(([name, path]) => [name, built(path)]));
  const published = { ...manifest, exports, files: ['dist'], sideEffects: false };
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
  for (const file of globSync(`${folder}/README.md`)) cpSync(file, join(to, 'README.md'));
  cpSync('LICENSE', join(to, 'LICENSE'));
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: to, encoding: 'utf8' });
  console.log(join(out, name.trim()));
}

function built(path: string): { readonly types: string; readonly default: string } {
  const file = path.replace('./src/', './dist/');
  return { types: file.replace(/\.ts$/, '.d.ts'), default: file.replace(/\.ts$/, '.js') };
}

function build(folder: string, outDir: string): void {
  buildLibrary(folder, outDir);
  // A declaration names its neighbours as the source does; what is published has no such files.
  for (const file of globSync(`${outDir}/**/*.d.ts`)) {
    const text = readFileSync(file, 'utf8').replace(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
    writeFileSync(file, text);
  }
}
