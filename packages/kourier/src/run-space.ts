import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { sealIn } from './adapters/identity/seal/seal-in.ts';
import { machineClock } from './adapters/machine/clock.ts';
import { errorWords } from './adapters/machine/crash.ts';
import type { Log } from './adapters/machine/log.ts';
import { spaceObserver } from './adapters/machine/space-observer.ts';
import { DEMO_SPACE, demoSpaceConfiguration } from './adapters/registry/file/space/demo-space-configuration.ts';
import { spaceRegistry } from './adapters/registry/file/space/space-registry.ts';
import { postgresSpaceStore } from './adapters/space-store/postgres/postgres-space-store.ts';
import { sqliteSpaceStore } from './adapters/space-store/sqlite/sqlite-space-store.ts';
import { Tunnels } from './adapters/upstream/tunnel/tunnels.ts';
import type { ServeSpaceOptions } from './cli/space/serve-options.ts';
import { startDemoAgent } from './demo/demo-agent.ts';
import type { InterfaceParts } from './http/space/interface-parts.ts';
import { spaceInterface } from './http/space/space-interface.ts';
import type { Authenticate } from './ports/space/authenticate.ts';
import type { SpaceConfiguration, SpacePolicy, SpaceRegistry } from './ports/space/space-configuration.ts';
import type { SpaceStore } from './ports/space/space-store.ts';
import { awaitedAgents } from './space/awaited-agents.ts';
import { CardWatch } from './space/card-watch.ts';
import { Directory } from './space/directory.ts';
import { Finding } from './space/finding.ts';
import { CallsUnderWay } from './space/gateway/calls-under-way.ts';
import { Gateway } from './space/gateway/gateway.ts';
import { deliverEvents, namesSinks, owedEvents } from './space/outbox/deliver-events.ts';
import { Dispatcher } from './space/outbox/dispatcher.ts';
import { Permits } from './space/permits.ts';
import { Registration } from './space/registration.ts';
import { callers, requireLoopback, withoutTenants } from './space-callers.ts';
import { cardReader, published, reached } from './space-cards.ts';
import { SpaceUpstreams } from './space-upstreams.ts';

export interface SpaceSurroundings {
  readonly log: Log;
  readonly print: (line: string) => void;
  /** Resolves when the process is told to stop. */
  readonly stopped: Promise<unknown>;
}

/** `kourier space serve`, from the first file to the last signal. Rejects as the configuration and the store do. */
export async function runSpace(options: ServeSpaceOptions, { log, print, stopped }: SpaceSurroundings): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const files = await openRegistry(options, log, closing);
    const store = openStore(options, files.current());
    await store.open();
    closing.push(() => store.close());
    const demo = options.config.length === 0 ? await demoAgent(log, closing) : undefined;
    const running = await openSpace({ options, registry: servedRegistry(files, demo), store, log, closing });
    print(`kourier: ready on ${running.url}`);
    await stopped;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function openRegistry({ config, sets, secretsDir }: ServeSpaceOptions, log: Log, closing: (() => unknown)[]) {
  const warn = (problems: readonly string[]): void => log('error', { event: 'configuration-refused', problems });
  const place = config.length === 0 ? { paths: [], builtIn: [demoSpaceConfiguration()] } : { paths: config };
  const registry = await spaceRegistry({
    ...{ ...place, sets, warn },
    ...(secretsDir === undefined ? {} : { secretsDir }),
  });
  closing.push(() => registry.close());
  return registry;
}

function openStore({ data }: ServeSpaceOptions, { store }: SpaceConfiguration): SpaceStore {
  if (store.kind === 'postgres') return postgresSpaceStore({ url: store.url });
  return sqliteSpaceStore({ path: store.path ?? join(data, 'space.db') });
}

interface SpaceToOpen {
  readonly options: ServeSpaceOptions;
  readonly registry: SpaceRegistry;
  readonly store: SpaceStore;
  readonly log: Log;
  readonly closing: (() => unknown)[];
}

/** The parts of a Space that decide, over those that keep and reach. */
function composeSpace({ options, registry, store, log }: SpaceToOpen, place: { readonly url: string }) {
  const clock = machineClock();
  const seal = sealIn(options.data);
  const observer = spaceObserver(log, () => store.counts());
  const publicUrl = (): string => registry.current().publicUrl ?? place.url;
  const configuration = (): SpaceConfiguration => registry.current();
  const policyOf = (space: string): SpacePolicy | undefined => configuration().spaces.get(space);
  const tunnels: Tunnels = new Tunnels({
    clock,
    changed: ({ space, agent }, isConnected) => {
      finding.reconsider(space, agent);
      // Its card may have waited for this.
      if (isConnected) void watch.lookAt(space, agent);
    },
  });
  const finding = new Finding({
    policyOf,
    dialers: () => new Set(configuration().dialers.keys()),
    isConnected: (space, agent) => tunnels.isConnected(space, agent),
  });
  const directory = new Directory(store, [finding]);
  const registration = new Registration({ store, clock });
  const upstreams = new SpaceUpstreams({ tunnels, seal, clock, configuration, publicUrl });
  const newId = (): string => randomUUID();
  const dispatcher = new Dispatcher({
    ...{ store, clock, chance: Math.random, observe: observer.observe, names: namesSinks(policyOf) },
    deliver: deliverEvents({ policyOf, clock, upstream: (policy) => upstreams.toSinks(policy) }),
  });
  const cards = cardReader(upstreams, policyOf);
  const services: InterfaceParts = {
    ...{ registry, store, directory, finding, registration, clock, newId },
    permits: new Permits({
      ...{ seal, ledger: store, clock, newId, gateway: publicUrl },
      validMs: () => configuration().permitValidMs,
    }),
    baseOf: (space, agent) => `${publicUrl()}/spaces/${encodeURIComponent(space)}/agents/${encodeURIComponent(agent)}`,
    fetchCard: (asked) => cards.fetchCard(asked, AbortSignal.timeout(configuration().health.timeoutMs)),
    wakeOutbox: () => dispatcher.wake(),
  };
  const watch: CardWatch = new CardWatch({
    directory,
    registration,
    configuration,
    clock,
    observe: observer.observe,
    ...cards,
  });
  return { services, seal, observer, configuration, policyOf, tunnels, upstreams, dispatcher, watch };
}

