import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import type { Values } from './parse.ts';
import { UsageError } from './usage-error.ts';

/** What `kourier slack manifest` prints. */
export interface ManifestOptions {
  readonly name: string;
  /** Mode http: where Slack calls, without a slash at its end. Absent: mode socket. */
  readonly url?: string;
  readonly format: 'json' | 'yaml';
}

/** Slack's own limit. */
const NAME_CHARACTERS = 35;

/** Throws `UsageError`. */
export function manifestOptions(values: Values): ManifestOptions {
  const last = (name: string): string | undefined => values.get(name)?.at(-1);
  const name = last('name') ?? 'Kourier';
  if (name.trim() === '' || name.length > NAME_CHARACTERS || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    throw new UsageError('--name is no name of an app', `write 1 to ${NAME_CHARACTERS} characters in one line`);
  const url = last('url');
  const mode = last('mode') ?? (url === undefined ? 'socket' : 'http');
  const format = last('format') === 'yaml' ? 'yaml' : 'json';
  if (mode === 'socket') {
    if (url !== undefined) throw new UsageError('--url is for --mode http', 'leave one of them out');
    return { name, format };
  }
  if (url === undefined) throw new UsageError('--mode http needs --url', 'write --url https://HOST');
  return { name, url: baseUrl(url), format };
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && !/[?#\s]/.test(text);
  if (url?.protocol === 'https:' && isPlain) return withoutEndSlashes(url.href);
  throw new UsageError(
    `--url ${text} is nothing that Slack calls`,
    'write https://HOST, where Slack reaches kourier up',
  );
}
