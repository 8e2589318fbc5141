import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const REQUIREMENTS = beside('requirements.txt');
const REQUIREMENTS_0_3 = beside('requirements-a2a-0.3.txt');
const FOLDER = beside('../../../node_modules/.cache/google-adk');
/** Written last: an environment without it, or with other pins or another Python, is made anew. */
const MADE_OF = join(FOLDER, 'made-of');

const NEEDED = 'google-adk needs Python 3.10 or newer as `python3`, with venv and ensurepip (Debian: python3-venv)';

export interface PythonEnvironment {
  readonly python: string;
  /** On PYTHONPATH, it puts a2a-sdk 0.3 in the place of a2a-sdk 1. */
  readonly a2a03: string;
}

const run = promisify(execFile);

/** Why there can be no environment here; `undefined` where there can. */
export async function whyNoPython(): Promise<string | undefined> {
  try {
    await run('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10), sys.version']);
    return undefined;
  } catch (error) {
    return `${NEEDED}: ${error instanceof Error ? error.message.trim() : error}`;
  }
}

/** A Python that has exactly what the requirements name; made once, and again when they change. */
export async function pythonEnvironment(): Promise<PythonEnvironment> {
  const environment = { python: join(FOLDER, 'bin', 'python'), a2a03: join(FOLDER, 'a2a-0.3') };
  const { stdout: version } = await run('python3', ['--version']);
  const madeOf = createHash('sha256').update(version);
  for (const file of [REQUIREMENTS, REQUIREMENTS_0_3]) madeOf.update(readFileSync(file));
  const name = madeOf.digest('hex');
  if (existsSync(MADE_OF) && readFileSync(MADE_OF, 'utf8') === name) return environment;
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  await run('python3', ['-m', 'venv', FOLDER]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  await run(environment.python, [...pip, '--requirement', REQUIREMENTS]);
  await run(environment.python, [
    ...pip,
    '--no-deps',
    '--target',
    environment.a2a03,
    '--requirement',
    REQUIREMENTS_0_3,
  ]);
  writeFileSync(MADE_OF, name);
  return environment;
}
