import { type BlockedReason, blockedReason } from '../core/directory/blocked-reason.ts';
import { Catalog, type CatalogPage, type DiscoverQuery } from '../core/directory/catalog.ts';
import type { RegisteredAgent } from '../core/directory/registered-agent.ts';
import { type RouteQuestion, type Routing, route } from '../core/directory/route.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import type { DirectoryReader } from './directory.ts';

export interface FindingParts {
  policyOf(space: string): SpacePolicy | undefined;
  /** The dialers that there are. */
  dialers(): ReadonlySet<string>;
  /** Whether an agent has dialled out to this process. */
  isConnected(space: string, agent: string): boolean;
}

/** The agents of each Space as they are found: by words and skills, and by what a message asks for (rule C8). */
export class Finding implements DirectoryReader {
  readonly #parts: FindingParts;
  readonly #catalogs = new Map<string, Catalog>();

  constructor(parts: FindingParts) {
    this.#parts = parts;
  }

  saved(agent: RegisteredAgent): void {
    this.#catalogOf(agent.space).put(agent, this.blockedReason(agent));
  }

  removed(space: string, id: string): void {
    this.#catalogs.get(space)?.remove(id);
  }

  /** What blocks an agent may have changed: its tunnel came or went. */
  reconsider(space: string, id: string): void {
    const entry = this.#catalogs.get(space)?.get(id);
    if (entry !== undefined) this.saved(entry.agent);
  }

  blockedReason(agent: RegisteredAgent): BlockedReason | undefined {
    const policy = this.#parts.policyOf(agent.space);
    const allowed = {
      publicEgress: policy?.egress.public === true,
      signatureRequired: policy?.signatures.required === true,
      dialers: this.#parts.dialers(),
    };
    return blockedReason(agent, allowed, (id) => this.#parts.isConnected(agent.space, id));
  }

  discover(space: string, query: DiscoverQuery): CatalogPage | 'bad-cursor' {
    return this.#catalogOf(space).discover(query);
  }

  route(space: string, question: RouteQuestion): Routing {
    return route(this.#catalogOf(space), question);
  }

  #catalogOf(space: string): Catalog {
    const known = this.#catalogs.get(space);
    if (known !== undefined) return known;
    const catalog = new Catalog();
    this.#catalogs.set(space, catalog);
    return catalog;
  }
}
