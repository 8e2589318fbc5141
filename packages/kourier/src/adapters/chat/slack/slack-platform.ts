import type { Clock } from '../../../ports/clock.ts';
import type { CourierDoor } from '../../../ports/courier-door.ts';
import type { Ids } from '../../../ports/ids.ts';
import type { Observe } from '../../../ports/observer.ts';
import type { ChatPlatform } from '../../../ports/registry.ts';
import type { Store } from '../../../ports/store.ts';
import type { Webhook } from '../../../ports/webhook.ts';
import { type BoundBinding, boundHere } from './bound-here.ts';
import { slackReceiver } from './receiver/slack-receiver.ts';
import { slackApi } from './slack-api.ts';
import { type Signing, SlackHearing } from './slack-hearing.ts';
import type { SlackLog } from './slack-log.ts';

export interface SlackPlatformOptions {
  readonly platform: ChatPlatform;
  /** As they are now: asked for at each event. */
  readonly bindings: () => Iterable<BoundBinding>;
  readonly door: CourierDoor;
  readonly store: Pick<Store, 'threadAt' | 'threadOf' | 'timeline' | 'open' | 'delivery' | 'deliver'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'thread' | 'entry' | 'chance'>;
  readonly observe: Observe;
  readonly log: SlackLog;
}

/** What comes in from one Slack app. */
export interface SlackPlatform {
  /** To be mounted, for mode `http`; empty in mode `socket`. */
  readonly webhooks: readonly Webhook[];
  /** Returns at once; what is not up yet stands in `notReady`, and is tried until it is. */
  start(): void;
  /** Hears nothing more. Resolves when what was acknowledged has gone out. Before the courier is drained. */
  stop(): Promise<void>;
  /** What is not as it should be, one line each; empty while messages come in. */
  notReady(): readonly string[];
}

/** Hears what is said on Slack, and brings it to the courier: commit, then acknowledge. */
export function slackPlatform(options: SlackPlatformOptions): SlackPlatform {
  const { platform, bindings, clock, log, observe } = options;
  const { name, botToken, apiUrl } = platform;
  const called = (method: string, outcome: string): void =>
    observe({ event: 'chat-called', platform: name, method, outcome });
  const hearing = new SlackHearing({
    ...options,
    name,
    bound: boundHere(name, bindings),
    api: slackApi({ botToken, apiUrl, called }),
    ...(platform.mode === 'socket' ? { socket: { appToken: platform.appToken, apiUrl } } : {}),
  });
  const signing: Signing | undefined = platform.mode === 'http' ? platform : undefined;
  return {
    webhooks:
      signing === undefined
        ? []
        : slackReceiver({
            platform: name,
            signingSecret: signing.signingSecret,
            clock,
            log,
            intake: () => hearing.intake,
          }),
    start: () => hearing.start(),
    stop: () => hearing.stop(),
    notReady: () => hearing.notReady(),
  };
}
