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
  /** Threads of one person that begin together ask once. */
  const asking = new Map<string, Promise<string | undefined>>();
  return async (user, otherwise) => {
    const before = known.get(user);
    if (before !== undefined) return before;
    const asked = asking.get(user) ?? askTeam(calls, user).finally(() => asking.delete(user));
    asking.set(user, asked);
    const team = await asked;
    if (team !== undefined) known.set(user, team);
    return team ?? otherwise;
  };
}

async function askTeam(calls: SlackCalls, user: string): Promise<string | undefined> {
  const outcome = await calls.call('users.info', { user }, { priority: 'live', waitMs: WAIT_MS });
  if (outcome.kind !== 'ok') return undefined;
  const person = jsonIn(outcome.body, 'user');
  return textIn(person, 'team_id') ?? textIn(jsonIn(person, 'profile'), 'team');
}
