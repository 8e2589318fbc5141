import { storedFromApp } from './blocks/stored-text.ts';
import type { Emit } from './delivery/emit.ts';
import { messagePosted } from './delivery/message-events.ts';
import { appMessage } from './methods/chat-write.ts';
import { isShape, shapesIn, textIn } from './shape.ts';
import type { World } from './world.ts';

/** What an app posts to a `response_url`: five times, within half an hour. Returns the HTTP status. */
export function respond(world: World, emit: Emit, path: string, body: string): number {
  const target = world.responseUrls.get(/^\/actions\/(\w+)$/.exec(path)?.[1] ?? '');
  if (target === undefined || target.usesLeft === 0 || world.clock.now() >= target.expiresMs) return 404;
  const given: unknown = JSON.parse(body);
  if (!isShape(given)) return 400;
  target.usesLeft--;
  const original = world.message(target.channel, target.ts);
  const text = storedFromApp(textIn(given, 'text') ?? '');
  const blocks = shapesIn(given, 'blocks');
  if (given['delete_original'] === true) {
    if (original !== undefined) original.deleted = true;
  } else if (given['replace_original'] === true && original !== undefined) {
    Object.assign(original, { text, blocks });
  } else if (given['response_type'] === 'in_channel') {
    const message = { ...appMessage(world, world.channel(target.channel), original?.threadTs, 0), text, blocks };
    emit(messagePosted(world, world.addMessage(message)));
  } else {
    const thread = original?.threadTs === undefined ? {} : { threadTs: original.threadTs };
    world.ephemerals.push({ channel: target.channel, ts: world.ts(), user: target.user, text, blocks, ...thread });
  }
  world.changes.note();
  return 200;
}
