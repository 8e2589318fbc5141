import type { Outcome } from '../../core/delivery/after-call.ts';
import type { PostCall } from '../../core/delivery/next-call.ts';
import type { Place, Post } from '../../ports/poster.ts';
import type { DeliveryWorld } from './delivery-world.ts';

export interface Where {
  readonly place: Place | undefined;
  /** Where the thread's place is made, while it has none. */
  readonly channel: Place | undefined;
}

/** One call to the platform. Never rejects: what throws may have been done. */
export async function performCall(
  world: DeliveryWorld,
  call: PostCall<Post>,
  where: Where,
  overtaken: AbortSignal,
): Promise<Outcome> {
  const { poster, observe } = world;
  const outcome = await made(world, call, where, overtaken).catch((error: unknown): Outcome => {
    return { kind: 'unknown', why: error instanceof Error ? error.message : 'unknown' };
  });
  observe({ event: 'chat-called', platform: poster.platform, method: call.kind, outcome: outcome.kind });
  return outcome;
}

async function made(
  { poster, places }: DeliveryWorld,
  call: PostCall<Post>,
  where: Where,
  overtaken: AbortSignal,
): Promise<Outcome> {
  const { channel } = where;
  const thread = where.place ?? channel;
  const at = ('at' in call ? call.at : undefined) ?? thread;
  if (at === undefined || thread === undefined) throw new Error('a call without a place');
  switch (call.kind) {
    case 'post': {
      if (where.place !== undefined) return poster.post(where.place, call.post, overtaken);
      const opened = await poster.open(thread, call.post, overtaken);
      return opened.kind === 'posted' ? { ...opened, place: opened.place ?? places.below(thread, opened.ref) } : opened;
    }
    case 'edit':
      return poster.edit(at, call.ref, call.post, overtaken);
    case 'remove':
      return poster.remove(at, call.ref);
    case 'find': {
      const found = await poster.find(at, call.key, call.sinceMs);
      if (found.kind !== 'found' || where.place !== undefined) return found;
      const [first] = found.refs;
      return first === undefined ? found : { ...found, place: places.below(at, first) };
    }
  }
}
