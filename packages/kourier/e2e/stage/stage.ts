import assert from 'node:assert/strict';
import { HttpAgent, json } from '../../contract/http-agent.ts';
import type { WireVersion } from '../../contract/render-wire.ts';
import { Conversation } from './conversation.ts';
import { type Bound, Product } from './product.ts';
import { cards, KAGENT_1_0 } from './transcript.ts';

/** An agent of the stage. `card`: which of the transcripts' cards it serves; without one, a plain card of its wire. */
export interface Role extends Pick<Bound, 'dialect' | 'userId' | 'interactions'> {
  readonly wire?: WireVersion;
  readonly card?: number;
  /** Below the agent's origin. */
  readonly path?: string;
}

/** As kagent 1.0 is bound. */
export const KAGENT: Role = { card: KAGENT_1_0, dialect: 'kagent-v1', userId: 'kourier@example.com' };

/** Agents on real sockets, and one product that is bound to all of them. */
export class Stage {
  readonly product: Product;
  readonly #agents: ReadonlyMap<string, HttpAgent>;

  private constructor(product: Product, agents: ReadonlyMap<string, HttpAgent>) {
    this.product = product;
    this.#agents = agents;
  }

  static async open(roles: Readonly<Record<string, Role>>): Promise<Stage> {
    const agents = new Map<string, HttpAgent>();
    const bindings: Bound[] = [];
    for (const [name, { wire = '1.0', card, path = '', ...role }] of Object.entries(roles)) {
      const agent = await HttpAgent.start(wire);
      const served = card === undefined ? undefined : cards()[card]?.card;
      // Often enough for every start of the product.
      if (served) agent.on('card', json(served), json(served), json(served));
      agents.set(name, agent);
      bindings.push({ name, url: agent.origin + path, ...role });
    }
    const product = await Product.for(bindings).catch(async (error: unknown) => {
      await stopAll(agents);
      throw error;
    });
    return new Stage(product, agents);
  }

  agent(name: string): HttpAgent {
    const agent = this.#agents.get(name);
    assert.ok(agent, `no agent ${name}`);
    return agent;
  }

  open(binding: string, text: string): Promise<Conversation> {
    return Conversation.open(this.product, binding, text);
  }

  async close(): Promise<void> {
    await this.product.end();
    await stopAll(this.#agents);
  }
}

async function stopAll(agents: ReadonlyMap<string, HttpAgent>): Promise<void> {
  for (const agent of agents.values()) await agent.stop();
}

/** The methods that an agent was called with, in their order, the card left out. */
export const methods = (agent: HttpAgent): readonly string[] =>
  agent.calls.map(({ method }) => method).filter((method) => method !== 'card');
