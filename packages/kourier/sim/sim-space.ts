import type { AgentId } from '../src/core/thread/ids.ts';
import type { Choice, NoAgent } from '../src/core/turn/call-outcome.ts';
import { AGENTS_OF_SPACE } from './bindings.ts';
import type { Prng } from './prng.ts';
import type { Setting } from './setting.ts';

const REASONS = ['tie', 'blocked', 'unknown-skill', 'nothing-fits'] as const satisfies readonly NoAgent[];

/** A Space that says somebody else each time that it is asked, and now and then nobody. */
export class SimSpace {
  readonly #setting: Setting;
  readonly #chances: Prng;
  readonly #said = new Map<string, string>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#chances = setting.chances('space');
  }

  route(words: string): Choice {
    if (this.#chances.chance(0.1)) {
      return { kind: 'no-agent', reason: this.#chances.one(REASONS), agents: ['first'], why: 'by chance' };
    }
    const agent = this.#chances.one(AGENTS_OF_SPACE);
    const before = this.#said.get(words) ?? agent;
    this.#said.set(words, agent);
    if (before !== agent) this.#setting.mark('space-said-another');
    return { kind: 'agent', agent: agent as string as AgentId };
  }
}
