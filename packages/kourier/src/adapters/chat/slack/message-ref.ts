import type { Place, PostRef } from '../../../ports/poster.ts';
import { isSlackId, isTs, placeOf, readPlace } from './slack-place.ts';

/** A message of ours: `C1/1700000000.000100`. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}

export const refOf = ({ channel, ts }: MessageRef): PostRef => `${channel}/${ts}`;

/** `undefined`: no message on Slack. */
export function readRef(ref: PostRef): MessageRef | undefined {
  const [channel, ts, ...more] = ref.split('/');
  return more.length === 0 && isSlackId(channel) && isTs(ts) ? { channel, ts } : undefined;
}

/** Where something is posted: a thread, or, for what begins one, a channel (`T1/C1`). */
export interface Where {
  readonly team: string;
  readonly channel: string;
  readonly threadTs?: string;
}

export function readWhere(place: Place): Where | undefined {
  const thread = readPlace(place);
  if (thread !== undefined) return thread;
  const [team, channel, ...more] = place.split('/');
  return more.length === 0 && isSlackId(team) && isSlackId(channel) ? { team, channel } : undefined;
}

/** The thread below a message that stands in a channel. */
export function placeBelow(channel: Place, ref: PostRef): Place {
  const where = readWhere(channel);
  const message = readRef(ref);
  if (where === undefined || message === undefined) throw new Error('no channel, or no message in it');
  return placeOf({ team: where.team, channel: message.channel, threadTs: message.ts });
}
