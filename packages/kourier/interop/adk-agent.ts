import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { adkEnvironment } from './python-environment.ts';
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

const SCRIPT = fileURLToPath(new URL('adk_agent.py', import.meta.url));

/** At the given port, or at a free one. */
export async function adkAgent({ style, wire, sdk }: Peer, port = '0'): Promise<AdkAgent> {
  const { python, overlay } = await adkEnvironment();
  const child = spawn(python, ['-W', 'ignore', '-B', SCRIPT, style, wire, port], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(sdk === '0.3' ? { PYTHONPATH: overlay } : {}) },
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]);
  const url = /^ready (\S+)$/.exec(String(line))?.[1];
  assert.ok(url, `the agent did not start: ${errors.join('\n')}`);
  return {
    url,
    runs: async () => (await (await fetch(`${url}/runs`)).json()) as readonly Run[],
    release: async () => {
      await fetch(`${url}/release`, { method: 'POST' });
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
