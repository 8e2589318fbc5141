import { NOTICES, noAgent } from '../thread/notice.ts';
import type { Choice } from './call-outcome.ts';
import { type Case, type Decision, settle } from './decision.ts';
import { tryAgain } from './retry.ts';
import type { Step, Turn } from './turn.ts';

/**
 * The thread has its agent from this commit on, and the message goes out after it: whoever takes the turn up sends to the
 * same one, whatever the Space would say by then. A Space that does not answer is asked again like an agent that cannot be
 * reached; nothing was sent, so asking again is safe.
 */
export function afterChoice(of: Case, step: Extract<Step, { kind: 'choose' }>, choice: Choice): Decision {
  if (choice.kind === 'agent') {
    // A context was another agent's, from before the binding named a Space.
    const { contextId, ...thread } = of.thread;
    const { troubleSinceMs: _, ...turn } = of.turn;
    const begun: Turn = { ...turn, step: { kind: 'send' }, failures: 0 };
    const notices = contextId === undefined ? [] : [NOTICES.contextLost];
    return { thread: { ...thread, agent: choice.agent, turn: begun }, notices };
  }
  if (choice.kind === 'no-agent') return settle(of, 'refused', [noAgent(choice.reason, choice.agents)]);
  if (choice.kind === 'credentials') return settle(of, 'refused', [NOTICES.spaceRejected]);
  return tryAgain(of, step, choice, spaceUnreachable);
}

export const spaceUnreachable = (of: Case): Decision => settle(of, 'unreachable', [NOTICES.spaceUnreachable]);
