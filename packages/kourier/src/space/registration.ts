import { isDeepStrictEqual } from 'node:util';
import { cardChanges } from '../core/directory/card-changes.ts';
import { needsApproval } from '../core/directory/needs-approval.ts';
import type { Health, RegisteredAgent, Revision } from '../core/directory/registered-agent.ts';
import type { Clock } from '../ports/clock.ts';
import type { AgentToSave, Decided, DirectoryStore } from '../ports/space/directory-store.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import { type CardFault, type CardRefusal, type Reached, type ReadRevision, readRevision } from './card-reading.ts';
import { SPACE_LIMITS } from './limits.ts';

/** How an agent is to stand in its Space, beside its card. */
export interface AgentPlace extends Reached {
  readonly space: string;
  readonly id: string;
  readonly dialer?: string | undefined;
  readonly credential?: string | undefined;
  readonly origin: 'configuration' | 'http';
  readonly disabled: boolean;
}

export interface CardToRegister {
  readonly place: AgentPlace;
  readonly policy: SpacePolicy;
  readonly card: unknown;
  /** A principal's key, `configuration` or `watch`. */
  readonly by: string;
  /** Whether whoever brings it may approve what it changes. */
  readonly mayApprove: boolean;
}

export type Registered =
  | {
      /** `pending`: the card waits for an approval; what was current still is. */
      readonly kind: 'new' | 'unchanged' | 'revised' | 'pending';
      readonly agent: RegisteredAgent;
      readonly findings: readonly CardFault[];
    }
  | { readonly kind: 'refused'; readonly code: CardRefusal; readonly faults: readonly CardFault[] };

const DAY_MS = 86_400_000;

/** Others may write the same agent at the same time; after so many the store is at fault. */
const ATTEMPTS = 8;

export interface RegistrationParts {
  readonly store: Pick<DirectoryStore, 'agent' | 'saveAgent' | 'removeAgent' | 'revisions'>;
  readonly clock: Clock;
}

