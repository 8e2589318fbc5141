import { DEFAULT_DELIVERY_TIMINGS } from '../src/core/delivery/delivery-timings.ts';
import type { Courier } from '../src/courier/courier.ts';
import { Deliveries } from '../src/courier/delivery/deliveries.ts';
import type { DeliveryWorld } from '../src/courier/delivery/delivery-world.ts';
import type { World } from '../src/courier/world.ts';
import type { Observation } from '../src/ports/observer.ts';
import type { Life } from './machine.ts';
import type { Platform } from './platform.ts';
import type { PostAudit } from './post-audit.ts';
import type { Setting } from './setting.ts';
import { below, SimPoster } from './sim-poster.ts';
import type { SimStore } from './sim-store.ts';

export interface Posting {
  readonly platform: Platform;
  readonly audit: PostAudit;
  /** A planted bug. */
  readonly plant: (world: DeliveryWorld) => DeliveryWorld;
}

/** What begins there began elsewhere, like an alert: its thread on the platform has to be opened. */
const ELSEWHERE = 'place-0';

/** The real deliveries of one process over the simulated platform. */
export function simDeliveries(
  setting: Setting,
  life: Life,
  { platform, audit, plant }: Posting,
  { store, world, courier }: { readonly store: SimStore; readonly world: World; readonly courier: () => Courier },
): Deliveries {
  const { changes, placesOf, addPlace, delivery, undelivered, deliverAs: deliver } = store;
  const delivering: DeliveryWorld = {
    store: { changes, placesOf, addPlace, delivery, undelivered, deliver },
    clock: world.clock,
    chance: world.ids.chance,
    observe: (observation) => observed(setting, life, observation),
    poster: new SimPoster(setting, life, platform, audit),
    places: {
      isPlace: (place) => place !== ELSEWHERE,
      channelOf: (binding) => `channel-${binding}`,
      below,
    },
    hold: (thread) => courier().hold(thread),
    lost: (thread) => courier().lost(thread),
    timings: DEFAULT_DELIVERY_TIMINGS,
  };
  return new Deliveries(plant(delivering), 'Sim');
}

function observed({ mark, trace }: Setting, life: Life, observation: Observation): void {
  if (!life.alive) return;
  if (observation.event === 'store-failed')
    return trace.note(life.name, `delivery of ${observation.thread}: ${observation.why}`);
  if (observation.event !== 'chat-called') return;
  const { method, outcome } = observation;
  trace.note(life.name, `${method}: ${outcome}`);
  if (outcome === 'refused') mark('post-refused');
  if (method === 'find') mark('post-looked-for');
  if (method === 'remove' && outcome === 'edited') mark('post-removed');
}
