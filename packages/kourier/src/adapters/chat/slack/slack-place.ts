/** A thread on Slack. */
export interface SlackPlace {
  readonly team: string;
  readonly channel: string;
  /** The ts of its first message. */
  readonly threadTs: string;
}

const ID = /^[A-Z0-9]{2,32}$/;
const TS = /^\d{1,12}\.\d{1,8}$/;

/** An id of a team, a channel or a person, as Slack makes them. */
export const isSlackId = (value: string | undefined): value is string => value !== undefined && ID.test(value);

/** What Slack names a message by within its channel: seconds with six decimals. */
export const isTs = (value: string | undefined): value is string => value !== undefined && TS.test(value);

/** `T1/C1/1700000000.000100`. */
export function placeOf({ team, channel, threadTs }: SlackPlace): string {
  return `${team}/${channel}/${threadTs}`;
}

/** `undefined`: no thread on Slack. */
export function readPlace(place: string): SlackPlace | undefined {
  const [team, channel, threadTs, ...more] = place.split('/');
  if (more.length > 0 || !isSlackId(team) || !isSlackId(channel) || !isTs(threadTs)) return undefined;
  return { team, channel, threadTs };
}

/** Milliseconds since the epoch, rounded down. */
export const tsToMs = (ts: string): number => Math.floor(Number(ts) * 1_000);

export const msToTs = (ms: number): string => (Math.max(0, ms) / 1_000).toFixed(6);
