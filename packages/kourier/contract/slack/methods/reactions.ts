import type { Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import type { Call, Methods } from './method.ts';

export const REACTION_METHODS: Methods = {
  'reactions.add': { scopes: ['reactions:write'], run: add },
  'reactions.remove': { scopes: ['reactions:write'], run: remove },
};

function usersOf({ args, world }: Call): { readonly users: Set<string>; readonly us: string } {
  const message = world.message(world.channel(args.required('channel')).id, args.required('timestamp'));
  if (message === undefined) throw new SlackError('message_not_found');
  const name = args.required('name');
  if (!/^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/.test(name)) throw new SlackError('invalid_name');
  const users = message.reactions.get(name) ?? new Set<string>();
  message.reactions.set(name, users);
  return { users, us: world.app.botUserId };
}

function add(call: Call): Shape {
  const { users, us } = usersOf(call);
  if (users.has(us)) throw new SlackError('already_reacted');
  users.add(us);
  return {};
}

function remove(call: Call): Shape {
  const { users, us } = usersOf(call);
  if (!users.delete(us)) throw new SlackError('no_reaction');
  return {};
}
