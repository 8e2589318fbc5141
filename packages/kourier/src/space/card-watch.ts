import type { Health, RegisteredAgent } from '../core/directory/registered-agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConfiguredAgent, SpaceConfiguration, SpacePolicy } from '../ports/space/space-configuration.ts';
import { UpstreamFailed } from '../ports/space/upstream.ts';
import { cardPlace } from './card-fetch.ts';
import type { Directory } from './directory.ts';
import { SPACE_LIMITS } from './limits.ts';
import type { AgentPlace, Registered, Registration } from './registration.ts';

export interface CardWatchParts {
  readonly directory: Directory;
  readonly registration: Registration;
  configuration(): SpaceConfiguration;
  /** The card of a place, the way that it is reached. Rejects with an `UpstreamFailed`. */
  fetchCard(place: AgentPlace, signal: AbortSignal): Promise<{ readonly card: unknown; readonly cardUrl: string }>;
  /** Whether an agent whose card was given answers at all. Rejects with an `UpstreamFailed`. */
  probe(agent: RegisteredAgent, policy: SpacePolicy, signal: AbortSignal): Promise<void>;
  readonly clock: Clock;
  readonly observe: (event: WatchEvent) => void;
}

/** One line of the log. */
export interface WatchEvent {
  readonly event:
    | 'agent-registered'
    | 'agent-revised'
    | 'agent-waits'
    | 'agent-refused'
    | 'agent-removed'
    | 'health-changed'
    | 'watch-failed';
  readonly space: string;
  readonly agent: string;
  /** Of a refusal or a failure: a stable code. Of health: its state. */
  readonly code?: string;
}

const NEWS: Readonly<Partial<Record<Registered['kind'], WatchEvent['event']>>> = {
  refused: 'agent-refused',
  new: 'agent-registered',
  revised: 'agent-revised',
  pending: 'agent-waits',
};

/**
 * Looks after the cards and the health of all agents (rule C8): brings in what the configuration names, reads each card
 * again, takes what has changed in as a revision, and says who does not answer.
 */
export class CardWatch {
  readonly #parts: CardWatchParts;
  readonly #failures = new Map<string, number>();
  /** What the log has of each agent since its last look. */
  readonly #told = new Map<string, string | undefined>();
  readonly #stopped = new AbortController();
  #callOff: () => void = () => undefined;
  #round: Promise<void> | undefined;
  /** Of single agents, under way. */
  readonly #looks = new Set<Promise<void>>();

  constructor(parts: CardWatchParts) {
    this.#parts = parts;
  }

