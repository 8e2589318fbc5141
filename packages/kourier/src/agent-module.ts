import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type AgentDefinition,
  type AgentSkill,
  type AnswerTurn,
  agentCard,
  SqliteTaskStore,
  serveAgent,
} from '@agentkourier/agent';
import type { ModuleCardOptions, ServeModuleOptions } from './cli/a2a/module-options.ts';
import { UsageError } from './cli/usage-error.ts';
import { isLoopback } from './http/local-guard.ts';
import { inboundOf } from './inbound-file.ts';

/** The card that `kourier a2a card` prints (rule A1). Rejects with a `UsageError` when the module holds no agent. */
export async function moduleCard(options: ModuleCardOptions): Promise<string> {
  const agent = await agentOf(options);
  const skills = options.skills.map((id) => agent.skills?.find((skill) => skill.id === id) ?? madeUpSkill(id));
  const listed = skills.length === 0 ? agent : { ...agent, skills };
  return `${JSON.stringify(agentCard(listed, options.url, { protocol: options.protocol }), undefined, 2)}\n`;
}

export interface ModuleSurroundings {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
  /** Throws Node's errors, and a RangeError past `maxBytes`. */
  readonly readText: (path: string, maxBytes: number) => Promise<string>;
  readonly onError: (error: unknown, turn: { readonly taskId: string; readonly contextId: string }) => void;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<unknown>;
}

/** `kourier a2a serve` (rule A2): until it is told to stop. Rejects as `moduleCard` does, or when it cannot listen. */
export async function serveModule(options: ServeModuleOptions, around: ModuleSurroundings): Promise<void> {
  const { host, port, url, protocols, data, inbound, includeReasoning } = options;
  const agent = await agentOf(options);
  const served = await serveAgent(agent, {
    ...{ host, port, protocols, includeReasoning, onError: around.onError },
    ...(inbound === undefined ? {} : { inbound: await inboundOf(inbound, around) }),
    ...(data === undefined ? {} : { store: storeIn(data) }),
    ...(url === undefined ? {} : { publicUrl: url }),
  });
  if (!isLoopback(host) && inbound === undefined) {
    around.complain(
      `kourier: ${served.url} is open to whoever reaches this machine on ${host}: nothing guards it, neither a password nor TLS; put a proxy that asks who calls before it, or leave --host out`,
    );
  }
  if (url === undefined && EVERY_ADDRESS.has(host)) {
    around.complain(
      `kourier: its card names ${served.url}, which is no address to call; write --url with the one that callers use`,
    );
  }
  around.print(`kourier: serving ${agent.name.replace(/\p{Cc}/gu, ' ')} on ${served.url}`);
  await around.stopped;
  await served.close();
}

/** To listen on, of either family of addresses (case C008). */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** What the module exports, under the name and description of the command line. */
async function agentOf({
  module,
  name,
  description,
}: ModuleCardOptions | ServeModuleOptions): Promise<AgentDefinition> {
  const exported = await load(module);
  const made =
    typeof exported === 'function' ? { turn: exported as AnswerTurn } : (exported as Partial<AgentDefinition>);
  const fileName = basename(module).replace(/\.\w+$/, '');
  const called = name ?? made.name ?? fileName;
  // A builder's members stand on its prototype, where a spread does not find them.
  const { version, skills, inputModes, outputModes, humanInTheLoop } = made;
  const agent = { version, skills, inputModes, outputModes, humanInTheLoop, turn: turnOf(made) };
  const given = Object.fromEntries(Object.entries(agent).filter(([, value]) => value !== undefined));
  return { ...given, name: called, description: description ?? made.description ?? `The agent ${called}.` };
}

async function load(module: string): Promise<unknown> {
  let exported: { readonly default?: unknown; readonly agent?: unknown };
  try {
    exported = (await import(pathToFileURL(module).href)) as typeof exported;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `${module} cannot be loaded: ${why}`,
      'mend the module, or name another one; it must export an agent',
    );
  }
  for (const candidate of [exported.default, exported.agent]) if (isAgent(candidate)) return candidate;
  throw new UsageError(
    `${module} exports no agent`,
    'export a turn or what new AgentBuilder() made, as default or as agent',
  );
}

function isAgent(value: unknown): boolean {
  if (typeof value === 'function') return true;
  return typeof value === 'object' && value !== null && ('turn' in value || 'skills' in value);
}

function turnOf(made: Partial<AgentDefinition>): AnswerTurn | undefined {
  try {
    return made.turn;
  } catch {
    return undefined; // a builder without one: the card says what is missing
  }
}

function storeIn(data: string): SqliteTaskStore {
  mkdirSync(data, { recursive: true });
  return new SqliteTaskStore({ path: join(data, 'tasks.db') });
}

function madeUpSkill(id: string): AgentSkill {
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  return { id, name, description: `Skill: ${id}`, tags: [id] };
}
