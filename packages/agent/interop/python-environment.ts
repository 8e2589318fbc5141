import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));

/** What an environment is made of: files of pip's requirements, each package with its exact version. */
export interface PythonNeeds {
  /** Of the folder that it is kept in. */
  readonly name: string;
  readonly requirements: string;
  /** Packages that stand in a folder of their own, without what they need themselves. */
  readonly overlay: string;
}

export interface PythonEnvironment {
  readonly python: string;
  /** On PYTHONPATH, it puts the overlay's packages in the place of those of the same name. */
  readonly overlay: string;
}

/** The folder of the overlay, within that of the environment. */
const OVERLAY = 'overlay';

const run = promisify(execFile);

/** Why there can be no environment here; `undefined` where there can. */
export async function whyNoPython(): Promise<string | undefined> {
  try {
    await run('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10), sys.version']);
    return undefined;
  } catch (error) {
    const needed = 'Python 3.10 or newer is needed as `python3`, with venv and ensurepip (Debian: python3-venv)';
    return `${needed}: ${error instanceof Error ? error.message.trim() : error}`;
  }
}

/** A Python that has exactly what is needed; made once, and again when that changes. */
export async function pythonEnvironment({ name, requirements, overlay }: PythonNeeds): Promise<PythonEnvironment> {
  const folder = join(CACHE, name);
  const environment = { python: join(folder, 'bin', 'python'), overlay: join(folder, OVERLAY) };
  // Written last: an environment without it, or with other pins or another Python, is made anew.
  const madeOf = join(folder, 'made-of');
  const { stdout: version } = await run('python3', ['--version']);
  const digest = createHash('sha256').update(version).update(OVERLAY);
  for (const file of [requirements, overlay]) digest.update(readFileSync(file));
  const made = digest.digest('hex');
  if (existsSync(madeOf) && readFileSync(madeOf, 'utf8') === made) return environment;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await run('python3', ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(environment.python, [...pip, '--requirement', requirements]);
  await run(environment.python, [...pip, '--no-deps', '--target', environment.overlay, '--requirement', overlay]);
  writeFileSync(madeOf, made);
  return environment;
}
