import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { SqliteStoreError } from '@agentkourier/agent';
import { a2aAgents } from './adapters/agent/a2a-agents.ts';
import { webText } from './adapters/agent/web-text.ts';
import { slackManifest } from './adapters/chat/slack/app/manifest.ts';
import { diagnoseSlack } from './adapters/chat/slack/doctor/diagnose-slack.ts';
import { webChat } from './adapters/chat/web/web-chat.ts';
import { API_KEY_BYTES, apiKeySha256, apiKeyText } from './adapters/identity/api-key/api-key.ts';
import { machineClock } from './adapters/machine/clock.ts';
import { crashOnUncaught, errorWords } from './adapters/machine/crash.ts';
import { bearGoneReaders } from './adapters/machine/gone-readers.ts';
import { machineIds } from './adapters/machine/ids.ts';
import { type Log, machineLog } from './adapters/machine/log.ts';
import { machineObserver } from './adapters/machine/observer.ts';
import { readText } from './adapters/machine/read-text.ts';
import { stopSignal } from './adapters/machine/stop-signal.ts';
import { courierRegistry } from './adapters/registry/file/courier-registry.ts';
import { demoConfiguration } from './adapters/registry/file/demo-configuration.ts';
import { ConfigurationRefused } from './adapters/registry/file/file-registry.ts';
import { readConfiguration } from './adapters/registry/file/read-configuration.ts';
import { yamlText } from './adapters/registry/file/yaml-text.ts';
import { StoreError } from './adapters/sqlite/store-error.ts';
import { sqliteStore } from './adapters/store/sqlite/sqlite-store.ts';
import { type ModuleSurroundings, moduleCard, serveModule } from './agent-module.ts';
import type { ServeModuleOptions } from './cli/a2a/module-options.ts';
import type { SpaceOptions } from './cli/a2a/space-options.ts';
import { cli, EXIT_DONE, EXIT_FAILED, EXIT_USAGE } from './cli/cli.ts';
import { configurationFinding, problemFinding } from './cli/doctor/configuration-finding.ts';
import { diagnoseAgents } from './cli/doctor/diagnose-agents.ts';
import type { DoctorOptions } from './cli/doctor/doctor.ts';
import type { ManifestOptions } from './cli/slack-manifest.ts';
import { apiKeyDocument, type KeyOptions } from './cli/space/key.ts';
import type { ServeSpaceOptions } from './cli/space/serve-options.ts';
import type { UpOptions } from './cli/up.ts';
import { UsageError } from './cli/usage-error.ts';
import { connectSpace } from './connect-space.ts';
import { Courier } from './courier/courier.ts';
import { startDemoAgent } from './demo/demo-agent.ts';
import { httpInterface } from './http/http-interface.ts';
import type { Chat } from './ports/chat.ts';
import type { Clock } from './ports/clock.ts';
import type { Finding } from './ports/finding.ts';
import type { Observe } from './ports/observer.ts';
import type { Registry } from './ports/registry.ts';
import type { Store } from './ports/store.ts';
import { runSpace } from './run-space.ts';
import { type SlackChat, slackChat } from './slack-chat.ts';
import { spaceCommand } from './space-commands.ts';

/** From a signal to the end, whatever happens. */
const STOP_WITHIN_MS = 9_000;

/** How often it is looked whether the platforms are up. */
const LOOK_EVERY_MS = 100;

const MANIFEST = new URL('../package.json', import.meta.url);
const PAGES = new URL('../../console/dist/', import.meta.url);

/** `kourier ARGS`; ends the process with what `cli` gives as its exit code. */
export async function main(args: readonly string[]): Promise<void> {
  bearGoneReaders();
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
  // Not process.exit: what was printed to a pipe is still on its way, and what holds the process open is closed by then.
  const print = (text: string): void => void process.stdout.write(text);
  process.exitCode = await cli(args, {
    ...{ version, up, diagnose, moduleCard, serveModule: serve, slackManifest: manifestText },
    connectSpace: (options) => connectSpace(options, { complain, stopWithinMs: STOP_WITHIN_MS }),
    serveSpace,
    ...{ readText, webText, print, complain, space, spaceKey, environment: process.env },
  });
}

