import { describe, test } from 'node:test';
import { failuresContract, lookupContract, tasksContract } from './agent-calls.ts';
import type { AgentTraits, On, OpenAgent } from './agent-samples.ts';
import { streamsContract } from './agent-streams.ts';

/** Every promise of the port `Agent`, for one implementation and one wire. */
export function agentContract(name: string, open: OpenAgent, traits: AgentTraits): void {
  describe(`agent contract: ${name}`, () => {
    const on: On = (what, body, timings = {}) => {
      test(what, async () => {
        const under = await open(timings);
        try {
          await body(under);
        } finally {
          await under.close();
        }
      });
    };
    streamsContract(on);
    failuresContract(on);
    tasksContract(on);
    lookupContract(on, traits);
  });
}
