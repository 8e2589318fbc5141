import type { Values } from '../parse.ts';
import { UsageError } from '../usage-error.ts';

/** What `kourier space connect` is to do. */
export interface ConnectOptions {
  readonly spaceUrl: URL;
  readonly space: string;
  readonly agent: string;
  readonly keyFile: string;
  readonly to: URL;
  readonly allowPlain: boolean;
}

/** Throws `UsageError`. */
export function connectOptions(values: Values): ConnectOptions {
  return {
    spaceUrl: webUrl('space', needed(values, 'space', 'URL'), 'https://HOST, with a path if need be'),
    space: idOf(values, 'space-id'),
    agent: idOf(values, 'agent'),
    keyFile: needed(values, 'key-file', 'FILE'),
    to: webUrl('to', needed(values, 'to', 'URL'), 'http://HOST:PORT, where the agent listens'),
    allowPlain: values.has('allow-plain'),
  };
}

function needed(values: Values, name: string, value: string): string {
  const text = values.get(name)?.at(-1) ?? '';
  if (text !== '') return text;
  throw new UsageError(`space connect needs --${name}`, `write --${name} ${value}`);
}

/** As ids of Spaces and agents are everywhere. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

function idOf(values: Values, name: string): string {
  const id = needed(values, name, 'ID');
  if (ID.test(id)) return id;
  throw new UsageError(
    `--${name} ${id} is no id`,
    'write 1 to 128 letters, digits, dots, dashes and underscores, a letter or digit first',
  );
}

function webUrl(name: string, text: string, write: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && !/[?#\s]/.test(text);
  if (isPlain && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`--${name} ${text} is no web address`, `write ${write}`);
}