type Composed = ReturnType<typeof composeSpace>;

function gatewayOf(
  { services, seal, observer, configuration, policyOf, upstreams, dispatcher }: Composed,
  authenticated: Authenticate,
): Gateway {
  const { store, directory, finding, permits, baseOf, clock, newId } = services;
  return new Gateway({
    ...{ authenticate: authenticated, ledger: store, clock, newId, observe: observer.observe, baseOf },
    calls: new CallsUnderWay(),
    async target(space, id) {
      const [policy, agent] = [policyOf(space), await directory.agent(space, id)];
      if (policy === undefined || agent !== undefined) return policy && agent && { policy, agent };
      const awaited = await awaitedAgents(space, { directory, configuration: configuration() });
      return awaited.includes(id) ? { policy, agent: 'awaited' } : undefined;
    },
    blockedReason: ({ agent }) => finding.blockedReason(agent),
    upstream: ({ agent, policy }) => upstreams.of(reached(agent), policy),
    identity: ({ agent }, caller, request) => upstreams.identity(agent, caller, request),
    publishedCard: ({ agent }) =>
      published(agent, { base: baseOf(agent.space, agent.id), configuration: configuration(), seal }),
    admitPermit: (permit, call) => permits.admit(permit, call),
    owedOf: (task) => owedEvents(task, policyOf(task.space)),
    owes: () => dispatcher.wake(),
  });
}

/** Listens, brings the agents in, and is ready. What it opened is closed by `closing`, the last first. */
async function openSpace(opening: SpaceToOpen): Promise<{ readonly url: string }> {
  const { options, registry, log, closing } = opening;
  requireLoopback(options.host, registry.current());
  const place = { url: '' };
  const parts = composeSpace(opening, place);
  const { services, observer, upstreams, tunnels, dispatcher, watch } = parts;
  const authenticated = callers(registry, services.clock, observer);
  let notReady = ['starting'];
  closing.push(() => upstreams.close());
  const http = spaceInterface({
    ...{ services, gateway: gatewayOf(parts, authenticated), authenticate: authenticated, seal: parts.seal },
    ...{ clock: services.clock, metrics: observer.metrics, ready: () => notReady },
    acceptTunnel: (end, request, socket, head) => tunnels.accept(request, socket, head, end),
    log: (line) => log('error', { ...line }),
    local: () => registry.current().access === undefined,
  });
  const listening = await http.listen(options);
  place.url = listening.url;
  closing.push(() => dispatcher.stop());
  closing.push(() => watch.stop());
  closing.push(() => tunnels.close());
  closing.push(() => listening.close());
  dispatcher.wake();
  // Before the first look, which may take long: what changes meanwhile is looked at after it.
  closing.push(
    registry.watch(() => {
      services.directory.reconsider();
      void watch.look();
    }),
  );
  await watch.look();
  notReady = [];
  return { url: listening.url };
}

/** The demo agent, on a port of its own, as an agent of the built-in Space. */
async function demoAgent(log: Log, closing: (() => unknown)[]) {
  const onError = (error: unknown): void => log('error', { event: 'turn-failed', ...errorWords(error) });
  const served = await startDemoAgent({ onError });
  closing.push(() => served.close());
  return served;
}

/**
 * The configuration as it is served: with the demo agent in its Space, where there is one; and in local mode, which tells
 * nobody apart, without tenants.
 */
function servedRegistry(files: SpaceRegistry, demo: { readonly url: string } | undefined): SpaceRegistry {
  const served = new WeakMap<SpaceConfiguration, SpaceConfiguration>();
  const serve = (configuration: SpaceConfiguration): SpaceConfiguration => {
    const known = served.get(configuration) ?? withoutTenants(withDemo(configuration, demo));
    served.set(configuration, known);
    return known;
  };
  return {
    current: () => serve(files.current()),
    watch: (changed) => files.watch((configuration) => changed(serve(configuration))),
    problems: () => files.problems(),
  };
}

function withDemo(configuration: SpaceConfiguration, demo: { readonly url: string } | undefined): SpaceConfiguration {
  if (demo === undefined) return configuration;
  const card = { kind: 'url', url: demo.url } as const;
  const agent = { space: DEMO_SPACE, id: 'demo', card, reach: 'inside', disabled: false } as const;
  return { ...configuration, agents: [...configuration.agents, agent] };
}
