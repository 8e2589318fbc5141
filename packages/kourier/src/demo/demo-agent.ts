import { setTimeout } from 'node:timers/promises';
import { AgentFailure, type ServedAgent, type ServeOptions, serveAgent } from '@agentkourier/agent';
import { demoTurn, type Pause } from './demo-turn.ts';

export interface DemoOptions extends ServeOptions {
  /** How the agent waits between its words; real time unless given. */
  readonly pause?: Pause;
}

/** The built-in agent, on loopback: it needs no model, no key and no network. */
export function startDemoAgent({ pause = realPause, ...options }: DemoOptions = {}): Promise<ServedAgent> {
  const agent = {
    name: 'Demo agent',
    description: 'Shows what a turn looks like: streams prepared answers, calls two tools, and fails when asked to.',
    version: '1.0.0',
    skills: [
      {
        id: 'demo',
        name: 'Demonstration',
        description: 'Answers with prepared words, makes up the weather, and takes notes.',
        tags: ['demo'],
        examples: ['hello', 'weather in Oslo', 'note buy bread', 'be slow', 'fail', 'stay silent', 'help'],
      },
    ],
    turn: demoTurn(pause),
  };
  return serveAgent(agent, { ...options, onError: reportBugs(options.onError) });
}

async function realPause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal });
}

/** A failure that was asked for is no news for the log. */
function reportBugs(report: ServeOptions['onError']): NonNullable<ServeOptions['onError']> {
  return (error, turn) => {
    if (!(error instanceof AgentFailure)) report?.(error, turn);
  };
}
