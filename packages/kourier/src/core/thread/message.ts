import type { Actor, MessageEntry } from './entry.ts';
import type { EntryId, TurnId } from './ids.ts';

/**
 * What came in from a chat platform or a trigger, durable before it is acknowledged. With `turnId` it starts a turn
 * when the ones before it are settled; without, it is an aside that the next turn carries as untrusted context (S6).
 */
export interface Message {
  /** The id of its entry in the timeline. */
  readonly id: EntryId;
  readonly turnId?: TurnId;
  /** Absent when a trigger wrote it. */
  readonly actor?: Actor;
  /** What the timeline shows, and what the agent gets as the person's words. */
  readonly text: string;
  /** Data of a trigger (alert fields): the agent gets it in a block marked as untrusted, the timeline does not show it. */
  readonly untrusted?: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  /** The W3C trace that the message came with. */
  readonly traceId?: string;
}

export function messageEntry({ id, turnId, actor, text, atMs }: Message): MessageEntry {
  return {
    kind: 'message',
    id,
    ...(turnId === undefined ? {} : { turnId }),
    ...(actor === undefined ? {} : { actor }),
    text,
    at: new Date(atMs).toISOString(),
  };
}
