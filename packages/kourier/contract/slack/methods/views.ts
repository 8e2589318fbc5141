import { checkView } from '../blocks/check-view.ts';
import { LIMITS } from '../blocks/limits.ts';
import type { View } from '../model.ts';
import { compact, type Shape, shapesIn, textIn } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import { TEAM, type World } from '../world.ts';
import type { Call, Methods } from './method.ts';

/** Modals. */
export const VIEW_METHODS: Methods = {
  'views.open': { scopes: [], run: open },
  'views.push': { scopes: [], run: push },
  'views.update': { scopes: [], run: update },
};

/** Uses up a trigger: three seconds, once. */
function userOf({ args, world }: Call): string {
  const id = args.text('trigger_id');
  const trigger = id === undefined ? undefined : world.triggers.get(id);
  if (trigger === undefined) throw new SlackError('invalid_trigger_id');
  if (trigger.used) throw new SlackError('exchanged_trigger_id');
  if (world.clock.now() >= trigger.expiresMs) throw new SlackError('expired_trigger_id');
  trigger.used = true;
  return trigger.user;
}

function readView({ args, world }: Call): Shape {
  const view = args.object('view', 'invalid_arguments');
  if (view === undefined) throw new SlackError('invalid_arguments');
  checkView(view);
  const external = textIn(view, 'external_id');
  if (external !== undefined && [...world.views.values()].some((each) => each.given['external_id'] === external)) {
    throw new SlackError('duplicate_external_id');
  }
  return view;
}

function open(call: Call): Shape {
  const given = readView(call);
  return added(call.world, userOf(call), given);
}

function push(call: Call): Shape {
  const given = readView(call);
  const user = userOf(call);
  const stack = call.world.viewsOf(user);
  if (stack.length === 0) throw new SlackError('not_found');
  if (stack.length >= LIMITS.viewDepth) throw new SlackError('push_limit_reached');
  return added(call.world, user, given, stack[0]);
}

function added(world: World, user: string, given: Shape, root?: View): Shape {
  const id = world.id('V');
  const view: View = { id, user, given, hash: world.id('h'), rootId: root?.id ?? id };
  world.views.set(id, view);
  world.changes.note();
  return { view: apiView(world, view) };
}

function update({ args, world }: Call): Shape {
  const external = args.text('external_id');
  const view =
    external === undefined
      ? world.views.get(args.required('view_id'))
      : [...world.views.values()].find(({ given }) => given['external_id'] === external);
  if (view === undefined) throw new SlackError('not_found');
  const hash = args.text('hash');
  if (hash !== undefined && hash !== view.hash) throw new SlackError('hash_conflict');
  const given = args.object('view', 'invalid_arguments') ?? {};
  checkView(given);
  replaceView(world, view, given);
  return { view: apiView(world, view) };
}

export function replaceView(world: World, view: View, given: Shape): void {
  view.given = given;
  view.hash = world.id('h');
  world.changes.note();
}

/** `values`: what was put into it, for one that is submitted. */
export function apiView(world: World, view: View, values: Shape = {}): Shape {
  const { given } = view;
  return compact({
    ...given,
    id: view.id,
    team_id: TEAM,
    blocks: shapesIn(given, 'blocks').map((block, index) => ({ block_id: `b${index}`, ...block })),
    private_metadata: textIn(given, 'private_metadata') ?? '',
    callback_id: textIn(given, 'callback_id') ?? '',
    external_id: textIn(given, 'external_id') ?? '',
    state: { values },
    hash: view.hash,
    clear_on_close: given['clear_on_close'] === true,
    notify_on_close: given['notify_on_close'] === true,
    root_view_id: view.rootId,
    previous_view_id: null,
    app_id: world.app.id,
    bot_id: world.app.botId,
  });
}
