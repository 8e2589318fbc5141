import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Compiles a package's sources, without its tests, to JavaScript with declarations in `outDir`. */
export function buildLibrary(folder: string, outDir: string): void {
  const stage = mkdtempSync(join(tmpdir(), 'build-'));
  const config = join(stage, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    outDir,
    rootDir: resolve(folder, 'src'),
    declaration: true,
    rewriteRelativeImportExtensions: true,
    typeRoots: [resolve('node_modules/@types')],
  };
  const [include, exclude] = [[resolve(folder, 'src')], [resolve(folder, 'src/**/*.test.ts')]];
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.base.json'), compilerOptions, include, exclude }));
  try {
    execFileSync('node_modules/.bin/tsc', ['--project', config], { stdio: 'inherit' });
  } finally {
    rmSync(stage, { recursive: true });
  }
}
