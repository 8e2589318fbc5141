import { generateKeyPairSync, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { arrayOf, objectOf, parseJson } from '@agentkourier/a2a/json-value';
import { LIMITS } from '../../../core/limits.ts';
import type { Seal } from '../../../ports/space/seal.ts';
import { keySeal } from './key-seal.ts';

/** Below the data folder: a JWK Set of private keys, the one that signs first. */
export const SEAL_FILE = 'gateway-keys.json';

/**
 * The seal whose keys are in a data folder. A folder without them gets one: processes that start at once end with the
 * same, since the file appears whole and is never replaced. Throws an Error that says what to do, when the file may be
 * read by others or is no key set.
 */
export function sealIn(folder: string): Seal {
  const path = join(folder, SEAL_FILE);
  const text = readPrivately(path) ?? made(folder, path);
  try {
    return keySeal(arrayOf(objectOf<'keys'>(parseJson(text))?.keys));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${path} holds no keys of a gateway (${why}): bring the file back, or move it away for a new key`);
  }
}

/** `undefined` when there is none. What is judged is the file that is open, whatever its name leads to meanwhile. */
function readPrivately(path: string): string | undefined {
  const file = unless('ENOENT', () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (file === undefined) return undefined;
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > LIMITS.cardBytes)
      throw new Error(`${path} is no file of at most ${LIMITS.cardBytes} bytes: move it away for a new key`);
    const mode = stat.mode & 0o777;
    if ((mode & 0o077) !== 0)
      throw new Error(
        `${path} may be read or written by others (mode ${mode.toString(8)}): chmod 600 it, and if others may have read it, move it away for a new key`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function made(folder: string, path: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const draft = `${path}.${randomUUID()}`;
  try {
    writeDurably(draft, `${JSON.stringify({ keys: [key] })}\n`);
    // A link is made once: whoever comes second finds the first one's file, and takes it.
    unless('EEXIST', () => linkSync(draft, path));
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(folder);
  const text = readPrivately(path);
  if (text === undefined) throw new Error(`${path} was removed while it was made: start again`);
  return text;
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A name is on the disk when its folder is. */
function syncFolder(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function unless<Result>(code: string, run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}
