import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ServedAgent } from '@agentkourier/agent';
import { authenticate } from './adapters/identity/authenticate.ts';
import { sealIn } from './adapters/identity/seal/seal-in.ts';
import { machineClock } from './adapters/machine/clock.ts';
import { errorWords } from './adapters/machine/crash.ts';
import type { Log } from './adapters/machine/log.ts';
import { type SpaceObserver, spaceObserver } from './adapters/machine/space-observer.ts';
import { DEMO_SPACE, demoSpaceConfiguration } from './adapters/registry/file/space/demo-space-configuration.ts';
import { spaceRegistry } from './adapters/registry/file/space/space-registry.ts';
import { postgresSpaceStore } from './adapters/space-store/postgres/postgres-space-store.ts';
import { sqliteSpaceStore } from './adapters/space-store/sqlite/sqlite-space-store.ts';
import { Tunnels } from './adapters/upstream/tunnel/tunnels.ts';
import type { ServeSpaceOptions } from './cli/space/serve-options.ts';
import { UsageError } from './cli/usage-error.ts';
import type { Principal } from './core/access/principal.ts';
import { publishedCard } from './core/directory/published-card.ts';
import type { RegisteredAgent } from './core/directory/registered-agent.ts';
import { startDemoAgent } from './demo/demo-agent.ts';
import { isLoopback } from './http/local-guard.ts';
import { spaceInterface } from './http/space/space-interface.ts';
import type { SpaceServices } from './http/space/space-services.ts';
import type { Clock } from './ports/clock.ts';
import type { Authenticate } from './ports/space/authenticate.ts';
import type { Seal } from './ports/space/seal.ts';
import type { SpaceConfiguration, SpacePolicy, SpaceRegistry } from './ports/space/space-configuration.ts';
import type { SpaceStore } from './ports/space/space-store.ts';
import { UpstreamFailed } from './ports/space/upstream.ts';
import { cardPlace, fetchCard } from './space/card-fetch.ts';
import { CardWatch } from './space/card-watch.ts';
import { Directory } from './space/directory.ts';
import { Finding } from './space/finding.ts';
import { Gateway } from './space/gateway/gateway.ts';
import { deliverEvents, owedEvents } from './space/outbox/deliver-events.ts';
import { Dispatcher } from './space/outbox/dispatcher.ts';
import { Permits } from './space/permits.ts';
import { type AgentPlace, Registration } from './space/registration.ts';
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
    const registry = await openRegistry(options, log, closing);
    const store = openStore(options, registry.current());
    await store.open();
    closing.push(() => store.close());
    const running = await openSpace({ options, registry, store, log, closing });
    print(`kourier: ready on ${running.url}`);
    await stopped;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function openRegistry({ config, secretsDir }: ServeSpaceOptions, log: Log, closing: (() => unknown)[]) {
  const warn = (problems: readonly string[]): void => log('error', { event: 'configuration-refused', problems });
  const place = config.length === 0 ? { paths: [], builtIn: [demoSpaceConfiguration()] } : { paths: config };
  const registry = await spaceRegistry({
    ...place,
    sets: [],
    warn,
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
function composeSpace({ options, registry, store, log }: SpaceToOpen, place: { url: string; demo?: ServedAgent }) {
  const clock = machineClock();
  const seal = sealIn(options.data);
  const observer = spaceObserver(log, () => store.counts());
  const publicUrl = (): string => registry.current().publicUrl ?? place.url;
  const configuration = (): SpaceConfiguration => withDemo(registry.current(), place.demo);
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
    ...{ store, clock, chance: Math.random, observe: observer.observe },
    deliver: deliverEvents({ policyOf, clock, upstream: (policy) => upstreams.toSinks(policy) }),
  });
  const cards = cardReader(upstreams, policyOf);
  const services: SpaceServices = {
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
    ...{ authenticate: authenticated, ledger: store, clock, newId, observe: observer.observe },
    async target(space, id) {
      const [policy, agent] = [policyOf(space), await directory.agent(space, id)];
      return policy === undefined || agent === undefined ? undefined : { policy, agent };
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
  const place: { url: string; demo?: ServedAgent } = { url: '' };
  if (options.config.length === 0) place.demo = await demoAgent(log, closing);
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
  dispatcher.start();
  await watch.start();
  closing.push(
    registry.watch(() => {
      void services.directory.reconsider();
      void watch.look();
    }),
  );
  notReady = [];
  return { url: listening.url };
}

/** Reads cards the way that their agents are reached. */
function cardReader(upstreams: SpaceUpstreams, policyOf: (space: string) => SpacePolicy | undefined) {
  return {
    async fetchCard(place: AgentPlace, signal: AbortSignal) {
      const policy = policyOf(place.space);
      if (policy === undefined || place.cardUrl === undefined) throw new Error('a card is read at a URL, for a Space');
      const cardUrl = cardPlace(place.cardUrl);
      const upstream = upstreams.of({ ...place, urls: [cardUrl] }, policy);
      const headers = upstreams.identity(place, 'probe', { method: 'GET', url: cardUrl, headers: {} });
      return { card: await fetchCard(cardUrl, upstream, headers, signal), cardUrl };
    },
    /** Any answer will do: an agent whose card was given may publish none. */
    async probe(agent: RegisteredAgent, policy: SpacePolicy, signal: AbortSignal) {
      const [endpoint] = agent.current?.endpoints ?? [];
      if (endpoint === undefined) return;
      const url = cardPlace(endpoint.url);
      const headers = upstreams.identity(agent, 'probe', { method: 'GET', url, headers: {} });
      const answer = await upstreams.of(reached(agent), policy).call({ method: 'GET', url, headers }, signal);
      answer.cancel();
      if (answer.status >= 500) {
        const text = 'the agent answers that it cannot: look at its log';
        throw new UpstreamFailed({ code: `A2A_PROBE_HTTP_${answer.status}`, text, sent: true, retryable: true });
      }
    },
  };
}

function reached(agent: RegisteredAgent) {
  const urls = [...(agent.current?.endpoints ?? []).map((endpoint) => endpoint.url), agent.cardUrl ?? ''];
  return { ...agent, urls: urls.filter((url) => url !== '') };
}

/** Who calls: by key or token, or in local mode whoever is on this machine. */
function callers(registry: SpaceRegistry, clock: Clock, observer: SpaceObserver): Authenticate {
  const { access: first } = registry.current();
  if (first === undefined) return async () => EVERYBODY;
  let access = first;
  const failed = (error: Error): void =>
    observer.observe({ event: 'issuer-unavailable', error: error.message.slice(0, 300) });
  return authenticate({
    // Who takes the last key away lets nobody in, and does not open the door.
    access: () => {
      access = registry.current().access ?? NOBODY;
      return access;
    },
    ...{ fetch: globalThis.fetch, clock, failed },
  });
}

const NOBODY = { apiKeys: [], issuers: [] } as const;

/** Of local mode: an operator of every Space, of whatever tenant. */
const EVERYBODY: Principal = { tenant: 'default', kind: 'user', id: 'local', grants: new Map([['*', 'operator']]) };

function requireLoopback(host: string, { access }: SpaceConfiguration): void {
  if (access !== undefined || isLoopback(host)) return;
  throw new UsageError(
    `--host ${host} is not loopback, and the configuration names no callers`,
    'write 127.0.0.1, or configure an ApiKey or an IdentityProvider',
  );
}

/** The card that is published of an agent, as text, and what tells it from another one. */
function published(
  { current }: RegisteredAgent,
  {
    base,
    configuration,
    seal,
  }: { readonly base: string; readonly configuration: SpaceConfiguration; readonly seal: Seal },
) {
  if (current === undefined) return undefined;
  const openIdConnect = (configuration.access?.issuers ?? []).map(({ name, issuer }) => ({
    name,
    openIdConnectUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
  }));
  const card = publishedCard(current, {
    ...{ base, pushNotifications: false, openIdConnect },
    isOpen: configuration.access === undefined,
  });
  if (card === undefined) return undefined;
  const body = JSON.stringify((configuration.signCards ? seal.signCard(card) : undefined) ?? card);
  return { body, etag: `"${current.versionId}"` };
}

/** The demo agent, on a port of its own, as an agent of the built-in Space. */
async function demoAgent(log: Log, closing: (() => unknown)[]) {
  const onError = (error: unknown): void => log('error', { event: 'turn-failed', ...errorWords(error) });
  const served = await startDemoAgent({ onError });
  closing.push(() => served.close());
  return served;
}

/** The configuration with the demo agent in its Space, where there is one. */
function withDemo(configuration: SpaceConfiguration, demo: { readonly url: string } | undefined): SpaceConfiguration {
  if (demo === undefined) return configuration;
  const agent = {
    space: DEMO_SPACE,
    id: 'demo',
    card: { kind: 'url', url: demo.url },
    reach: 'inside',
    disabled: false,
  } as const;
  return { ...configuration, agents: [...configuration.agents, agent] };
}
