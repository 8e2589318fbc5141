import type { BoundHere } from './bound-here.ts';
import type { Heard } from './events/heard.ts';
import { type Reader, readEvent } from './events/read-event.ts';
import type { HeardRecord } from './heard-record.ts';
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
  return isWhole;
}

/** One conversation or thread. `answered`: messages in it that have replies since. */
async function make(
  { reads, reader, take, log, platform }: BackfillOptions,
  sinceMs: number,
  channel: string,
  threadTs?: string,
): Promise<{ readonly isWhole: boolean; readonly answered: readonly string[] }> {
  const read = await reads.since(channel, msToTs(sinceMs), threadTs);
  // A channel that we are not in is said once a time, and holds up nothing.
  if (read.kind !== 'read') log('warn', { event: 'slack-not-read', platform, channel, why: read.why });
  let isWhole = read.kind !== 'failed';
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
  return { isWhole, answered };
}

function hasRepliesSince(message: Json, sinceMs: number): boolean {
  const latest = textIn(message, 'latest_reply');
  return isTs(latest) && tsToMs(latest) >= sinceMs;
}
