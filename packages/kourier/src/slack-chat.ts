import { slackApi } from './adapters/chat/slack/slack-api.ts';
import { identify, type SlackIdentity } from './adapters/chat/slack/slack-identity.ts';
import { slackPlatform } from './adapters/chat/slack/slack-platform.ts';
import { slackPosting } from './adapters/chat/slack/slack-posting.ts';
import type { Log } from './adapters/machine/log.ts';
import { DEFAULT_DELIVERY_TIMINGS } from './core/delivery/delivery-timings.ts';
import type { Courier } from './courier/courier.ts';
import { Deliveries } from './courier/delivery/deliveries.ts';
import type { Chat, ThreadUpdate } from './ports/chat.ts';
import type { Clock } from './ports/clock.ts';
import type { Ids } from './ports/ids.ts';
import type { Observe } from './ports/observer.ts';
import type { ChatPlatform, Registry } from './ports/registry.ts';
import type { Store } from './ports/store.ts';
import type { Webhook } from './ports/webhook.ts';

export interface SlackChatParts {
  readonly platform: ChatPlatform;
  readonly registry: Registry;
  readonly store: Store;
  readonly courier: () => Courier;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observe: Observe;
  readonly log: Log;
}

export interface SlackChat extends Chat {
  readonly webhooks: readonly Webhook[];
  start(): void;
  /** Before the courier is drained. */
  stop(): Promise<void>;
  notReady(): readonly string[];
}

/** While Slack does not say who we are, nothing can be posted; what is owed waits in the store. */
const ASK_AGAIN_MS = 5_000;

/** Composes one Slack app: what comes in, and what goes out once Slack has said who we are. */
export function slackChat(parts: SlackChatParts): SlackChat {
  const { platform, registry, courier, clock } = parts;
  const { name, botToken, apiUrl } = platform;
  const bindings = () => registry.current().bindings.values();
  const door = {
    open: (...given: Parameters<Courier['open']>) => courier().open(...given),
    say: (...given: Parameters<Courier['say']>) => courier().say(...given),
    stop: (...given: Parameters<Courier['stop']>) => courier().stop(...given),
    answer: (...given: Parameters<Courier['answer']>) => courier().answer(...given),
  };
  const hearing = slackPlatform({ ...parts, bindings, door, log: (level, line) => parts.log(level, { ...line }) });
  const api = slackApi({ botToken, apiUrl, called: () => undefined });
  let outward: ReturnType<typeof outwardTo> | undefined;
  let callOff: (() => void) | undefined;
  let stopped = false;
  const begin = async (): Promise<void> => {
    const own = await identify(api).catch(() => undefined);
    if (stopped) return;
    if (own === undefined) {
      callOff = clock.wakeAt(clock.now() + ASK_AGAIN_MS, () => void begin());
      return;
    }
    outward = outwardTo(parts, own);
    await outward.deliveries.start();
  };
  return {
    platform: name,
    displayName: 'Slack',
    webhooks: hearing.webhooks,
    show: (update) => outward?.show(update),
    start() {
      hearing.start();
      void begin();
    },
    async stop() {
      stopped = true;
      callOff?.();
      await hearing.stop();
      outward?.status.close();
      await outward?.deliveries.leave();
    },
    notReady: () => hearing.notReady(),
  };
}

function outwardTo(parts: SlackChatParts, own: SlackIdentity) {
  const { registry, store, courier, clock, ids, observe } = parts;
  const bindings = () => registry.current().bindings.values();
  const { poster, places, status } = slackPosting({ ...parts, own, bindings });
  const deliveries = new Deliveries(
    {
      store: {
        changes: (...given) => store.changes(...given),
        placesOf: (thread) => store.placesOf(thread),
        addPlace: (...given) => store.addPlace(...given),
        delivery: (thread) => store.delivery(thread),
        undelivered: (...given) => store.undelivered(...given),
        // One process has the store to itself, so its threads are never another's.
        deliver: (...given) => store.deliver(...given).then(() => 'delivered' as const),
      },
      ...{ clock, poster, places },
      chance: () => ids.chance(),
      // Each of Slack's methods is counted where it is called.
      observe: (observation) => observation.event !== 'chat-called' && observe(observation),
      hold: (thread) => courier().hold(thread),
      lost: (thread) => courier().lost(thread),
      timings: DEFAULT_DELIVERY_TIMINGS,
    },
    'Slack',
  );
  const show = (update: ThreadUpdate): void => {
    deliveries.show(update);
    if (update.live) return;
    store.placesOf(update.thread).then(
      (all) => {
        for (const place of all.filter(places.isPlace)) status.show(place, update.status);
      },
      () => undefined,
    );
  };
  return { deliveries, status, show };
}
