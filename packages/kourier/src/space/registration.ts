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
      /**
       * `pending`: the card waits for an approval, and `declined`: it was refused one; what was current still is.
       */
      readonly kind: 'new' | 'unchanged' | 'revised' | 'pending' | 'declined';
      readonly agent: RegisteredAgent;
      readonly findings: readonly CardFault[];
    }
  | { readonly kind: 'refused'; readonly code: CardRefusal; readonly faults: readonly CardFault[] };

const DAY_MS = 86_400_000;

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
    if (reading.kind === 'refused') {
      const { unsigned, ...refused } = reading;
      if (unsigned !== undefined) await this.#unsign(asked, unsigned);
      return refused;
    }
    const { revision: read } = reading;
    const { space, id } = asked.place;
    const done = await this.#write(space, id, async (before) => {
      const { agent, kind } = await this.#revised(before, asked, read);
      return { agent, result: kind };
    });
    return { kind: done.result, agent: done.agent, findings: read.findings };
  }

  /**
   * How an agent is to stand, whatever becomes of its card: one that is to be disabled may not care to show it. Where it is
   * called changes with its card only.
   */
  async stand({ space, id, dialer, credential, disabled }: AgentPlace): Promise<void> {
    await this.#write(space, id, async (before) => ({
      agent: before === undefined ? undefined : placed({ ...before, dialer, credential, disabled }, before),
      result: undefined,
    }));
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
    { isApproved, by }: { readonly isApproved: boolean; readonly by: string },
  ): Promise<RegisteredAgent | undefined> {
    const decidedAt = this.#parts.clock.now();
    const done = await this.#write(space, id, async (before) => {
      if (before?.pending?.number !== number) return { agent: undefined, result: false };
      const { pending, ...rest } = withoutSequence(before);
      if (isApproved) return { agent: { ...rest, current: approved(before.pending, by, decidedAt) }, result: true };
      return { agent: rest, left: [{ number, state: 'refused', decidedBy: by, decidedAt }], result: true };
    });
    return done.result ? done.agent : undefined;
  }

  /** Whether there was one. */
  async remove(space: string, id: string): Promise<boolean> {
    for (let attempt = 0; attempt < SPACE_LIMITS.writeAttempts; attempt += 1) {
      const before = await this.#parts.store.agent(space, id);
      if (before === undefined) return false;
      if ((await this.#parts.store.removeAgent(before)) === 'removed') return true;
    }
    throw contended();
  }

  /** The agent as it stands with the card. */
  async #revised(
    before: RegisteredAgent | undefined,
    asked: CardToRegister,
    read: ReadRevision,
  ): Promise<{ readonly agent: AgentToSave; readonly kind: Exclude<Registered['kind'], 'refused'> }> {
    const agent = placed(asked.place, before);
    const { current, pending, ...rest } = agent;
    // Where there was one that waited, it was taken back.
    if (current !== undefined && isOf(current, read)) return { agent: { ...rest, current }, kind: 'unchanged' };
    if (pending !== undefined && isOf(pending, read)) {
      if (!asked.mayApprove) return { agent, kind: 'pending' };
      return { agent: { ...rest, current: approved(pending, asked.by, this.#parts.clock.now()) }, kind: 'revised' };
    }
    const [last] = await this.#parts.store.revisions(rest.space, rest.id, { limit: 1 });
    // Who refused a card is not asked again each time that it is read.
    if (last?.state === 'refused' && isOf(last, read) && !asked.mayApprove) return { agent, kind: 'declined' };
    const isRestless = asked.by === 'watch' && current !== undefined && (await this.#changesTooOften(agent));
    if (isRestless) return { agent, kind: 'unchanged' };
    const revision = this.#next(agent, { last: last?.number, by: asked.by, read });
    if (current === undefined) return { agent: { ...rest, current: revision }, kind: 'new' };
    // The keys of the Space changed, not the agent.
    const isSameCard = isOf(current, { ...read, signedBy: current.signedBy });
    const waits = !asked.mayApprove && !isSameCard && needsApproval(current, revision).length > 0;
    if (!waits) return { agent: { ...rest, current: revision }, kind: 'revised' };
    return { agent: { ...rest, current, pending: { ...revision, state: 'pending' } }, kind: 'pending' };
  }

  /** A card that says something else whenever it is read would fill the store: it is taken again when it has been still. */
  async #changesTooOften({ space, id }: AgentToSave): Promise<boolean> {
    const limit = SPACE_LIMITS.watchedRevisionsADay;
    const last = await this.#parts.store.revisions(space, id, { limit });
    const oldest = last[limit - 1];
    const isToday = oldest !== undefined && oldest.at > this.#parts.clock.now() - DAY_MS;
    return isToday && last.every(({ registeredBy }) => registeredBy === 'watch');
  }

  /** A card that no key of the Space vouches for any more is not called on the word of one that is gone. */
  async #unsign({ place: { space, id }, by }: CardToRegister, read: ReadRevision): Promise<void> {
    await this.#write(space, id, async (before) => {
      const { current } = before ?? {};
      const isSigned = current?.cardSha256 === read.cardSha256 && current.signedBy.length > 0;
      if (before === undefined || !isSigned) return { agent: undefined, result: undefined };
      const [last] = await this.#parts.store.revisions(space, id, { limit: 1 });
      const agent = withoutSequence(before);
      return { agent: { ...agent, current: this.#next(agent, { last: last?.number, by, read }) }, result: undefined };
    });
  }

  #next(
    { current }: AgentToSave,
    { last = 0, by, read }: { readonly last?: number | undefined; readonly by: string; readonly read: ReadRevision },
  ): Revision {
    const number = last + 1;
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
    for (let attempt = 0; attempt < SPACE_LIMITS.writeAttempts; attempt += 1) {
      const before = await this.#parts.store.agent(space, id);
      const { agent, left, result } = await change(before);
      if (agent === undefined) return { agent: before as RegisteredAgent, result };
      if (before !== undefined && isDeepStrictEqual(agent, withoutSequence(before))) {
        return { agent: before, result };
      }
      const saved = await this.#parts.store.saveAgent(agent, before, left);
      if (saved !== 'stale') return { agent: saved, result };
    }
    throw contended();
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

/** Whether a card was read to the same before: where it leads, and who vouches for it, included. */
function isOf(
  { cardSha256, endpoints, signedBy }: Pick<Revision, 'cardSha256' | 'endpoints' | 'signedBy'>,
  read: Pick<ReadRevision, 'cardSha256' | 'endpoints' | 'signedBy'>,
): boolean {
  return (
    cardSha256 === read.cardSha256 &&
    isDeepStrictEqual(endpoints, read.endpoints) &&
    isDeepStrictEqual(signedBy, read.signedBy)
  );
}

const approved = (pending: Revision, decidedBy: string, decidedAt: number): Revision => ({
  ...pending,
  ...{ decidedBy, decidedAt, state: 'current' },
});

const contended = (): Error => new Error('the agent is changed all the time by others');

function withoutSequence({ sequence: _, ...agent }: RegisteredAgent): AgentToSave {
  return agent;
}
