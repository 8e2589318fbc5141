import { createHash } from 'node:crypto';
import type { AnswerEntry, Entry, MessageEntry, NoticeEntry, StepEntry } from '../../../../core/thread/entry.ts';
import type { TurnId } from '../../../../core/thread/ids.ts';
import type { Post } from '../../../../ports/poster.ts';
import { isSlackId } from '../slack-place.ts';
import { inertPlain } from './inert.ts';
import { nameOf } from './outcome.ts';
import { replyParts } from './reply-parts.ts';
import { requestBody } from './request-body.ts';
import type { BlocksBody, ReplyBody, SlackBody, Weight } from './slack-body.ts';
import { plainContext, plainSections } from './text-blocks.ts';

/** Begins every key of a message that may have begun as a stream. */
export const REPLY_KEY = 'reply/';

/** Says how it goes, not that something failed. */
const PASSING: readonly NoticeEntry['code'][] = ['busy', 'answer-the-prompt', 'context-lost'];

interface Reply {
  readonly turnId: TurnId;
  readonly entries: (AnswerEntry | StepEntry)[];
}

type Item = Reply | Exclude<Entry, AnswerEntry | StepEntry>;

/**
 * A thread's entries as messages (`Poster.layout`). Pieces of an answer and steps that follow each other are one reply,
 * whatever people write meanwhile.
 */
export function layoutThread(entries: readonly Entry[]): readonly Post[] {
  const items = itemsOf(entries);
  const last = new Map(items.flatMap((item) => (item.turnId === undefined ? [] : [[item.turnId, item] as const])));
  const askers = askersOf(entries);
  return items.flatMap((item) => {
    if ('entries' in item) return replyPosts(item, last.get(item.turnId) === item, askers.get(item.turnId));
    switch (item.kind) {
      case 'message':
        return [post(`message/${item.id}`, messageBody(item))];
      case 'notice':
        return [post(`notice/${item.id}`, noticeBody(item))];
      case 'request':
        return [post(`request/${item.id}`, requestBody(item))];
      default:
        return [];
    }
  });
}

function itemsOf(entries: readonly Entry[]): readonly Item[] {
  const items: Item[] = [];
  for (const entry of entries) {
    if (entry.kind === 'message' && isFromSlack(entry)) continue;
    const before = items.at(-1);
    if (entry.kind !== 'answer' && entry.kind !== 'step') items.push(entry);
    else if (before && 'entries' in before && before.turnId === entry.turnId) before.entries.push(entry);
    else items.push({ turnId: entry.turnId, entries: [entry] });
  }
  return items;
}

/** What a person wrote on Slack, or a bot, is there already. */
const isFromSlack = ({ actor }: MessageEntry): boolean =>
  actor !== undefined && /^[UWB]/.test(actor.id) && isSlackId(actor.id);

/** The person who began each turn: a stream is shown to nobody else. */
function askersOf(entries: readonly Entry[]): ReadonlyMap<TurnId, string> {
  const askers = new Map<TurnId, string>();
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.turnId === undefined || entry.actor === undefined) continue;
    if (isFromSlack(entry) && !entry.actor.id.startsWith('B') && !askers.has(entry.turnId))
      askers.set(entry.turnId, entry.actor.id);
  }
  return askers;
}

function replyPosts({ entries }: Reply, isLast: boolean, recipient: string | undefined): Post[] {
  const [first] = entries;
  if (first === undefined) return [];
  const parts = replyParts(entries);
  const isGoing =
    isLast && entries.some((entry) => (entry.kind === 'answer' ? entry.streaming : entry.state === 'running'));
  const endsWithStep = entries.at(-1)?.kind === 'step';
  return parts.map(({ pieces, settled }, index) => {
    const live = isGoing && index === parts.length - 1;
    const weight: Weight = live ? 'live' : endsWithStep ? 'step' : 'final';
    const body: ReplyBody = {
      kind: 'reply',
      pieces,
      weight,
      ...(live && { settled }),
      ...(recipient !== undefined && { recipient }),
    };
    return post(`${REPLY_KEY}${first.id}/${index}`, body, live);
  });
}

function noticeBody({ code, text }: NoticeEntry): BlocksBody {
  const plain = inertPlain(text);
  const blocks = PASSING.includes(code) ? [plainContext(plain)] : plainSections(plain);
  return { kind: 'blocks', blocks, plain, weight: 'prompt' };
}

/** What a trigger wrote, or a person elsewhere. */
function messageBody({ actor, text }: MessageEntry): BlocksBody {
  const words = inertPlain(text);
  const plain = words.trim() === '' ? '(no words)' : words;
  const blocks = plainSections(plain).slice(0, 3);
  const who = actor && plainContext(`${nameOf(actor)} wrote elsewhere:`);
  return { kind: 'blocks', blocks: who ? [who, ...blocks] : blocks, plain, weight: 'final' };
}

function post(key: string, body: SlackBody, live = false): Post {
  const seen = body.kind === 'reply' ? body.pieces : body.blocks;
  const says = createHash('sha256')
    .update(JSON.stringify([live, seen]))
    .digest('base64url')
    .slice(0, 22);
  return { key, says, body, live };
}
