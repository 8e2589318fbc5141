import { renderBlocks } from '../blocks/render-blocks.ts';
import { calledBy, readText } from '../blocks/stored-text.ts';
import type { Message } from '../model.ts';
import { type Shape, shapeIn, shapesIn, textIn } from '../shape.ts';
import { streamBlocks } from '../stream-content.ts';
import type { World } from '../world.ts';

export interface SeenButton {
  readonly actionId: string;
  readonly label: string;
  readonly value?: string;
}

/** A message as it stands on the screen. */
export interface Seen {
  readonly channel: string;
  readonly ts: string;
  readonly thread?: string;
  /** Their display name, or the app's. */
  readonly author: string;
  /** The app under test wrote it. */
  readonly ours: boolean;
  /** Blocks where there are some, else the text; names and characters as they are read. */
  readonly text: string;
  readonly edited: boolean;
  /** Still being written. */
  readonly streaming: boolean;
  readonly buttons: readonly SeenButton[];
  readonly message: Message;
}

/** What stands in a conversation, oldest first. With a thread: its root and replies; without: what stands in the channel itself. */
export function seenIn(world: World, channel: string, thread?: string): readonly Seen[] {
  const messages =
    thread === undefined
      ? world
          .channel(channel)
          .messages.filter(
            ({ threadTs, subtype, deleted }) => !deleted && (threadTs === undefined || subtype === 'thread_broadcast'),
          )
      : world.thread(channel, thread);
  return messages.map((message) => seen(world, message));
}

export function shownBlocks(message: Message): readonly Shape[] {
  return message.stream === undefined ? message.blocks : [...streamBlocks(message.stream), ...message.blocks];
}

export function nameOf(world: World, user: string): string {
  const person = world.people.get(user);
  if (person === undefined) return user;
  return person.displayName === '' ? person.realName : person.displayName;
}

export function seen(world: World, message: Message): Seen {
  const blocks = shownBlocks(message);
  const name = (user: string): string => nameOf(world, user);
  const own = blocks.length > 0 && message.app !== undefined;
  return {
    channel: message.channel,
    ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread: message.threadTs }),
    author: message.app?.name ?? name(message.user),
    ours: message.app?.id === world.app.id,
    text: own ? renderBlocks(blocks, name) : readText(message.text, name),
    edited: message.edited !== undefined,
    streaming: message.stream?.state === 'streaming',
    buttons: elementsOf(blocks)
      .filter(({ type }) => type === 'button')
      .map((button) => ({
        actionId: textIn(button, 'action_id') ?? '',
        label: textIn(shapeIn(button, 'text') ?? {}, 'text') ?? '',
        ...(textIn(button, 'value') === undefined ? {} : { value: textIn(button, 'value') ?? '' }),
      })),
    message,
  };
}

/** Everything that can be acted on, wherever it stands in a block. */
export function elementsOf(blocks: readonly Shape[]): readonly Shape[] {
  return blocks.flatMap((block) => [
    ...(block['type'] === 'actions' || block['type'] === 'context_actions' ? shapesIn(block, 'elements') : []),
    ...[shapeIn(block, 'accessory'), shapeIn(block, 'element')].filter((each) => each !== undefined),
  ]);
}

/** Whom a message of an app has called: people, groups, `channel`, `here`, `everyone` (decision 17). */
export function calledIn(message: Message): readonly string[] {
  // Blocks hide the text from readers, and it still notifies.
  return [...new Set([message.text, ...writtenIn(shownBlocks(message))].flatMap((text) => calledBy(text)))];
}

/** Markup that is read: `mrkdwn` and Markdown. Plain text calls nobody. */
function writtenIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(writtenIn);
  if (typeof value !== 'object' || value === null) return [];
  const shape = value as Shape;
  if (shape['type'] === 'mrkdwn' || shape['type'] === 'markdown') return [textIn(shape, 'text') ?? ''];
  if (shape['type'] === 'user') return [`<@${textIn(shape, 'user_id') ?? ''}>`];
  if (shape['type'] === 'broadcast') return [`<!${textIn(shape, 'range') ?? ''}>`];
  return Object.values(shape).flatMap(writtenIn);
}
