import type { Clock } from '../../ports/clock.ts';
import type { SpaceRegistry } from '../../ports/space/space-configuration.ts';
import type { SpaceStore } from '../../ports/space/space-store.ts';
import type { Directory } from '../../space/directory.ts';
import type { Finding } from '../../space/finding.ts';
import type { Permits } from '../../space/permits.ts';
import type { AgentPlace, Registration } from '../../space/registration.ts';

/** What the interface of a Space offers. */
export interface InterfaceParts {
  readonly registry: SpaceRegistry;
  readonly store: SpaceStore;
  readonly directory: Directory;
  readonly finding: Finding;
  readonly registration: Registration;
  readonly permits: Permits;
  /** Reads a card from where a new agent says, the way it is to be reached. Rejects with an `UpstreamFailed`. */
  fetchCard(place: AgentPlace): Promise<{ readonly card: unknown; readonly cardUrl: string }>;
  /** The base of an agent at the gateway. */
  baseOf(space: string, agent: string): string;
  /** Something is owed now: the outbox need not wait. */
  wakeOutbox(): void;
  readonly clock: Clock;
  readonly newId: () => string;
}
