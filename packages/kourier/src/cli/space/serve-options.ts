import { join, resolve } from 'node:path';
import type { Values } from '../parse.ts';
import { stateFolder } from '../state-folder.ts';
import { logLevel, portOf, sortSets, type UpOptions } from '../up.ts';
import { UsageError } from '../usage-error.ts';

/** What `kourier space serve` is to do, checked as far as the words of the command line go. */
export interface ServeSpaceOptions
  extends Pick<UpOptions, 'data' | 'host' | 'port' | 'sets' | 'secretsDir' | 'logLevel'> {
  /** Empty: the built-in Space. */
  readonly config: readonly string[];
}

/** Throws `UsageError`. */
export function serveSpaceOptions(values: Values): ServeSpaceOptions {
  const config = values.get('config') ?? [];
  if (config.includes('')) throw new UsageError('--config is empty', 'write --config PATH');
  const text = (name: string) => values.get(name)?.at(-1);
  const { sets, process } = sortSets(values.get('set') ?? []);
  const [data, host = '127.0.0.1'] = [text('data'), text('host')];
  if (data === '') throw new UsageError('--data is empty', 'write --data DIR');
  if (host === '') throw new UsageError('--host is empty', 'write --host HOST');
  const secretsDir = process.get('secrets.dir');
  return {
    ...{ config, sets, host, data: data === undefined ? join(stateFolder(), 'space') : resolve(data) },
    port: portOf(text('port') ?? '8090'),
    ...(secretsDir === undefined ? {} : { secretsDir: resolve(secretsDir) }),
    logLevel: logLevel(process.get('log.level') ?? 'info'),
  };
}
