import { LIMITS } from '../limits.ts';

/**
 * A hint is a heading: one line, cut where it is long (rule Q13). The instruction that ADK writes for a client, and
 * kagent sends as the hint, is not for the approver.
 */
export function heading(hint: unknown, otherwise: string): string {
  if (typeof hint !== 'string') return otherwise;
  const line = hint.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  const isInstruction = line.startsWith('Please approve or reject the tool call') && line.includes('ToolConfirmation');
  if (line === '' || isInstruction) return otherwise;
  return line.length <= LIMITS.headingCharacters ? line : `${line.slice(0, LIMITS.headingCharacters - 1)}…`;
}