  /**
   * Brings in the configured agents and looks at all others, then again and again. Resolves after a round that began after
   * the call: the configuration may have changed. Never rejects.
   */
  async look(): Promise<void> {
    await this.#round;
    if (this.#stopped.signal.aborted) return;
    this.#round ??= this.#look().finally(() => {
      this.#round = undefined;
    });
    await this.#round;
  }

  /** Calls off the looks under way. */
  async stop(): Promise<void> {
    this.#stopped.abort(new Error('the Space is stopping'));
    this.#callOff();
    await Promise.all([this.#round, ...this.#looks]);
  }

  /** Looks at one agent now: it has come within reach. Never rejects. */
  lookAt(space: string, id: string): Promise<void> {
    const looking = this.#guarded({ space, id }, () => this.#lookAtOne(space, id)).finally(() =>
      this.#looks.delete(looking),
    );
    this.#looks.add(looking);
    return looking;
  }

  async #lookAtOne(space: string, id: string): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    const configured = this.#parts.configuration().agents.find((agent) => agent.space === space && agent.id === id);
    if (configured !== undefined) return this.#configured(configured);
    const agent = await this.#parts.directory.agent(space, id);
    if (agent !== undefined) await this.#lookAt(agent, agent);
  }

  async #look(): Promise<void> {
    this.#callOff();
    const { clock, configuration } = this.#parts;
    const began = clock.now();
    // A store that fails now may be there for the next round.
    await this.#guarded({ space: '', id: '' }, () => this.#lookAtAll());
    if (this.#stopped.signal.aborted) return;
    this.#callOff = clock.wakeAt(began + configuration().health.everyMs, () => void this.look());
  }

  async #lookAtAll(): Promise<void> {
    const { agents, spaces } = this.#parts.configuration();
    const configured = new Map(agents.map((agent) => [keyOf(agent), agent]));
    const looks = agents.map((agent) => () => this.#guarded(agent, () => this.#configured(agent)));
    for (const space of spaces.keys()) {
      for (const agent of await this.#parts.directory.agentsOf(space)) {
        if (configured.has(keyOf(agent))) continue;
        const look = agent.origin === 'configuration' ? () => this.#remove(agent) : () => this.#lookAt(agent, agent);
        looks.push(() => this.#guarded(agent, look));
      }
    }
    // Shared by all: each takes the next.
    const rest = looks.values();
    const workers = Array.from({ length: SPACE_LIMITS.watchedAtOnce }, async () => {
      for (const look of rest) {
        if (this.#stopped.signal.aborted) return;
        await look();
      }
    });
    await Promise.all(workers);
  }

  async #remove({ space, id }: RegisteredAgent): Promise<void> {
    await this.#parts.registration.remove(space, id);
    this.#failures.delete(keyOf({ space, id }));
    this.#parts.observe({ event: 'agent-removed', space, agent: id });
  }

  async #configured(asked: ConfiguredAgent): Promise<void> {
    const { directory, registration } = this.#parts;
    const { space, id, card, reach, dialer, credential, url, disabled } = asked;
    const place: AgentPlace = {
      ...{ space, id, reach, dialer, credential, url, disabled, origin: 'configuration' },
      ...(card.kind === 'url' ? { cardUrl: cardPlace(card.url) } : {}),
    };
    await registration.stand(place);
    if (card.kind === 'url') return this.#lookAt(await directory.agent(space, id), place);
    // Whoever writes the card itself into the configuration approves it by that.
    const refused = await this.#register(place, card.card, { by: 'configuration', mayApprove: true });
    const now = await directory.agent(space, id);
    if (now?.current !== undefined) await this.#lookAt(now, place);
    else if (refused !== undefined && now?.health.why !== refused) await registration.expect(place, refused);
  }

  /** Reads the card again, or asks for any answer where it was given; what comes of it is health, and maybe a revision. */
  async #lookAt(agent: RegisteredAgent | undefined, place: AgentPlace): Promise<void> {
    const { configuration, clock } = this.#parts;
    const { spaces, health } = configuration();
    const policy = spaces.get(place.space);
    if (policy === undefined || (place.reach === 'public' && !policy.egress.public && agent !== undefined)) return;
    const late = new AbortController();
    const callOff = clock.wakeAt(clock.now() + health.timeoutMs, () => late.abort());
    const signal = AbortSignal.any([late.signal, this.#stopped.signal]);
    let why: string | undefined;
    try {
      if (place.cardUrl === undefined) await this.#probe(agent, policy, signal);
      else why = await this.#read(agent, place, signal);
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      if (!(error instanceof UpstreamFailed) && !late.signal.aborted) throw error;
      why = error instanceof UpstreamFailed ? error.code : 'A2A_HEALTH_TIMEOUT';
    } finally {
      callOff();
    }
    // Another process may have the tunnel, and knows how the agent is.
    if (why !== NOT_CONNECTED || agent === undefined) await this.#healthOf(agent, place, why);
  }

  async #probe(agent: RegisteredAgent | undefined, policy: SpacePolicy, signal: AbortSignal): Promise<void> {
    if (agent !== undefined) await this.#parts.probe(agent, policy, signal);
  }

  /** Why the card is not taken. */
  async #read(agent: RegisteredAgent | undefined, place: AgentPlace, signal: AbortSignal): Promise<string | undefined> {
    const { card, cardUrl } = await this.#parts.fetchCard(place, signal);
    // A place that the configuration has just given to an agent is approved by that; a card that changes by itself is not.
    const isNew =
      agent === undefined || agent.cardUrl !== cardUrl || agent.url !== place.url || agent.reach !== place.reach;
    return this.#register({ ...place, cardUrl }, card, {
      by: 'watch',
      mayApprove: isNew && place.origin === 'configuration',
    });
  }

  async #register(
    place: AgentPlace,
    card: unknown,
    { by, mayApprove }: { by: string; mayApprove: boolean },
  ): Promise<string | undefined> {
    const { registration, configuration } = this.#parts;
    const policy = configuration().spaces.get(place.space);
    if (policy === undefined) return undefined;
    const registered = await registration.register({ place, policy, card, by, mayApprove });
    this.#tell(place, registered);
    return registered.kind === 'refused' ? registered.code : undefined;
  }

  /** A line of the log, when it is another one than at the look before: a card that waits does so for days. */
  #tell(place: AgentPlace, registered: Registered): void {
    const about = { space: place.space, agent: place.id };
    const key = keyOf(place);
    const event = NEWS[registered.kind];
    const told = registered.kind === 'refused' ? registered.code : (registered.agent.pending?.versionId ?? '');
    const line = event === undefined ? undefined : `${event} ${told}`;
    if (event !== undefined && this.#told.get(key) !== line) {
      const code = registered.kind === 'refused' ? { code: registered.code } : {};
      this.#parts.observe({ event, ...about, ...code });
    }
    this.#told.set(key, line);
  }

  /** `why`: the code of what went wrong. Written only where it says something new: most looks do not. */
  async #healthOf(agent: RegisteredAgent | undefined, place: AgentPlace, why: string | undefined): Promise<void> {
    const { registration, configuration, clock, directory, observe } = this.#parts;
    const key = keyOf(place);
    const failures = why === undefined ? 0 : (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const now = await directory.agent(place.space, place.id);
    if (now === undefined) {
      if (why === undefined || agent !== undefined || place.origin !== 'configuration') return;
      await registration.expect(place, why);
      observe({ event: 'health-changed', space: place.space, agent: place.id, code: why });
      return;
    }
    const state =
      why === undefined ? 'healthy' : failures >= configuration().health.failures ? 'unhealthy' : now.health.state;
    if (state === now.health.state && (state !== 'unhealthy' || why === now.health.why)) return;
    const health: Health = { state, failures, checkedAt: clock.now(), ...(why === undefined ? {} : { why }) };
    await registration.health(place.space, place.id, health);
    observe({ event: 'health-changed', space: place.space, agent: place.id, code: why ?? state });
  }

  /** One agent that fails in a way that nobody foresaw does not keep the others from being looked at. */
  async #guarded(
    { space, id }: { readonly space: string; readonly id: string },
    work: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown';
      this.#parts.observe({ event: 'watch-failed', space, agent: id, code });
    }
  }
}

/** Of an agent that has not dialled out to this process. */
const NOT_CONNECTED = 'A2A_TUNNEL_NOT_CONNECTED';

const keyOf = ({ space, id }: { readonly space: string; readonly id: string }): string => JSON.stringify([space, id]);