/** A Space, from the first file to the last signal. */
async function serveSpace(options: ServeSpaceOptions): Promise<number> {
  const log = machineLog({ level: options.logLevel });
  crashOnUncaught(log);
  const stopped = stopSignal(log, { graceMs: STOP_WITHIN_MS });
  try {
    await runSpace(options, { log, print: (line) => void process.stdout.write(`${line}\n`), stopped });
    return EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return failed(error, options, log);
  }
}

/** What a Space is asked, until it is answered or this is told to stop. Progress is for those who look on. */
async function space(options: SpaceOptions): Promise<number> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(new Error(signal)));
  const print = (text: string): void => void process.stdout.write(text);
  const progress = process.stderr.isTTY ? complain : undefined;
  return spaceCommand(options, { print, complain, progress, signal: stopping.signal });
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

function manifestText({ format, ...choice }: ManifestOptions): string {
  const manifest = slackManifest(choice);
  return format === 'yaml' ? yamlText(manifest) : `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** The document begins as one of several do, so that it can be put behind others. */
function spaceKey(options: KeyOptions): { readonly key: string; readonly document: string } {
  const key = apiKeyText(options.name, randomBytes(API_KEY_BYTES));
  const document = apiKeyDocument(options, apiKeySha256(key));
  return { key, document: `---\n${yamlText(document)}` };
}

/** What `kourier doctor` finds: the configuration, then each binding's agent, then each platform. */
async function diagnose({ config, sets, secretsDir }: DoctorOptions): Promise<readonly Finding[]> {
  const place = { paths: config, sets, ...(secretsDir === undefined ? {} : { secretsDir }) };
  const { configuration, problems } = await readConfiguration(place);
  if (configuration === undefined) return problems.map(problemFinding);
  const registry: Registry = { current: () => configuration, watch: () => () => undefined, problems: () => [] };
  const hex = (bytes: number): string => randomBytes(bytes).toString('hex');
  const agents = a2aAgents({ registry, spanId: () => hex(8) });
  try {
    const bindings = [...configuration.bindings.values()];
    const found = await Promise.all([
      diagnoseAgents(agents, configuration, () => hex(16)),
      ...[...configuration.platforms.values()].map((platform) =>
        diagnoseSlack(
          platform,
          bindings.filter(({ chat }) => chat.platform === platform.name),
        ),
      ),
    ]);
    return [configurationFinding(configuration), ...found.flat()];
  } finally {
    await agents.close();
  }
}

/** An agent module, from its first line to the last signal. */
async function serve(options: ServeModuleOptions): Promise<number> {
  const log = machineLog({ level: 'info' });
  crashOnUncaught(log);
  const stopped = stopSignal(log, { graceMs: STOP_WITHIN_MS });
  // The log is that of whoever wrote the agent, and who called it reads nothing of this.
  const onError: ModuleSurroundings['onError'] = (error, { taskId: task, contextId: context }) =>
    log('error', { event: 'turn-failed', task, context, ...errorWords(error), error: inspect(error) });
  try {
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    await serveModule(options, { print, complain, readText, onError, stopped });
    return EXIT_DONE;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return failed(error, options, log);
  }
}

/** The courier, from the first file to the last signal. */
async function up(options: UpOptions): Promise<number> {
  const log = machineLog({ level: options.logLevel });
  crashOnUncaught(log);
  const stopped = stopSignal(log, { graceMs: STOP_WITHIN_MS });
  const { observe, metrics } = machineObserver({ log });
  const closing: (() => unknown)[] = [];
  try {
    const registry = await configuration(options, { log, observe, closing });
    const store = await openStore(options.data, registry, closing);
    const [clock, ids, web] = [machineClock(), machineIds(), webChat()];
    const agents = a2aAgents({ registry, spanId: () => randomBytes(8).toString('hex') });
    closing.push(() => agents.close());
    const slacks = [...registry.current().platforms.values()].map((platform) =>
      slackChat({ platform, registry, store, courier: () => courier, clock, ids, observe, log }),
    );
    const chats = new Map<string, Chat>([web, ...slacks.map((slack) => shownTwice(slack, web))].map(byPlatform));
    const courier: Courier = new Courier({ store, agents, registry, chats, clock, ids, observe });
    let notReady = ['starting'];
    const stop = async (): Promise<void> => {
      await Promise.all(slacks.map((slack) => slack.stop()));
      await courier.drain();
    };
    closing.push(stop);
    await courier.start();
    for (const slack of slacks) slack.start();
    const http = httpInterface({
      ...{ courier, store, agents, registry, feed: web, clock, metrics, local: true },
      ready: () => [...notReady, ...slacks.flatMap((slack) => slack.notReady())],
      webhooks: slacks.flatMap(({ webhooks }) => webhooks),
      log: (line) => log('error', { ...line }),
      pages: fileURLToPath(PAGES),
    });
    const listening = await http.listen(options);
    closing.push(() => listening.close());
    notReady = [];
    await Promise.race([stopped, heard(slacks, clock)]);
    announce(listening.url, options);
    log('info', { event: 'stopping', signal: await stopped });
    notReady = ['stopping'];
    // Before the port is closed, so that callers are told rather than cut off.
    await stop();
    return EXIT_DONE;
  } catch (error) {
    return failed(error, options, log);
  } finally {
    await closeAll(closing, log);
  }
}

interface Surroundings {
  readonly log: Log;
  readonly observe: Observe;
  /** What is to be closed, last first. */
  readonly closing: (() => unknown)[];
}

/** The files that were named, or the demo. */
async function configuration(options: UpOptions, { log, observe, closing }: Surroundings): Promise<Registry> {
  const builtIn = [];
  if (options.config.length === 0) {
    const agent = await startDemoAgent({
      onError: (error) => log('error', { event: 'demo-failed', ...errorWords(error) }),
    });
    closing.push(() => agent.close());
    builtIn.push(demoConfiguration(agent.url));
  }
  const registry = await courierRegistry({
    ...{ paths: options.config, sets: options.sets, builtIn },
    ...(options.secretsDir === undefined ? {} : { secretsDir: options.secretsDir }),
    warn: (problems) => observe({ event: 'configuration-refused', problems }),
  });
  closing.push(() => registry.close());
  registry.watch(() => observe({ event: 'configuration-changed' }));
  return registry;
}

async function openStore(data: string, registry: Registry, closing: (() => unknown)[]): Promise<Store> {
  const { store: choice } = registry.current();
  complain(`kourier: data in ${data}`);
  const store = await sqliteStore({ path: resolve(data, (choice.kind === 'sqlite' && choice.path) || 'kourier.db') });
  closing.push(() => store.close());
  return store;
}

const byPlatform = (chat: Chat): [string, Chat] => [chat.platform, chat];

/** Whoever reads a thread of a platform over HTTP sees its text as it grows, too. */
function shownTwice({ platform, displayName, show }: Chat, web: Chat): Chat {
  return {
    platform,
    displayName,
    show(update) {
      web.show(update);
      show(update);
    },
  };
}

/** Resolves when all platforms hear what is said on them. */
async function heard(slacks: readonly SlackChat[], clock: Clock): Promise<void> {
  while (slacks.some((slack) => slack.notReady().length > 0)) {
    await new Promise<void>((woken) => clock.wakeAt(clock.now() + LOOK_EVERY_MS, woken));
  }
}

function announce(url: string, { config }: UpOptions): void {
  process.stdout.write(`kourier: ready on ${url}\n`);
  if (config.length === 0 && process.stdout.isTTY)
    complain(
      `\n  Open ${url}/ and write to the demo agent: it needs no model and no account.\n  Ctrl-C stops it; what you wrote is there again at the next start.\n`,
    );
}

async function closeAll(closing: readonly (() => unknown)[], log: Log): Promise<void> {
  for (const close of closing.toReversed()) {
    try {
      await close();
    } catch (error) {
      log('error', { event: 'close-failed', ...errorWords(error) });
    }
  }
}

/** What a person can do something about is one line each. Anything else is a fault of ours: its place is logged. */
function failed(error: unknown, { port }: Pick<UpOptions, 'port'>, log: Log): number {
  if (error instanceof ConfigurationRefused) {
    for (const problem of error.problems) complain(`kourier: ${problem}`);
    return EXIT_USAGE;
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (error instanceof StoreError || error instanceof SqliteStoreError) complain(`kourier: ${error.message}`);
  else if (code === 'EADDRINUSE')
    complain(`kourier: port ${port} is in use; write another, or --port 0 for a free one`);
  else if (code === 'EACCES') complain(`kourier: port ${port} is not for this user; write one from 1024 on`);
  else log('error', { event: 'crashed', ...errorWords(error) });
  return EXIT_FAILED;
}
