import { checkBlocks } from '../blocks/check-blocks.ts';
import { LIMITS } from '../blocks/limits.ts';
import { storedFromApp } from '../blocks/stored-text.ts';
import type { Channel, Metadata } from '../model.ts';
import { type Shape, shapeIn, textIn } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import type { World } from '../world.ts';
import type { Arguments } from './arguments.ts';

export interface Content {
  /** As it is stored. Absent: the call had none. */
  readonly text?: string;
  readonly blocks?: readonly Shape[];
  readonly attachments?: readonly Shape[];
}

/** Text, blocks, attachments or Markdown of a call, within Slack's limits. */
export function readContent(args: Arguments, maxText: number): Content {
  const text = args.text('text');
  const markdown = args.text('markdown_text');
  const blocks = args.objects('blocks', 'invalid_blocks_format');
  const attachments = args.objects('attachments', 'invalid_attachments');
  if (markdown !== undefined && (text !== undefined || blocks !== undefined)) {
    throw new SlackError('markdown_text_conflict');
  }
  const empty = text === undefined && markdown === undefined && attachments === undefined;
  if (empty && (blocks === undefined || blocks.length === 0)) throw new SlackError('no_text');
  if ((text?.length ?? 0) > maxText) throw new SlackError('msg_too_long');
  if ((markdown?.length ?? 0) > LIMITS.markdownText) throw new SlackError('msg_too_long');
  if ((attachments?.length ?? 0) > LIMITS.attachments) throw new SlackError('too_many_attachments');
  if (blocks !== undefined) checkBlocks(blocks);
  if (markdown !== undefined) {
    const asBlocks = [{ type: 'markdown', text: markdown }];
    checkBlocks(asBlocks);
    return { text: storedFromApp(markdown), blocks: asBlocks };
  }
  return {
    ...(text === undefined ? {} : { text: storedFromApp(text) }),
    ...(blocks === undefined ? {} : { blocks: blocks.map(withBlockId) }),
    ...(attachments === undefined ? {} : { attachments }),
  };
}

/** Slack names blocks that have no name; Markdown blocks lose theirs. */
function withBlockId(block: Shape, index: number): Shape {
  const { block_id: named, ...rest } = block;
  if (block['type'] === 'markdown') return rest;
  return { ...rest, block_id: named ?? `b${index}` };
}

/** `none`: the call had an empty object, which takes metadata off a message. */
export function readMetadata(args: Arguments): Metadata | 'none' | undefined {
  const given = args.object('metadata', 'invalid_metadata_format');
  if (given === undefined) return undefined;
  if (Object.keys(given).length === 0) return 'none';
  const type = textIn(given, 'event_type');
  const payload = shapeIn(given, 'event_payload');
  if (type === undefined || payload === undefined) throw new SlackError('invalid_metadata_schema');
  if (Buffer.byteLength(JSON.stringify(given)) > LIMITS.metadataBytes) throw new SlackError('metadata_too_large');
  return { event_type: type, event_payload: payload };
}

/** A conversation that the app may write to; a person's id stands for the direct conversation with them. */
export function writable(world: World, id: string): Channel {
  const channel = world.people.has(id) ? world.directChannel(id) : world.channel(id);
  if (channel.archived) throw new SlackError('is_archived');
  if (!channel.members.has(world.app.botUserId)) {
    const mayAnyway = channel.kind === 'public' && world.app.scopes.has('chat:write.public');
    if (!mayAnyway) throw new SlackError(channel.kind === 'public' ? 'not_in_channel' : 'channel_not_found');
  }
  return channel;
}

const TS = /^\d{10}\.\d{6}$/;

/** The root's ts, where a message is to stand in a thread. */
export function readThread(world: World, channel: Channel, args: Arguments): string | undefined {
  const given = args.text('thread_ts');
  if (given === undefined) return undefined;
  if (!TS.test(given)) throw new SlackError('invalid_thread_ts');
  const root = world.message(channel.id, given);
  if (root === undefined) throw new SlackError('thread_not_found');
  if (root.threadTs !== undefined) throw new SlackError('cannot_reply_to_message');
  return root.ts;
}
