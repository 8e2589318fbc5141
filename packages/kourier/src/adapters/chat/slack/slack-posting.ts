import type { Clock } from '../../../ports/clock.ts';
import type { Observe } from '../../../ports/observer.ts';
import type { Place, PostRef } from '../../../ports/poster.ts';
import type { ChatPlatform } from '../../../ports/registry.ts';
import type { BoundBinding } from './bound-here.ts';
import { slackCalls } from './calls/slack-calls.ts';
import { placeBelow } from './message-ref.ts';
import type { SlackIdentity } from './slack-identity.ts';
import { readPlace } from './slack-place.ts';
import { SlackPoster } from './slack-poster.ts';
import { ThreadStatusLine } from './thread-status.ts';

export interface SlackPostingOptions {
  readonly platform: ChatPlatform;
  readonly own: SlackIdentity;
  /** As they are now. */
  readonly bindings: () => Iterable<BoundBinding>;
  readonly clock: Clock;
  readonly observe: Observe;
}

/** What goes out to one Slack app, once Slack has said who we are. */
export function slackPosting({ platform, own, bindings, clock, observe }: SlackPostingOptions) {
  const { name, botToken, apiUrl } = platform;
  const calls = slackCalls({ platform: name, botToken, apiUrl, clock, observe });
  const identity = () => Promise.resolve(own);
  return {
    poster: new SlackPoster({ platform: name, calls, clock, botToken, identity }),
    status: new ThreadStatusLine(calls, clock),
    places: {
      isPlace: (place: string): boolean => readPlace(place)?.team === own.team,
      /** What began elsewhere, like an alert, begins in the binding's first channel. */
      channelOf(binding: string): Place | undefined {
        const bound = [...bindings()].find((each) => each.name === binding);
        const [channel] = bound?.chat.platform === name ? bound.chat.channels : [];
        return channel === undefined ? undefined : `${own.team}/${channel}`;
      },
      below: (channel: Place, ref: PostRef): Place => placeBelow(channel, ref),
    },
  };
}
