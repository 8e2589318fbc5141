import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AdkAgent, Run } from './adk-agent.ts';
import { AgentProduct, type Entry } from './agent-product.ts';

/** An entry as a person sees it. */
export const seen = (entry: Entry): readonly unknown[] => {
  const { kind, text, name, args, state, result, code, heading } = entry;
  if (kind === 'step') return result === undefined ? [kind, name, args, state] : [kind, name, args, state, result];
  if (kind === 'request') return [kind, heading, state, entry.tools?.map((tool) => [tool.name, tool.args])];
  if (kind === 'notice') return entry.category === undefined ? [kind, code] : [kind, code, entry.category];
  return [kind, text];
};

/** A product of its own, in front of an agent that others talk to as well. */
export class Conversation {
  readonly agent: AdkAgent;
  readonly product: AgentProduct;
  readonly #before: number;

  private constructor(agent: AdkAgent, product: AgentProduct, ranBefore: number) {
    this.agent = agent;
    this.product = product;
    this.#before = ranBefore;
  }

  static async begin(t: TestContext, agent: AdkAgent): Promise<Conversation> {
    const ranBefore = (await agent.runs()).length;
    const product = await AgentProduct.before(agent.url);
    t.after(() => product.end());
    return new Conversation(agent, product, ranBefore);
  }

  /** What the tools did since the conversation began. */
  async runs(): Promise<readonly Run[]> {
    return (await this.agent.runs()).slice(this.#before);
  }

  /** Says `text` in a new thread and decides the approval that it asks for. */
  async decide(text: string, decisions: readonly boolean[]): Promise<readonly Entry[]> {
    const thread = await this.product.open(text);
    const request = await this.asked(thread);
    const approvals = (request.tools ?? []).map(({ id }, index) => ({ id, approved: decisions[index] }));
    assert.deepEqual(await this.runs(), [], 'nothing ran before the decision');
    await this.product.tell(`/api/v1/requests/${request.id}/answer`, { actor: { id: 'u2' }, approvals });
    return this.product.settled(thread, 1);
  }

  async asked(thread: string): Promise<Entry> {
    await this.product.until(thread, ({ entries }) =>
      entries.some(({ kind, state }) => kind === 'request' && state === 'open'),
    );
    const { entries } = (await this.product.get(`/api/v1/threads/${thread}`)) as { entries: readonly Entry[] };
    const request = entries.find(({ kind }) => kind === 'request');
    assert.ok(request);
    return request;
  }
}
