import { type Json, jsonIn, listIn, textIn } from '../json.ts';
import { oneLine } from '../people.ts';
import type { SlackIdentity } from '../slack-identity.ts';
import { isSlackId, isTs } from '../slack-place.ts';
import { attachedLine } from './attached.ts';
import type { Heard, HeardEnvelope, HeardMessage } from './heard.ts';
import { mentions, plainText } from './plain-text.ts';

export interface Reader {
  readonly self: SlackIdentity;
  readonly nameOf?: (user: string) => string | undefined;
}

/** Subtypes that are still a person's message (slack.md 5.23). */
const SPOKEN = new Set(['file_share', 'thread_broadcast', 'me_message']);

/** Pure: what came from the Events API, by HTTP or in an envelope of Socket Mode. */
export function readEnvelope(payload: Json, reader: Reader): HeardEnvelope {
  const challenge = textIn(payload, 'challenge');
  if (payload['type'] === 'url_verification' && challenge !== undefined) return { kind: 'challenge', challenge };
  const event = jsonIn(payload, 'event');
  if (payload['type'] !== 'event_callback' || event === undefined) {
    return { kind: 'ignored', why: `a payload of the type ${typeOf(payload)}` };
  }
  const [channel, ts] = [textIn(event, 'channel'), textIn(event, 'ts')];
  const isMessage = event['type'] === 'message' && event['hidden'] !== true && isTs(ts) && isSlackId(channel);
  return {
    kind: 'event',
    teams: teamsOf(payload),
    heard: readEvent(event, reader, textIn(payload, 'api_app_id')),
    ...(isMessage ? { messageTs: { channel, ts } } : {}),
  };
}

/** One event. A message from history is one too, with its channel put in. */
export function readEvent(event: Json, reader: Reader, app?: string): Heard {
  switch (event['type']) {
    case 'app_mention':
      // Who edits a message to name the app fires this again (decision 16).
      return event['edited'] === undefined ? readMessage(event, reader, app) : ignored('an edit');
    case 'message':
      return readMessage(event, reader, app);
    case 'agent_session_stopped':
      return readStop(event);
    case 'tokens_revoked':
      return { kind: 'revoked', why: 'the token of the app was revoked' };
    case 'app_uninstalled':
      return { kind: 'revoked', why: 'the app was uninstalled' };
    default:
      // The assistant pane and the app's home say that somebody looks, not that they said something.
      return ignored(`an event of the type ${typeOf(event)}`);
  }
}

function readMessage(event: Json, { self, nameOf }: Reader, app: string | undefined): Heard {
  // Before the subtype is looked at: our own upload comes back as any other (cases C148, C149).
  if (isOurs(event, self, app)) return ignored("the app's own message");
  const subtype = textIn(event, 'subtype');
  const bot = botOf(event);
  const isSpoken = subtype === undefined || SPOKEN.has(subtype) || (bot !== undefined && subtype === 'bot_message');
  if (event['hidden'] === true || !isSpoken) {
    return ignored(`a message of the subtype ${(subtype ?? 'hidden').slice(0, 40)}`);
  }
  if (bot === undefined && (event['bot_id'] ?? event['app_id']) !== undefined) return ignored("a bot's message");
  const [channel, ts, user] = [textIn(event, 'channel'), textIn(event, 'ts'), textIn(event, 'user') ?? bot?.id];
  if (!isSlackId(channel) || !isTs(ts) || !isSlackId(user) || user === 'USLACKBOT')
    return ignored('no person wrote it');
  const [text, threadTs, clientMsgId] = [textIn(event, 'text') ?? '', textIn(event, 'thread_ts'), clientId(event)];
  return {
    kind: 'message',
    channel,
    direct: event['channel_type'] === 'im' || channel.startsWith('D'),
    ts,
    threadTs: isTs(threadTs) ? threadTs : ts,
    user,
    ...(bot && { bot }),
    mention: event['type'] === 'app_mention' || mentions(text, self.user),
    text: whole(plainText(text, nameOf === undefined ? { self } : { self, nameOf }), attachedLine(event), self),
    ...(clientMsgId === undefined ? {} : { clientMsgId }),
  };
}

function botOf(event: Json): HeardMessage['bot'] {
  const id = textIn(event, 'bot_id');
  if (!isSlackId(id)) return undefined;
  const name = oneLine(textIn(jsonIn(event, 'bot_profile'), 'name') ?? textIn(event, 'username'));
  return { id, ...(name !== '' && { name }) };
}

function isOurs(event: Json, self: SlackIdentity, app: string | undefined): boolean {
  const profile = jsonIn(event, 'bot_profile');
  const bots = [textIn(event, 'bot_id'), textIn(profile, 'id')];
  const apps = [textIn(event, 'app_id'), textIn(profile, 'app_id')];
  return bots.includes(self.bot) || textIn(event, 'user') === self.user || (app !== undefined && apps.includes(app));
}

/** A mention without a word still calls: it stands as what it was. */
function whole(text: string, attached: string, { name }: SlackIdentity): string {
  const parts = [text.trim() === '' ? '' : text.trim(), attached].filter((part) => part !== '');
  return parts.length === 0 ? `@${name}` : parts.join('\n\n');
}

function clientId(event: Json): string | undefined {
  const id = textIn(event, 'client_msg_id');
  return id !== undefined && id.length <= 100 ? id : undefined;
}

function readStop(event: Json): Heard {
  const [channel, threadTs, user] = [textIn(event, 'channel'), textIn(event, 'thread_ts'), textIn(event, 'user')];
  if (!isSlackId(channel) || !isTs(threadTs) || !isSlackId(user)) return ignored('a stop without its thread');
  return {
    kind: 'stop-pressed',
    channel,
    threadTs,
    user,
    press: `${channel}/${threadTs}/${textIn(event, 'event_ts')}`,
  };
}

/** In a channel that workspaces share the event may name another than the one that it was sent to. */
function teamsOf(payload: Json): readonly string[] {
  const authorized = listIn(payload, 'authorizations').map((each) => textIn(each, 'team_id'));
  return [textIn(payload, 'team_id'), textIn(payload, 'context_team_id'), ...authorized].filter(
    (team) => team !== undefined,
  );
}

const typeOf = (json: Json): string => (textIn(json, 'type') ?? 'none').slice(0, 60);

const ignored = (why: string): Heard => ({ kind: 'ignored', why });
