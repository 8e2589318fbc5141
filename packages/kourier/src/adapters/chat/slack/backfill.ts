import type { Clock } from '../../../ports/clock.ts';
import type { BoundHere } from './bound-here.ts';
import type { Heard } from './events/heard.ts';
import { type Reader, readEvent } from './events/read-event.ts';
import type { HeardRecord } from './heard-record.ts';
import { HEARING } from './hearing-limits.ts';
import { type Json, textIn } from './json.ts';
import type { SlackLog } from './slack-log.ts';
import { isTs, msToTs, placeOf, readPlace, tsToMs } from './slack-place.ts';
import type { SlackReads } from './slack-reads.ts';

export interface BackfillOptions {
  readonly platform: string;
  readonly reads: SlackReads;
  readonly bound: BoundHere;
  readonly reader: Reader;
  readonly record: Pick<HeardRecord, 'placesSince'>;
  readonly clock: Clock;
  readonly log: SlackLog;
  /** As for an event: the keys are the same, so what was heard is not heard twice. `false`: not taken. */
  readonly take: (heard: Heard, channel: string, ts: string) => Promise<boolean>;
}

/**
 * Makes up for a gap (slack.md 2, Inbound): reads the bound channels, the direct conversations and the threads that were
 * used lately, and takes what was said there since. `false`: not everything could be read or taken; the same again is
 * harmless.
 */
export async function backfill(options: BackfillOptions, sinceMs: number, recentMs: number): Promise<boolean> {
  const { bound, record, reader } = options;
  const places = record.placesSince(recentMs).flatMap((place) => readPlace(place) ?? []);
  const ours = places.filter(({ team }) => team === reader.self.team);
  const isBound = (channel: string): boolean =>
    bound.inChannel(channel) !== undefined || (channel.startsWith('D') && bound.directly() !== undefined);
  const direct = ours.map(({ channel }) => channel).filter((channel) => channel.startsWith('D'));
  const threads = new Set(ours.map(({ channel, threadTs }) => placeOf({ team: '', channel, threadTs })));
  let isWhole = true;
  for (const channel of new Set([...bound.channels(), ...direct].filter(isBound))) {
    const read = await make(options, sinceMs, channel);
    isWhole &&= read.isWhole;
    for (const root of read.answered) threads.add(placeOf({ team: '', channel, threadTs: root }));
  }
  for (const place of threads) {
    const [, channel = '', threadTs] = place.split('/');
    if (isBound(channel)) isWhole = (await make(options, sinceMs, channel, threadTs)).isWhole && isWhole;
  }
  if (bound.directly() === undefined || options.clock.now() - sinceMs < HEARING.directGapMs) return isWhole;
  return (await makeDirect(options, sinceMs, new Set(direct))) && isWhole;
}

/**
 * Direct conversations that nothing was heard of: somebody's first message may be among what was missed. Slack does not
 * say in which there is something new, so the newest are read, as many as there is time for.
 */
async function makeDirect(options: BackfillOptions, sinceMs: number, known: ReadonlySet<string>): Promise<boolean> {
  const { reads, log, platform, clock, bound } = options;
  const untilMs = clock.now() + HEARING.directWithinMs;
  const listed = await reads.direct();
  if (listed.kind !== 'read') log('warn', { event: 'slack-direct-not-listed', platform, why: listed.why });
  const unknown = listed.channels.filter((channel) => !known.has(channel) && bound.inChannel(channel) === undefined);
  let isWhole = listed.kind !== 'failed';
  let looked = 0;
  for (const channel of unknown.slice(0, HEARING.directConversations)) {
    if (clock.now() >= untilMs) break;
    looked++;
    const read = await make(options, sinceMs, channel);
    isWhole &&= read.isWhole;
    for (const root of read.answered) isWhole = (await make(options, sinceMs, channel, root)).isWhole && isWhole;
    // Slack is not there: all of it is looked for again soon.
    if (!read.isRead) return false;
  }
  if (looked < unknown.length) {
    log('warn', { event: 'slack-direct-not-all', platform, looked, left: unknown.length - looked });
  }
  return isWhole;
}

/** One conversation or thread. `isRead` false: not for now. `answered`: messages in it that have replies since. */
async function make(
  { reads, reader, take, log, platform }: BackfillOptions,
  sinceMs: number,
  channel: string,
  threadTs?: string,
): Promise<{ readonly isRead: boolean; readonly isWhole: boolean; readonly answered: readonly string[] }> {
  const read = await reads.since(channel, msToTs(sinceMs), threadTs);
  // A channel that we are not in is said once a time, and holds up nothing.
  if (read.kind !== 'read') log('warn', { event: 'slack-not-read', platform, channel, why: read.why });
  const isRead = read.kind !== 'failed';
  let isWhole = isRead;
  const answered: string[] = [];
  for (const message of read.messages) {
    const ts = textIn(message, 'ts');
    if (!isTs(ts)) continue;
    if (threadTs === undefined && hasRepliesSince(message, sinceMs)) answered.push(ts);
    // The root comes with every page of its thread.
    if (tsToMs(ts) < sinceMs) continue;
    const heard = readEvent({ ...message, type: 'message', channel }, reader);
    isWhole = (await take(heard, channel, ts)) && isWhole;
  }
  return { isRead, isWhole, answered };
}

function hasRepliesSince(message: Json, sinceMs: number): boolean {
  const latest = textIn(message, 'latest_reply');
  return isTs(latest) && tsToMs(latest) >= sinceMs;
}
