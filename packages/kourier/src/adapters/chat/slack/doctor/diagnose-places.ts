import type { Finding } from '../../../../ports/finding.ts';
import type { Binding } from '../../../../ports/registry.ts';
import type { AskSlack } from './ask-slack.ts';
import type { Said } from './said.ts';

interface ChannelOfBinding {
  readonly binding: string;
  readonly channel: string;
  /** The bot's name, as people write it after the @. */
  readonly bot: string;
}

/** Whether the app is in a channel that a binding names. */
export async function diagnoseChannel(
  ask: AskSlack,
  { binding, channel, bot }: ChannelOfBinding,
  say: Said,
): Promise<Finding> {
  const at = `binding ${binding}: channel ${channel}`;
  const answer = await ask('conversations.info', { channel });
  if (answer.kind === 'unreachable') return say('fail', `${at} cannot be looked up: ${answer.why}`, 'try again');
  if (answer.kind === 'refused') {
    if (answer.error === 'channel_not_found')
      return say(
        'fail',
        `${at} does not exist, or is private and the bot is not in it`,
        `compare the id; if the channel is private, write /invite @${bot} in it`,
      );
    const scope = answer.needed === undefined ? '' : ` (${answer.needed})`;
    return say('warn', `${at} cannot be looked up: ${answer.error}${scope}`, 'add the scopes that are missing first');
  }
  const { name, is_archived, is_member } = answer.result['channel'] as {
    readonly name?: unknown;
    readonly is_archived?: unknown;
    readonly is_member?: unknown;
  };
  const named = `${at} (#${String(name)})`;
  if (is_archived === true) return say('fail', `${named} is archived`, 'unarchive it, or leave it out');
  if (is_member !== true)
    return say('fail', `${named}: the bot is not in it`, `write /invite @${bot} in #${String(name)}`);
  return say('ok', `${named}: the bot is in it`);
}

/** Whether those who may approve are people of the workspace: an approval that nobody can decide is denied. */
export async function diagnoseApprovers(
  ask: AskSlack,
  { name, interactions }: Binding,
  say: Said,
): Promise<readonly Finding[]> {
  const approvers = interactions.toolApprovals?.approvers ?? [];
  return await Promise.all(
    approvers.map(async (approver) => {
      const at = `binding ${name}: approver ${approver}`;
      const answer = await ask('users.info', { user: approver });
      if (answer.kind === 'ok') {
        const user = answer.result['user'] as { readonly real_name?: unknown; readonly deleted?: unknown };
        if (user.deleted === true) return say('fail', `${at} has left`, 'name somebody else');
        return say('ok', `${at} is ${String(user.real_name)}`);
      }
      if (answer.kind === 'refused' && ['user_not_found', 'user_not_visible', 'users_not_found'].includes(answer.error))
        return say(
          'fail',
          `${at} is nobody in this workspace`,
          'write a member id, as U0123ABCD (in Slack: the profile, ⋮, Copy member ID)',
        );
      return say(
        'warn',
        `${at} cannot be looked up: ${answer.kind === 'refused' ? answer.error : answer.why}`,
        'look at the other lines first',
      );
    }),
  );
}
