import { apiMessage } from '../api-message.ts';
import { calledBy } from '../blocks/stored-text.ts';
import type { Message } from '../model.ts';
import { compact, type Shape } from '../shape.ts';
import type { World } from '../world.ts';
import type { Happening } from './emit.ts';

const CHANNEL_TYPES = { public: 'channel', private: 'group', im: 'im', mpim: 'mpim' } as const;

/** A new message: `message`, and its twin `app_mention` where it names the app (same ts, another event_id). */
export function messagePosted(world: World, message: Message): Happening {
  const where = placed(world, message.channel, message.ts);
  const event = { ...apiMessage(world, message), ...stranger(world, message), ...where };
  const events = [event, ...mention(world, message)];
  return { channel: message.channel, events: world.random() < 0.5 ? events : events.reverse() };
}

/** `before` as `apiMessage` gave it; absent for the changes that Slack sends without it. */
export function messageChanged(world: World, message: Message, before: Shape | undefined): Happening {
  const ts = world.ts();
  const changed = compact({
    type: 'message',
    subtype: 'message_changed',
    hidden: true,
    message: apiMessage(world, message),
    previous_message: before,
    ts,
    ...placed(world, message.channel, ts),
  });
  const edited = before !== undefined && before['text'] !== message.text && message.app === undefined;
  return { channel: message.channel, events: edited ? [changed, ...mention(world, message)] : [changed] };
}

export function messageDeleted(world: World, message: Message, before: Shape): Happening {
  const ts = world.ts();
  const event = {
    type: 'message',
    subtype: 'message_deleted',
    hidden: true,
    deleted_ts: message.ts,
    previous_message: before,
    ts,
    ...placed(world, message.channel, ts),
  };
  return { channel: message.channel, events: [event] };
}

/** Only a person's message in a channel; direct messages have no such twin. An edit fires it again. */
function mention(world: World, message: Message): readonly Shape[] {
  const direct = world.channel(message.channel).kind === 'im';
  if (direct || !calledBy(message.text).includes(world.app.botUserId) || message.app?.id === world.app.id) return [];
  const { parent_user_id: _root, ...wire } = apiMessage(world, message);
  return [
    { ...wire, ...stranger(world, message), type: 'app_mention', channel: message.channel, event_ts: message.ts },
  ];
}

function placed(world: World, channel: string, eventTs: string): Shape {
  return { channel, event_ts: eventTs, channel_type: CHANNEL_TYPES[world.channel(channel).kind] };
}

/** What Slack adds where the author is of another workspace. */
function stranger(world: World, message: Message): Shape {
  const person = world.people.get(message.user);
  if (person === undefined || !world.channel(message.channel).shared) return {};
  return { user_team: person.teamId, source_team: person.teamId };
}
