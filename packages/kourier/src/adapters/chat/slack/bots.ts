import type { Entry } from '../../../core/thread/entry.ts';
import type { BindingChat } from '../../../ports/registry.ts';
import type { HeardMessage } from './events/heard.ts';
import { isSlackId } from './slack-place.ts';

/** A bot's message has the bot's id as its actor, which no person's is like: so the thread itself says who was one. */
const isBot = (actor: string): boolean => actor.startsWith('B') && isSlackId(actor);

/** Whether the bot that wrote this is allowed by name (decision 16). */
export function isAllowed({ bot, user }: HeardMessage, bots: BindingChat['bots']): boolean {
  return bot !== undefined && bots !== undefined && (bots.allowed.includes(bot.id) || bots.allowed.includes(user));
}

/**
 * Whether bots may begin no turn in this thread for now: they began as many as they may since a person wrote, or a request
 * waits, which a person decides.
 */
export function areBotsDone(entries: readonly Entry[], turnsInARow: number): boolean {
  if (entries.some((entry) => entry.kind === 'request' && entry.state === 'open')) return true;
  let turns = 0;
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.actor === undefined) continue;
    if (!isBot(entry.actor.id)) turns = 0;
    else if (entry.turnId !== undefined) turns++;
  }
  return turns >= turnsInARow;
}
