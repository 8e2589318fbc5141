import type { Typed } from '../core/request/open-request.ts';
import type { MessageId } from '../core/thread/ids.ts';
import type { Message } from '../core/thread/message.ts';
import { actorPrefix, promptText } from '../core/thread/prompt.ts';
import type { NewTurn } from '../core/turn/event.ts';
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
    words: message.text,
    text: promptText(message, asides, chatOf(world, binding).displayName),
    ...(actor === undefined ? {} : { actor }),
    traceId: message.traceId ?? world.ids.trace(),
    acceptedAtMs: atMs,
  };
}

/** Only a person's word is an answer, and only to a question that was there when it was written (decision 14). */
export function firstTyped(
  world: World,
  binding: string,
  pending: readonly Message[],
  askedAtMs: number,
): Typed | undefined {
  for (const { id, turnId, actor, text, atMs } of pending) {
    if (turnId === undefined || !actor || atMs < askedAtMs) continue;
    return { id, actor, words: text, prefix: prefixOf(world, binding, actor) };
  }
  return undefined;
}

export const prefixOf = (world: World, binding: string, actor: NonNullable<Message['actor']>): string =>
  `${actorPrefix(actor, chatOf(world, binding).displayName)}\n`;
