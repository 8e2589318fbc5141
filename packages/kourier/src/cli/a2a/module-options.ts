import { resolve } from 'node:path';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { MODULE_ACTIONS } from '../commands.ts';
import type { Values } from '../parse.ts';
import { portOf } from '../up.ts';
import { UsageError } from '../usage-error.ts';

interface AgentChoice {
  /** Absolute. */
  readonly module: string;
  /** What the command line says in place of the module. */
  readonly name?: string;
  readonly description?: string;
}

/** What `kourier a2a card` is to print. */
export interface ModuleCardOptions extends AgentChoice {
  readonly action: 'card';
  readonly url: string;
  /** Empty: those of the module. */
  readonly skills: readonly string[];
  readonly protocol: '1.0' | '0.3';
}

/** What `kourier a2a serve` is to do. */
export interface ServeModuleOptions extends AgentChoice {
  readonly action: 'serve';
  readonly host: string;
  readonly port: number;
  readonly protocols: readonly ('1.0' | '0.3')[];
  /** Absolute; absent: tasks are kept in memory. */
  readonly data?: string;
  /** What the card names; absent: where it listens. */
  readonly url?: string;
  /** Absolute: what it demands of callers; absent: nothing. */
  readonly inbound?: string;
  readonly includeReasoning: boolean;
}

/** Throws `UsageError`. */
export function moduleOptions(
  [word, path, extra]: readonly string[],
  values: Values,
): ModuleCardOptions | ServeModuleOptions {
  const action = MODULE_ACTIONS.find((known) => known === word) ?? 'card';
  if (path === undefined) throw new UsageError(`a2a ${action} needs a MODULE`, 'write the file of the agent');
  if (extra !== undefined) throw new UsageError(`a2a ${action} takes no ${extra}`, 'see kourier help a2a');
  if (path === '') throw new UsageError('the MODULE is empty', 'write the file of the agent');
  const [url, name, description] = ['url', 'name', 'description'].map((option) => textOf(values, option));
  const choice = {
    module: resolve(path),
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
  };
  if (action === 'serve') {
    const host = textOf(values, 'host') ?? '127.0.0.1';
    const port = portOf(textOf(values, 'port') ?? '8094');
    const inbound = textOf(values, 'inbound');
    const demanded = inbound === undefined ? {} : { inbound: resolve(inbound) };
    const includeReasoning = inbound === undefined && !values.has('no-include-reasoning');
    const data = textOf(values, 'data');
    const kept = data === undefined ? {} : { data: resolve(data) };
    const named = url === undefined ? {} : { url: webUrl(url) };
    const asked = { host, port, protocols: protocolsOf(values), includeReasoning };
    return { action, ...choice, ...asked, ...demanded, ...kept, ...named };
  }
  if (url === undefined) throw new UsageError('a2a card needs --url', 'write --url URL, where callers reach the agent');
  const [protocol = '1.0', more] = protocolsOf(values);
  if (more !== undefined) throw new UsageError('a card has one version', 'write --protocol once');
  return { action, ...choice, url: webUrl(url), skills: values.get('skill') ?? [], protocol };
}

function protocolsOf(values: Values): readonly ('1.0' | '0.3')[] {
  const given = values.get('protocol') ?? ['1.0'];
  return (['1.0', '0.3'] as const).filter((protocol) => given.includes(protocol));
}

function textOf(values: Values, name: string): string | undefined {
  const text = values.get(name)?.at(-1);
  if (text?.trim() === '') throw new UsageError(`--${name} is empty`, `write a value after --${name}`);
  return text;
}

function webUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && url.username === '' && url.password === '' && !/[?#\s]/.test(text);
  if (isPlain && /^https?:$/.test(url.protocol)) return withoutEndSlashes(text);
  throw new UsageError(
    `--url ${text} is no address of an agent`,
    'write http://HOST or https://HOST, with a path if need be',
  );
}