/** Takes cards into the directory: a changed card is a new revision, and what would lead calls elsewhere waits (rule C8). */
export class Registration {
  readonly #parts: RegistrationParts;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  async register(asked: CardToRegister): Promise<Registered> {
    const reading = readRevision(asked.card, asked.place, asked.policy);
    if (reading.kind === 'refused') return reading;
    const { revision: read } = reading;
    const { space, id } = asked.place;
    const done = await this.#write(space, id, async (before) => {
      const { agent, left, kind } = await this.#revised(before, asked, read);
      return { agent, left, result: kind };
    });
    return { kind: done.result, agent: done.agent, findings: read.findings };
  }

  /** An agent whose card cannot be had yet: it is listed as blocked, and the watch goes on asking for its card. */
  async expect(place: AgentPlace, why: string): Promise<RegisteredAgent> {
    const done = await this.#write(place.space, place.id, async (before) => ({
      agent: {
        ...placed(place, before),
        health: { state: 'unhealthy', failures: 1, checkedAt: this.#parts.clock.now(), why },
      },
      result: undefined,
    }));
    return done.agent;
  }

  /** Writes how an agent was found to be, when it is still there. */
  async health(space: string, id: string, health: Health): Promise<void> {
    await this.#write(space, id, async (before) => ({
      agent: before === undefined ? undefined : { ...withoutSequence(before), health },
      result: undefined,
    }));
  }

  /** Approves or refuses the revision that waits. `undefined`: it is not that one that waits. */
  async decide(
    { space, id, number }: { readonly space: string; readonly id: string; readonly number: number },
    { approved, by }: { readonly approved: boolean; readonly by: string },
  ): Promise<RegisteredAgent | undefined> {
    const decision = { decidedBy: by, decidedAt: this.#parts.clock.now() };
    const done = await this.#write(space, id, async (before) => {
      const pending = before?.pending;
      if (before === undefined || pending?.number !== number) return { agent: undefined, result: undefined };
      const { pending: _waited, current, ...rest } = withoutSequence(before);
      if (approved) return { agent: { ...rest, current: { ...pending, ...decision, state: 'current' } }, result: true };
      const refused: Decided = { number, state: 'refused', ...decision };
      return { agent: { ...rest, ...(current === undefined ? {} : { current }) }, left: [refused], result: true };
    });
    return done.result === undefined ? undefined : done.agent;
  }

  /** Whether there was one. */
  async remove(space: string, id: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await this.#parts.store.agent(space, id);
      if (before === undefined) return false;
      if ((await this.#parts.store.removeAgent(before)) === 'removed') return true;
    }
    throw new Error('the agent is changed all the time by others');
  }

  /** The agent as it stands with the card, and what became of the revisions before. */
  async #revised(before: RegisteredAgent | undefined, asked: CardToRegister, read: ReadRevision) {
    const agent = placed(asked.place, before);
    const { current, pending } = agent;
    const isNewPlace = before !== undefined && placeKey(before) !== placeKey(agent);
    const isCurrent = current?.cardSha256 === read.cardSha256 && !isNewPlace;
    if (isCurrent && pending === undefined) return { agent, left: [], kind: 'unchanged' as const };
    if (isCurrent) {
      // The card that waited was taken back.
      const { pending: _gone, ...rest } = agent;
      return { agent: rest, left: [], kind: 'unchanged' as const };
    }
    if (pending?.cardSha256 === read.cardSha256 && !isNewPlace && !asked.mayApprove) {
      return { agent, left: [], kind: 'pending' as const };
    }
    if (asked.by === 'watch' && current !== undefined && (await this.#changesTooOften(agent))) {
      return { agent, left: [], kind: 'unchanged' as const };
    }
    const revision = await this.#next(agent, asked, read);
    const { pending: _before, ...rest } = agent;
    const waits = current !== undefined && !asked.mayApprove && needsApproval(current, revision).length > 0;
    if (waits)
      return {
        agent: { ...rest, pending: { ...revision, state: 'pending' as const } },
        left: [],
        kind: 'pending' as const,
      };
    return {
      agent: { ...rest, current: { ...revision, state: 'current' as const } },
      left: [],
      kind: current === undefined ? ('new' as const) : ('revised' as const),
    };
  }

  /** A card that says something else whenever it is read would fill the store: it is taken again when it has been still. */
  async #changesTooOften({ space, id }: AgentToSave): Promise<boolean> {
    const limit = SPACE_LIMITS.watchedRevisionsADay;
    const last = await this.#parts.store.revisions(space, id, { limit });
    const oldest = last[limit - 1];
    return (
      oldest !== undefined &&
      oldest.at > this.#parts.clock.now() - DAY_MS &&
      last.every((head) => head.registeredBy === 'watch')
    );
  }

  async #next({ space, id, current }: AgentToSave, { by }: CardToRegister, read: ReadRevision): Promise<Revision> {
    const [last] = await this.#parts.store.revisions(space, id, { limit: 1 });
    const number = (last?.number ?? 0) + 1;
    const { cardSha256, card, endpoints, signedBy } = read;
    return {
      ...{ number, versionId: `v${number}-${cardSha256.slice(0, 12)}`, cardSha256, card, endpoints, signedBy },
      ...{ registeredBy: by, at: this.#parts.clock.now(), state: 'current' },
      changes: current === undefined ? [] : cardChanges(current.card, card),
    };
  }

  /** Reads, changes and writes an agent, again when somebody else wrote it meanwhile. No agent: nothing is written. */
  async #write<Result>(
    space: string,
    id: string,
    change: (before: RegisteredAgent | undefined) => Promise<{
      readonly agent: AgentToSave | undefined;
      readonly left?: readonly Decided[];
      readonly result: Result;
    }>,
  ): Promise<{ readonly agent: RegisteredAgent; readonly result: Result }> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await this.#parts.store.agent(space, id);
      const { agent, left, result } = await change(before);
      if (agent === undefined) return { agent: before as RegisteredAgent, result };
      if (before !== undefined && isDeepStrictEqual(agent, withoutSequence(before))) {
        return { agent: before, result };
      }
      const saved = await this.#parts.store.saveAgent(agent, before, left);
      if (saved !== 'stale') return { agent: saved, result };
    }
    throw new Error('the agent is changed all the time by others');
  }
}

/** The agent with its revisions at its place. */
function placed(place: AgentPlace, before: RegisteredAgent | undefined): AgentToSave {
  const { space, id, reach, origin, disabled, cardUrl, dialer, credential, url } = place;
  return {
    ...{ space, id },
    ...(cardUrl === undefined ? {} : { cardUrl }),
    reach,
    ...(dialer === undefined ? {} : { dialer }),
    ...(credential === undefined ? {} : { credential }),
    ...(url === undefined ? {} : { url }),
    ...{ origin, disabled },
    ...(before?.current === undefined ? {} : { current: before.current }),
    ...(before?.pending === undefined ? {} : { pending: before.pending }),
    health: before?.health ?? { state: 'unknown', failures: 0 },
  };
}

/** What endpoints are computed from, beside the card. */
const placeKey = ({ cardUrl, reach, url }: AgentToSave): string => JSON.stringify([cardUrl, reach, url]);

function withoutSequence({ sequence: _, ...agent }: RegisteredAgent): AgentToSave {
  return agent;
}
