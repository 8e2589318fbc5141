import type { Shape } from '../shape.ts';
import { TEAM, type World } from '../world.ts';

/** The wrapper of one event, with an event_id of its own. */
export function eventBody(world: World, event: Shape, isShared: boolean): Shape {
  const { app } = world;
  return {
    token: app.verificationToken,
    team_id: TEAM,
    context_team_id: TEAM,
    context_enterprise_id: null,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: world.id('Ev'),
    event_time: Math.floor(world.clock.now() / 1_000),
    authorizations: [
      { enterprise_id: null, team_id: TEAM, user_id: app.botUserId, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: isShared,
    event_context: world.id('4-'),
  };
}
