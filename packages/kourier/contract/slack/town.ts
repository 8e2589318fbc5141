import type { Person } from './model.ts';
import { OTHER_TEAM, TEAM, type World } from './world.ts';

/** Ada has an address, Bob has none, Gil is a guest, Sam comes from another workspace through Slack Connect. */
export const PEOPLE = { ada: 'U0ADA', bob: 'U0BOB', gil: 'U0GIL', sam: 'U0SAM' } as const;

/** The app is in all of them but `elsewhere`. `partners` is shared with the other workspace. */
export const CHANNELS = { ops: 'C0OPS', elsewhere: 'C0ELSEWHERE', partners: 'C0PARTNERS', secret: 'G0SECRET' } as const;

const EVERYBODY: readonly Person[] = [
  member(PEOPLE.ada, 'ada', 'Ada Lovelace', 'Ada', 'ada@example.com'),
  member(PEOPLE.bob, 'bob', 'Bob Ross', ''),
  { ...member(PEOPLE.gil, 'gil', 'Gil Guest', 'Gil', 'gil@example.org'), kind: 'guest' },
  { ...member(PEOPLE.sam, 'sam', 'Sam Stranger', 'Sam', 'sam@other.example'), teamId: OTHER_TEAM },
];

function member(id: string, name: string, realName: string, displayName: string, email?: string): Person {
  return { id, teamId: TEAM, name, realName, displayName, kind: 'member', ...(email === undefined ? {} : { email }) };
}

/** Fills a world with a few people and channels. */
export function settle(world: World): void {
  const { app } = world;
  for (const person of EVERYBODY) world.people.set(person.id, person);
  world.people.set(app.botUserId, { ...member(app.botUserId, 'kourier', app.name, ''), kind: 'bot' });
  const { ada, bob, gil, sam } = PEOPLE;
  const us = app.botUserId;
  world.addChannel({ id: CHANNELS.ops, name: 'ops', kind: 'public', members: [ada, bob, gil, us] });
  world.addChannel({ id: CHANNELS.elsewhere, name: 'elsewhere', kind: 'public', members: [ada, bob] });
  world.addChannel({ id: CHANNELS.secret, name: 'secret', kind: 'private', members: [ada, bob, us] });
  const partners = { id: CHANNELS.partners, name: 'partners', kind: 'public', shared: true } as const;
  world.addChannel({ ...partners, members: [ada, sam, us] });
}
