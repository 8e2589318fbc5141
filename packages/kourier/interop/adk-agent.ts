import { pythonProcess } from './python-process.ts';
import type { Served } from './sdk-agent.ts';

export interface Peer {
  /** `plain`: what ADK's `to_a2a(agent)` serves. `hitl`: with the adapter for kagent's human-in-the-loop extension. */
  readonly style: 'plain' | 'hitl';
  /** What the card offers. */
  readonly wire: Served;
  /** Who speaks it: a2a-sdk 1 speaks both. */
  readonly sdk: '1' | '0.3';
}

export interface Run {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export interface AdkAgent {
  readonly url: string;
  /** The tools that really ran, and the turns that began to hold, in their order. */
  runs(): Promise<readonly Run[]>;
  /** Lets the turns go on whose message begins with `hold`. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** At the given port, or at a free one. */
export async function adkAgent({ style, wire, sdk }: Peer, port = '0'): Promise<AdkAgent> {
  const { url, close } = await pythonProcess('adk_agent.py', [style, wire, port], sdk);
  return {
    url,
    runs: async () => (await (await fetch(`${url}/runs`)).json()) as readonly Run[],
    release: async () => {
      await fetch(`${url}/release`, { method: 'POST' });
    },
    close,
  };
}
