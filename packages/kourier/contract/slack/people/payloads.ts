import type { Message } from '../model.ts';
import type { Shape } from '../shape.ts';
import { TEAM, type World } from '../world.ts';

const TRIGGER_MS = 3_000;
const RESPONSE_URL_MS = 1_800_000;

/** What every interaction says of who did it and to which app. */
export function whoDidIt(world: World, user: string): Shape {
  const person = world.people.get(user);
  return {
    user: { id: user, username: person?.name ?? '', name: person?.name ?? '', team_id: person?.teamId ?? TEAM },
    api_app_id: world.app.id,
    token: world.app.verificationToken,
    team: { id: TEAM, domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
  };
}

/** Good for one modal within three seconds. */
export function newTrigger(world: World, user: string): string {
  const id = `${world.clock.now()}.${world.id('')}.${world.id('t')}`;
  world.triggers.set(id, { user, expiresMs: world.clock.now() + TRIGGER_MS, used: false });
  return id;
}

/** The path of a new `response_url`. */
export function newResponsePath(world: World, message: Message, user: string): string {
  const id = world.id('R');
  const expiresMs = world.clock.now() + RESPONSE_URL_MS;
  world.responseUrls.set(id, { channel: message.channel, ts: message.ts, user, expiresMs, usesLeft: 5 });
  return `/actions/${id}`;
}
