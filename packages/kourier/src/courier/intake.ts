import type { MessageId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import { actorPrefix, promptText } from '../core/thread/prompt.ts';
import type { NewTurn } from '../core/turn/event.ts';
import type { Typed } from '../core/request/open-request.ts';
import { chatOf, type World } from './world.ts';

/** The next message that starts a turn, and the asides before it: its context. */
export function firstTurn(
  pending: readonly Message[],
): { readonly message: Message; readonly asides: readonly Message[] } | undefined {
  const at = pending.findIndex(({ turnId }) => turnId !== undefined);
  const message = pending[at];
  return message && { message, asides: pending.slice(0, at) };
}

export function newTurn(
  world: World,
  binding: string,
  message: Message,
  asides: readonly Message[],
): NewTurn | undefined {
  const { id, turnId, actor, atMs } = message;
  if (turnId === undefined) return undefined;
  return {
    id: turnId,
    messageId: id as string as MessageId,
    text: promptText(message, asides, chatOf(world, binding).displayName),
    ...(actor === undefined ? {} : { actor }),
    traceId: message.traceId ?? world.ids.trace(),
    acceptedAtMs: atMs,
  };
}

/** Only a person's word is an answer. */
export function asTyped(world: World, binding: string, { id, actor, text }: Message): Typed | undefined {
  return actor && { id, actor, words: text, prefix: prefixOf(world, binding, actor) };
}

export const prefixOf = (world: World, binding: string, actor: NonNullable<Message['actor']>): string =>
  `${actorPrefix(actor, chatOf(world, binding).displayName)}\n`;
