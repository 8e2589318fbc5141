import type { SlackCalls } from '../calls/slack-calls.ts';
import { jsonIn, textIn } from '../json.ts';
import { Recent } from '../recent.ts';

const KNOWN = 10_000;
const WAIT_MS = 1_000;

/**
 * The workspace that a person belongs to: in a channel that is shared it is another one than the app's, and a stream
 * needs theirs (case C161). Kept for good: people do not move.
 */
export function recipientTeams(calls: SlackCalls): (user: string, otherwise: string) => Promise<string> {
  const known = new Recent<string>(KNOWN);
  return async (user, otherwise) => {
    const before = known.get(user);
    if (before !== undefined) return before;
    const outcome = await calls.call('users.info', { user }, { priority: 'live', waitMs: WAIT_MS });
    if (outcome.kind !== 'ok') return otherwise;
    const person = jsonIn(outcome.body, 'user');
    const team = textIn(person, 'team_id') ?? textIn(jsonIn(person, 'profile'), 'team') ?? otherwise;
    known.set(user, team);
    return team;
  };
}
