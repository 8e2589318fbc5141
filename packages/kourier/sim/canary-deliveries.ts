import type { DeliveryWorld } from '../src/courier/delivery/delivery-world.ts';
import type { Poster } from '../src/ports/poster.ts';
import type { Plant } from './plant.ts';

/** Bugs that a delivery could have, planted in what it stands on. */
export const DELIVERY_CANARIES: Readonly<Record<string, Plant>> = {
  'posted before its intent is durable': { delivery: hasty },
  'an intent is lost': { delivery: forgetful },
  'posted again without a look': { delivery: onPoster(() => ({ find: async () => ({ kind: 'found', refs: [] }) })) },
  'looked for too early': { delivery: onTimings({ settleMs: 0, lookAgainMs: 0, checkAfterMs: 0 }) },
  'looked for once only': { delivery: onTimings({ looks: 1, settleMs: 0, checkAfterMs: 0 }) },
  'doubles are not looked for': { delivery: onTimings({ checkAfterMs: 0 }) },
  'the last text is not said again': { delivery: onTimings({ doubtMs: 0 }) },
  'who has lost a thread posts on': {
    disk: (disk) => {
      disk.deliveriesFenced = false;
    },
  },
  'a final text is taken for a live one': { delivery: onPoster(lazy) },
  'what somebody deleted comes back': { delivery: onPoster(reviving) },
  'an unknown outcome is taken for none': { delivery: onPoster(bold) },
};

function onTimings(timings: Partial<DeliveryWorld['timings']>): (world: DeliveryWorld) => DeliveryWorld {
  return (world) => ({ ...world, timings: { ...world.timings, ...timings } });
}

function onPoster(change: (poster: Poster) => Partial<Poster>): (world: DeliveryWorld) => DeliveryWorld {
  return (world) => {
    const { platform, layout, post, edit, remove, find, open } = world.poster;
    const poster = { platform, layout, post, edit, remove, find, open };
    return { ...world, poster: { ...poster, ...change(poster) } };
  };
}

/** Says at once what the store will say, if nothing happens to it. */
function hasty(world: DeliveryWorld): DeliveryWorld {
  const { deliver } = world.store;
  const store = {
    ...world.store,
    deliver: async (...given: Parameters<typeof deliver>) => {
      deliver(...given).catch(() => undefined);
      return 'delivered' as const;
    },
  };
  return { ...world, store };
}

/** Writes only what is shown. */
function forgetful(world: DeliveryWorld): DeliveryWorld {
  const shown = new Map<string, number>();
  const { deliver } = world.store;
  const store = {
    ...world.store,
    deliver: async (...[thread, delivery]: Parameters<typeof deliver>) => {
      if (shown.get(thread) === delivery.revision) return 'delivered' as const;
      const delivered = await deliver(thread, delivery);
      shown.set(thread, delivery.revision);
      return delivered;
    },
  };
  return { ...world, store };
}

/** Takes an edit that nothing follows for one that another will follow. */
function lazy(poster: Poster): Partial<Poster> {
  let count = 0;
  return {
    edit: async (place, ref, post) => (++count % 10 === 0 ? { kind: 'edited' } : poster.edit(place, ref, post)),
  };
}

function reviving(poster: Poster): Partial<Poster> {
  return {
    edit: async (place, ref, post) => {
      const edited = await poster.edit(place, ref, post);
      if (edited.kind === 'gone') await poster.post(place, post);
      return edited;
    },
  };
}

function bold(poster: Poster): Partial<Poster> {
  return {
    post: async (place, post) => {
      const posted = await poster.post(place, post);
      return posted.kind === 'unknown' ? { kind: 'not-done', why: posted.why } : posted;
    },
  };
}
