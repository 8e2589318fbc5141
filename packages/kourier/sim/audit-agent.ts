import type { Thread } from '../src/core/thread/thread.ts';
import type { ThreadAccount } from './account.ts';
import type { Findings } from './findings.ts';

/** A thread never speaks to two agents: what is called is the first that was, and who was chosen is on the disk by then. */
export function auditAgent(
  thread: ThreadAccount | undefined,
  agent: string,
  durable: Thread | undefined,
  findings: Findings,
): void {
  if (!thread) return;
  thread.agent ??= agent;
  findings.unless(thread.agent === agent, () => `${thread.id} speaks to ${agent}, and to ${thread.agent} before`);
  const chosen = durable?.agent ?? thread.binding;
  findings.unless(chosen === agent, () => `${thread.id} speaks to ${agent}, and the disk says ${chosen}`);
}
