import type { Message } from './model.ts';
import { compact, type Shape } from './shape.ts';
import { streamBlocks, streamText } from './stream-content.ts';
import type { World } from './world.ts';

/** `thread_ts` of a message on the wire: replies have it, and a root once it has a reply. */
export function threadTsOf(world: World, message: Message): string | undefined {
  if (message.threadTs !== undefined) return message.threadTs;
  const isRoot = world.channel(message.channel).messages.some(({ threadTs }) => threadTs === message.ts);
  return isRoot ? message.ts : undefined;
}

/** A message as reading methods and events show it. Metadata only where it is asked for (`include_all_metadata`). */
export function apiMessage(world: World, message: Message, withMetadata = false): Shape {
  const root = message.threadTs === undefined ? undefined : world.message(message.channel, message.threadTs);
  const stream = message.stream;
  const blocks = stream === undefined ? message.blocks : [...streamBlocks(stream), ...message.blocks];
  return compact({
    type: 'message',
    subtype: message.subtype,
    user: message.user,
    ...(message.app === undefined ? {} : authorship(message.app, message.teamId)),
    text: stream === undefined ? message.text : streamText(stream),
    client_msg_id: message.clientMsgId,
    team: message.teamId,
    ts: message.ts,
    thread_ts: threadTsOf(world, message),
    parent_user_id: root?.user,
    ...replyCount(world, message),
    blocks: blocks.length > 0 ? blocks : undefined,
    attachments: message.attachments.length > 0 ? message.attachments : undefined,
    files: message.files.length > 0 ? message.files : undefined,
    upload: message.files.length > 0 ? false : undefined,
    edited: message.edited,
    metadata: withMetadata ? message.metadata : undefined,
    streaming_state: stream === undefined ? undefined : (WIRE_STATES[stream.state] ?? 'completed'),
    reactions: reactions(message),
  });
}

const WIRE_STATES: Readonly<Record<string, string>> = { streaming: 'in_progress', died: 'errored' };

function authorship(app: NonNullable<Message['app']>, teamId: string): Shape {
  return {
    bot_id: app.botId,
    app_id: app.id,
    bot_profile: { id: app.botId, deleted: false, name: app.name, updated: 0, app_id: app.id, team_id: teamId },
  };
}

function replyCount(world: World, message: Message): Shape {
  if (message.threadTs !== undefined) return {};
  const replies = world.thread(message.channel, message.ts).filter(({ ts }) => ts !== message.ts);
  const last = replies.at(-1);
  if (last === undefined) return {};
  const users = [...new Set(replies.map(({ user }) => user))];
  return { reply_count: replies.length, reply_users: users, reply_users_count: users.length, latest_reply: last.ts };
}

function reactions(message: Message): readonly Shape[] | undefined {
  if (message.reactions.size === 0) return undefined;
  return [...message.reactions].map(([name, users]) => ({ name, users: [...users], count: users.size }));
}
