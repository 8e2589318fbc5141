import type { Actor, RequestEntry } from '../thread/entry.ts';
import type { EntryId, MessageId } from '../thread/ids.ts';
import type { AnswerMessage } from './answer-message.ts';

/** The request that a turn's task waits for. Plain JSON: it is committed with the turn. */
export interface OpenRequest {
  readonly entry: RequestEntry;
  /** As `Pause`. */
  readonly name: string;
  readonly says: string;
  readonly echo?: string;
  readonly askedAtMs: number;
  readonly untilMs: number;
  /** It was never put to anyone: what is kept of it is what its denial needs. */
  readonly unseen?: true;
  /** Somebody was told that a typed message does not answer this one (decision 14). */
  readonly pointedOut?: true;
}

/** An answer that is owed to the agent: durable before it is acknowledged, sent until the agent has taken it. */
export interface Answering extends AnswerMessage {
  readonly messageId: MessageId;
  /** Who decided: the courier itself is `agent-kourier` (rule S5). */
  readonly actor: Actor;
  /** It has gone out, so what the agent does next may be its doing. */
  readonly sent?: true;
  /** The agent answered with something that is no word about the task: the question is open again if it still waits (rule R11). */
  readonly refused?: true;
}

/** A message that was typed while a text question was open: its answer, if the task still waits (decision 14). */
export interface Typed {
  readonly id: EntryId;
  readonly actor: Actor;
  readonly words: string;
  readonly prefix: string;
}
