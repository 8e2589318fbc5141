import { apiMessage } from '../api-message.ts';
import { LIMITS } from '../blocks/limits.ts';
import type { Emit } from '../delivery/emit.ts';
import { messageChanged, messageDeleted, messagePosted } from '../delivery/message-events.ts';
import type { Channel, Message } from '../model.ts';
import { compact, type Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import type { World } from '../world.ts';
import { readContent, readMetadata, readThread, writable } from './chat-content.ts';
import type { Call, Methods } from './method.ts';

const WRITE = ['chat:write'];

/** Posting, editing, deleting. */
export function chatWriteMethods(emit: Emit): Methods {
  return {
    'chat.postMessage': { scopes: WRITE, run: (call) => postMessage(call, emit) },
    'chat.update': { scopes: WRITE, run: (call) => update(call, emit) },
    'chat.delete': { scopes: WRITE, run: (call) => remove(call, emit) },
    'chat.postEphemeral': { scopes: WRITE, run: postEphemeral },
    'chat.getPermalink': { scopes: [], run: permalink },
  };
}

/** A message of the app, not yet in the world. */
export function appMessage(world: World, channel: Channel, threadTs: string | undefined, visibleAtMs: number): Message {
  const { app } = world;
  const [person] = [...world.people.values()].filter(({ id }) => id === app.botUserId);
  return {
    channel: channel.id,
    ts: world.ts(),
    ...(threadTs === undefined ? {} : { threadTs }),
    user: app.botUserId,
    teamId: person?.teamId ?? '',
    app: { id: app.id, botId: app.botId, name: app.name },
    files: [],
    reactions: new Map(),
    state: new Map(),
    visibleAtMs,
    text: '',
    blocks: [],
    attachments: [],
    deleted: false,
  };
}

function postMessage({ args, world, visibleAtMs }: Call, emit: Emit): Shape {
  const channel = writable(world, args.required('channel'));
  const content = readContent(args, LIMITS.postText);
  const metadata = readMetadata(args);
  const threadTs = readThread(world, channel, args);
  const broadcast = threadTs !== undefined && args.flag('reply_broadcast');
  const message = world.addMessage({
    ...appMessage(world, channel, threadTs, visibleAtMs),
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    attachments: content.attachments ?? [],
    ...(broadcast ? { subtype: 'thread_broadcast' } : {}),
    ...(metadata === undefined || metadata === 'none' ? {} : { metadata }),
  });
  emit(messagePosted(world, message));
  return { channel: channel.id, ts: message.ts, message: apiMessage(world, message, true) };
}

/** A message that the app itself wrote, and that is there. */
export function ownMessage(call: Call, notThere: string, notOurs: string): Message {
  const { args, world } = call;
  const channel = world.channel(args.required('channel'));
  const message = world.message(channel.id, args.required('ts'));
  if (message === undefined) throw new SlackError(notThere);
  if (message.app?.id !== world.app.id) throw new SlackError(notOurs);
  return message;
}

function update(call: Call, emit: Emit): Shape {
  const { args, world } = call;
  const message = ownMessage(call, 'message_not_found', 'cant_update_message');
  if (world.channel(message.channel).archived) throw new SlackError('is_inactive');
  if (message.stream?.state === 'streaming') throw new SlackError('streaming_state_conflict');
  const content = readContent(args, LIMITS.updateText);
  const metadata = readMetadata(args);
  const isRich = ({ type }: Shape): boolean => type === 'rich_text';
  if (message.blocks.some(isRich) && content.blocks !== undefined && !content.blocks.some(isRich)) {
    throw new SlackError('block_mismatch');
  }
  const before = apiMessage(world, message);
  // Blocks stay only where no text is given (the method's page). What was streamed is replaced as a whole.
  if (content.text !== undefined || content.blocks !== undefined) message.blocks = content.blocks ?? [];
  if (content.text !== undefined) message.text = content.text;
  if (content.attachments !== undefined) message.attachments = content.attachments;
  if (metadata === 'none') delete message.metadata;
  else if (metadata !== undefined) message.metadata = metadata;
  delete message.stream;
  message.edited = { user: message.user, ts: world.ts() };
  world.changes.note();
  emit(messageChanged(world, message, before));
  return { channel: message.channel, ts: message.ts, text: message.text, message: apiMessage(world, message, true) };
}

function remove(call: Call, emit: Emit): Shape {
  const { world } = call;
  const message = ownMessage(call, 'message_not_found', 'cant_delete_message');
  const before = apiMessage(world, message);
  message.deleted = true;
  world.changes.note();
  emit(messageDeleted(world, message, before));
  return { channel: message.channel, ts: message.ts };
}

function postEphemeral({ args, world }: Call): Shape {
  const channel = writable(world, args.required('channel'));
  const user = args.required('user');
  if (!channel.members.has(user)) throw new SlackError('user_not_in_channel');
  const content = readContent(args, LIMITS.postText);
  const ts = world.ts();
  const threadTs = args.text('thread_ts');
  world.ephemerals.push({
    channel: channel.id,
    ts,
    user,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    ...(threadTs === undefined ? {} : { threadTs }),
  });
  world.changes.note();
  return { message_ts: ts };
}

function permalink({ args, world }: Call): Shape {
  const channel = world.channel(args.required('channel'));
  const ts = args.required('message_ts');
  const message = world.message(channel.id, ts);
  if (message === undefined) throw new SlackError('message_not_found');
  const query = message.threadTs === undefined ? '' : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
  const link = `https://acme.slack.com/archives/${channel.id}/p${ts.replace('.', '')}${query}`;
  return compact({ channel: channel.id, permalink: link });
}
