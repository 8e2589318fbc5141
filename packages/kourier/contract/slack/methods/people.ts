import type { Person } from '../model.ts';
import { compact, type Shape } from '../shape.ts';
import { TEAM, type World } from '../world.ts';
import type { Call, Methods } from './method.ts';

/** Who is who. */
export const PEOPLE_METHODS: Methods = {
  'auth.test': { scopes: [], run: authTest },
  'users.info': { scopes: ['users:read'], run: usersInfo },
  'users.list': { scopes: ['users:read'], run: usersList },
  'bots.info': { scopes: ['users:read'], run: botsInfo },
  'team.info': { scopes: ['team:read'], run: teamInfo },
};

function authTest({ world }: Call): Shape {
  const { app } = world;
  return {
    url: 'https://acme.slack.com/',
    team: 'Acme',
    user: app.name.toLowerCase(),
    team_id: TEAM,
    user_id: app.botUserId,
    bot_id: app.botId,
    is_enterprise_install: false,
  };
}

function usersInfo({ args, world }: Call): Shape {
  return { user: apiPerson(world, world.person(args.required('user'))) };
}

function usersList({ world }: Call): Shape {
  const here = [...world.people.values()].filter(({ teamId }) => teamId === TEAM);
  return { members: here.map((person) => apiPerson(world, person)), response_metadata: { next_cursor: '' } };
}

function botsInfo({ world }: Call): Shape {
  const { app } = world;
  return { bot: { id: app.botId, deleted: false, name: app.name, app_id: app.id, user_id: app.botUserId } };
}

function teamInfo({ args }: Call): Shape {
  const id = args.text('team') ?? TEAM;
  return { team: { id, name: id === TEAM ? 'Acme' : 'Other', domain: id === TEAM ? 'acme' : 'other' } };
}

/** Without its scope there is no address, and none for somebody of another workspace. */
export function apiPerson(world: World, person: Person): Shape {
  const isStranger = person.teamId !== TEAM;
  const showsEmail = world.app.scopes.has('users:read.email') && !isStranger;
  return compact({
    id: person.id,
    team_id: person.teamId,
    name: person.name,
    deleted: false,
    real_name: person.realName,
    tz: 'Europe/Berlin',
    profile: compact({
      real_name: person.realName,
      display_name: person.displayName,
      real_name_normalized: person.realName,
      display_name_normalized: person.displayName,
      email: showsEmail ? person.email : undefined,
      team: person.teamId,
    }),
    is_bot: person.kind === 'bot',
    is_restricted: person.kind === 'guest',
    is_ultra_restricted: false,
    is_stranger: isStranger ? true : undefined,
    is_app_user: false,
    updated: 0,
  });
}
