import type { Clock } from '../../../ports/clock.ts';
import { HEARING } from './hearing-limits.ts';
import { type Json, jsonIn, listIn, textIn } from './json.ts';
import { messagesIn, type SlackApi } from './slack-api.ts';

/** `failed`: not all could be read now. `closed`: it cannot be read at all. */
export type ReadOutcome = { readonly messages: readonly Json[] } & Ended;

type Ended = { readonly kind: 'read' } | { readonly kind: 'failed' | 'closed'; readonly why: string };

/** Reads what was said, as fast as Slack lets us and no faster. */
export interface SlackReads {
  /** What was said in a conversation since then, oldest first; `threadTs`: in that thread. */
  since(channel: string, sinceTs: string, threadTs?: string): Promise<ReadOutcome>;
  /** The app's direct conversations, the newest first. */
  direct(): Promise<DirectOutcome>;
  stop(): void;
}

export type DirectOutcome = { readonly channels: readonly string[] } & Ended;

type Page = SlackApi['call'];

const TRANSIENT = new Set([
  'unreachable',
  'rate_limited',
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
]);

export function slackReads(api: SlackApi, clock: Clock): SlackReads {
  const calls: number[] = [];
  const waits = new Set<() => void>();
  let stopped = false;

  const until = (atMs: number): Promise<void> =>
    new Promise((resolve) => {
      const callOff = clock.wakeAt(atMs, end);
      const wake = (): void => {
        callOff();
        end();
      };
      function end(): void {
        waits.delete(wake);
        resolve();
      }
      waits.add(wake);
    });

  async function pace(): Promise<void> {
    for (;;) {
      const now = clock.now();
      while ((calls[0] ?? now) <= now - 60_000) calls.shift();
      const first = calls[calls.length - HEARING.readsPerMinute];
      if (stopped || first === undefined) break;
      await until(first + 60_001);
    }
    calls.push(clock.now());
  }

  const page: Page = async (method, args) => {
    for (let attempt = 1; ; attempt++) {
      await pace();
      if (stopped) return { kind: 'failed', error: 'unreachable', why: 'stopping' };
      const outcome = await api.call(method, args);
      if (outcome.kind === 'ok' || outcome.retryAfterMs === undefined || attempt >= HEARING.readAttempts)
        return outcome;
      await until(clock.now() + outcome.retryAfterMs);
    }
  };

  return {
    async since(channel, sinceTs, threadTs) {
      const method = threadTs === undefined ? 'conversations.history' : 'conversations.replies';
      const fixed = { channel, oldest: sinceTs, limit: HEARING.pageMessages, ...(threadTs && { ts: threadTs }) };
      const { items, ended } = await paged(page, method, fixed, HEARING.backfillPages, messagesIn);
      return { ...ended, messages: sorted(items, 'ts') };
    },
    async direct() {
      const fixed = { types: 'im', exclude_archived: true, limit: HEARING.pageConversations };
      const listed = (body: Json): readonly Json[] => listIn(body, 'channels');
      const { items, ended } = await paged(page, 'users.conversations', fixed, HEARING.directPages, listed);
      const newest = sorted(items, 'created').toReversed();
      return { ...ended, channels: newest.flatMap((each) => textIn(each, 'id') ?? []) };
    },
    stop() {
      stopped = true;
      for (const wake of [...waits]) wake();
    },
  };
}

/** Page after page, `most` of them at the most. */
async function paged(
  page: Page,
  method: string,
  fixed: Json,
  most: number,
  itemsIn: (body: Json) => readonly Json[],
): Promise<{ readonly items: readonly Json[]; readonly ended: Ended }> {
  const items: Json[] = [];
  let cursor: string | undefined;
  for (let count = 0; count < most; count++) {
    const outcome = await page(method, { ...fixed, ...(cursor && { cursor }) });
    if (outcome.kind === 'failed') {
      const kind = TRANSIENT.has(outcome.error) ? 'failed' : 'closed';
      return { items, ended: { kind, why: outcome.why } };
    }
    items.push(...itemsIn(outcome.body));
    cursor = textIn(jsonIn(outcome.body, 'response_metadata'), 'next_cursor');
    if (cursor === undefined) break;
  }
  return { items, ended: { kind: 'read' } };
}

const sorted = (all: readonly Json[], by: 'ts' | 'created'): readonly Json[] =>
  all.toSorted((one, other) => Number(one[by]) - Number(other[by]));
