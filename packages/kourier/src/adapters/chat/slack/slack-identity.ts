import { textIn } from './json.ts';
import type { SlackApi } from './slack-api.ts';
import { isSlackId } from './slack-place.ts';

/** Who we are on Slack, as `auth.test` says. */
export interface SlackIdentity {
  /** The workspace of the token. */
  readonly team: string;
  /** The app's user in it: what is mentioned. */
  readonly user: string;
  readonly bot: string;
  /** The app's handle, without the @. */
  readonly name: string;
}

/** Asks Slack. Rejects with what is wrong in Slack's words, such as `auth.test: invalid_auth`. */
export async function identify(api: SlackApi): Promise<SlackIdentity> {
  const outcome = await api.call('auth.test', {});
  if (outcome.kind === 'failed') throw new Error(`auth.test: ${outcome.why}`);
  const { body } = outcome;
  const [team, user, bot] = [textIn(body, 'team_id'), textIn(body, 'user_id'), textIn(body, 'bot_id')];
  if (!isSlackId(team) || !isSlackId(user) || !isSlackId(bot)) throw new Error('auth.test: this is no token of a bot');
  return { team, user, bot, name: textIn(body, 'user') ?? 'app' };
}
