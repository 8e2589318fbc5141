import { apiMessage } from '../api-message.ts';
import type { Channel, Message } from '../model.ts';
import { compact, type Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import { TEAM, type World } from '../world.ts';
import type { Arguments } from './arguments.ts';
import type { Call, Methods } from './method.ts';

const KINDS = { public: 'channels', private: 'groups', im: 'im', mpim: 'mpim' } as const;
const TYPES: Readonly<Record<string, Channel['kind']>> = {
  public_channel: 'public',
  private_channel: 'private',
  im: 'im',
  mpim: 'mpim',
};
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

/** Reading conversations and opening direct ones. */
export const CONVERSATION_METHODS: Methods = {
  'conversations.replies': { scopes: HISTORY, run: replies },
  'conversations.history': { scopes: HISTORY, run: history },
  'conversations.info': { scopes: READ, run: info },
  'conversations.members': { scopes: READ, run: members },
  'conversations.list': { scopes: READ, run: list },
  'users.conversations': { scopes: READ, run: ofMember },
  'conversations.open': { scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'], run: open },
  'conversations.join': { scopes: ['channels:join'], run: join },
};

/** A channel that the app can see; its kind has a scope of its own. */
function visible(world: World, args: Arguments, right: 'history' | 'read'): Channel {
  const channel = world.channel(args.required('channel'));
  const isMember = channel.members.has(world.app.botUserId);
  if (!isMember && channel.kind !== 'public') throw new SlackError('channel_not_found');
  mustRead(world, channel.kind, right);
  if (right === 'history' && !isMember) throw new SlackError('not_in_channel');
  return channel;
}

function mustRead(world: World, kind: Channel['kind'], right: 'history' | 'read'): void {
  const needed = `${KINDS[kind]}:${right}`;
  if (world.app.scopes.has(needed)) return;
  throw new SlackError('missing_scope', { needed, provided: [...world.app.scopes].join(',') });
}

function replies({ args, world }: Call): Shape {
  const channel = visible(world, args, 'history');
  const ts = args.required('ts');
  const now = world.clock.now();
  const root = world.message(channel.id, ts);
  const known = channel.messages.some((message) => message.threadTs === ts && !message.deleted);
  if (root === undefined && !known) throw new SlackError('thread_not_found');
  const thread = world.thread(channel.id, ts).filter((message) => message.visibleAtMs <= now);
  const isRoot = (message: Message): boolean => message.ts === ts;
  // The root comes with every page, whatever it is asked from.
  const page = pageOf(
    thread.filter((message) => !isRoot(message)),
    args,
    1_000,
  );
  return wire(world, args, [...thread.filter(isRoot), ...page.messages], page.next);
}

function history({ args, world }: Call): Shape {
  const channel = visible(world, args, 'history');
  const now = world.clock.now();
  const top = channel.messages.filter(
    (message) =>
      !message.deleted &&
      message.visibleAtMs <= now &&
      (message.threadTs === undefined || message.subtype === 'thread_broadcast'),
  );
  const page = pageOf([...top].reverse(), args, 100);
  return wire(world, args, page.messages, page.next);
}

function wire(world: World, args: Arguments, messages: readonly Message[], next: string | undefined): Shape {
  return {
    messages: messages.map((message) => apiMessage(world, message, args.flag('include_all_metadata'))),
    has_more: next !== undefined,
    response_metadata: { next_cursor: next ?? '' },
  };
}

function pageOf(
  messages: readonly Message[],
  args: Arguments,
  byDefault: number,
): { readonly messages: readonly Message[]; readonly next?: string } {
  const oldest = bound(args, 'oldest');
  const latest = bound(args, 'latest');
  const inclusive = args.flag('inclusive');
  const within = messages.filter(({ ts }) => {
    const atEdge = ts === oldest || ts === latest;
    if (atEdge) return inclusive;
    return (
      (oldest === undefined || micros(ts) > micros(oldest)) && (latest === undefined || micros(ts) < micros(latest))
    );
  });
  const { items, next } = cut(within, args, byDefault);
  return { messages: items, ...(next !== undefined && { next }) };
}

function cut<Item>(
  all: readonly Item[],
  args: Arguments,
  byDefault: number,
): { readonly items: readonly Item[]; readonly next?: string } {
  const cursor = args.text('cursor');
  const from = cursor === undefined ? 0 : Number(Buffer.from(cursor, 'base64').toString().replace('next:', ''));
  if (!Number.isInteger(from) || from < 0) throw new SlackError('invalid_cursor');
  const limit = Math.min(args.number('limit', byDefault), 999);
  return {
    items: all.slice(from, from + limit),
    ...(all.length > from + limit ? { next: Buffer.from(`next:${from + limit}`).toString('base64') } : {}),
  };
}

function bound(args: Arguments, name: 'oldest' | 'latest'): string | undefined {
  const value = args.text(name);
  if (value === undefined || value === '0') return undefined;
  if (!/^\d+(\.\d{1,6})?$/.test(value)) throw new SlackError(`invalid_ts_${name}`);
  return value;
}

/** Exact where a number of seconds is not. */
function micros(ts: string): bigint {
  const [seconds = '0', fraction = ''] = ts.split('.');
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

function info({ args, world }: Call): Shape {
  return { channel: apiChannel(world, visible(world, args, 'read')) };
}

function members({ args, world }: Call): Shape {
  return { members: [...visible(world, args, 'read').members], response_metadata: { next_cursor: '' } };
}

function list(call: Call): Shape {
  const { botUserId } = call.world.app;
  return listed(call, ({ kind, members: who }) => kind === 'public' || who.has(botUserId));
}

/** Where the app is a member. */
function ofMember(call: Call): Shape {
  return listed(call, ({ members: who }) => who.has(call.world.app.botUserId));
}

/** Each type has a scope of its own. */
function listed({ args, world }: Call, isListed: (channel: Channel) => boolean): Shape {
  const wanted = (args.text('types') ?? 'public_channel').split(',');
  const kinds = wanted.map((type) => TYPES[type]);
  for (const kind of kinds) {
    if (kind === undefined) throw new SlackError('invalid_types');
    mustRead(world, kind, 'read');
  }
  const archived = args.flag('exclude_archived') === false;
  const channels = [...world.channels.values()].filter(
    (channel) => kinds.includes(channel.kind) && isListed(channel) && (archived || !channel.archived),
  );
  const { items, next } = cut(channels, args, 100);
  return { channels: items.map((each) => apiChannel(world, each)), response_metadata: { next_cursor: next ?? '' } };
}

function open({ args, world }: Call): Shape {
  const user = args.required('users');
  if (user.includes(',')) throw new SlackError('method_not_supported_for_channel_type');
  const channel = world.directChannel(world.person(user).id);
  return { channel: { id: channel.id }, no_op: channel.messages.length > 0 };
}

function join({ args, world }: Call): Shape {
  const channel = world.channel(args.required('channel'));
  if (channel.kind !== 'public') throw new SlackError('method_not_supported_for_channel_type');
  if (channel.archived) throw new SlackError('is_archived');
  channel.members.add(world.app.botUserId);
  return { channel: apiChannel(world, channel) };
}

function apiChannel(world: World, channel: Channel): Shape {
  const other = [...channel.members].find((id) => id !== world.app.botUserId);
  return compact({
    id: channel.id,
    created: Math.floor(channel.createdMs / 1_000),
    name: channel.kind === 'im' ? undefined : channel.name,
    user: channel.kind === 'im' ? other : undefined,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: channel.kind === 'im',
    is_mpim: channel.kind === 'mpim',
    is_private: channel.kind !== 'public',
    is_archived: channel.archived,
    is_member: channel.members.has(world.app.botUserId),
    is_ext_shared: channel.shared,
    context_team_id: TEAM,
  });
}
