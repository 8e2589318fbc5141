import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Values } from './parse.ts';
import { stateFolder } from './state-folder.ts';
import { UsageError, writeOneOf } from './usage-error.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** What `kourier up` is to do, checked as far as the words of the command line go. */
export interface UpOptions {
  /** Empty: the built-in demo. */
  readonly config: readonly string[];
  /** Absolute. */
  readonly data: string;
  readonly host: string;
  readonly port: number;
  /** `KEY=VALUE` into Settings.spec; the registry checks them. */
  readonly sets: readonly string[];
  readonly secretsDir?: string;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Throws `UsageError`. */
export function upOptions(values: Values): UpOptions {
  const config = values.get('config') ?? [];
  if (config.includes('')) throw new UsageError('--config is empty', 'write --config PATH');
  const { sets, process } = sortSets(values.get('set') ?? []);
  const secretsDir = process.get('secrets.dir');
  return {
    config,
    data: dataFolder(last(values, 'data')),
    host: checkHost(last(values, 'host') ?? '127.0.0.1'),
    port: portOf(last(values, 'port') ?? '8080'),
    sets,
    ...(secretsDir === undefined ? {} : { secretsDir: resolve(secretsDir) }),
    logLevel: logLevel(process.get('log.level') ?? 'info'),
  };
}

const last = (values: Values, name: string): string | undefined => values.get(name)?.at(-1);

function dataFolder(text: string | undefined): string {
  if (text === '') throw new UsageError('--data is empty', 'write --data DIR');
  return resolve(text ?? stateFolder());
}

/** Local mode knows no callers: whoever reaches the port may say who they are. */
function checkHost(host: string): string {
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (isLoopback) return host;
  throw new UsageError(
    `--host ${host} is not loopback: this version knows no callers`,
    'write 127.0.0.1, ::1 or localhost, and put a proxy that does before it',
  );
}

export function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port ${text} is no port`, 'write a number from 0 to 65535');
}

/** Settings of this process, not of the courier's configuration. */
const PROCESS_KEYS = ['log.level', 'secrets.dir'];

/** What is set of the process itself, and what of its configuration. Throws `UsageError`. */
export function sortSets(all: readonly string[]): { sets: readonly string[]; process: ReadonlyMap<string, string> } {
  const process = new Map<string, string>();
  const sets: string[] = [];
  for (const set of all) {
    const [, key = '', value = ''] = /^([^=]*)=(.*)$/s.exec(set) ?? [];
    if (!/^(log|secrets)\b/.test(set)) sets.push(set);
    else if (!PROCESS_KEYS.includes(key))
      throw new UsageError(`--set ${key || set}: unknown key`, writeOneOf(key || set, PROCESS_KEYS));
    else if (value === '') throw new UsageError(`--set ${key} has no value`, `write --set ${key}=VALUE`);
    else process.set(key, value);
  }
  return { sets, process };
}

/** Throws `UsageError`. */
export function logLevel(word: string): (typeof LOG_LEVELS)[number] {
  const level = LOG_LEVELS.find((known) => known === word);
  if (level !== undefined) return level;
  throw new UsageError(`--set log.level=${word} is not known`, writeOneOf(word, LOG_LEVELS));
}
