import { apiMessage } from '../api-message.ts';
import { checkBlocks } from '../blocks/check-blocks.ts';
import { LIMITS } from '../blocks/limits.ts';
import { storedFromApp } from '../blocks/stored-text.ts';
import type { Emit } from '../delivery/emit.ts';
import { messageChanged, messagePosted } from '../delivery/message-events.ts';
import type { Message, Stream } from '../model.ts';
import type { Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import { streamText } from '../stream-content.ts';
import { readMetadata, readThread, writable } from './chat-content.ts';
import { appMessage, ownMessage } from './chat-write.ts';
import type { Call, Methods } from './method.ts';
import { setSession } from './sessions.ts';
import { extend, readAddition } from './stream-chunks.ts';

const WRITE = ['chat:write'];
const DISPLAY_MODES = ['timeline', 'plan', 'dense'];

/** Native streaming. A stream dies five minutes after it began, however busy it is. */
export function streamMethods(emit: Emit): Methods {
  return {
    'chat.startStream': { scopes: WRITE, run: (call) => start(call, emit) },
    'chat.appendStream': { scopes: WRITE, run: append },
    'chat.stopStream': { scopes: WRITE, run: (call) => stop(call, emit) },
  };
}

function start({ args, world, visibleAtMs }: Call, emit: Emit): Shape {
  const channel = writable(world, args.required('channel'));
  const threadTs = readThread(world, channel, args);
  if (threadTs === undefined) throw new SlackError('invalid_arguments');
  const recipientUser = args.text('recipient_user_id');
  if (channel.kind !== 'im') {
    if (recipientUser === undefined) throw new SlackError('missing_recipient_user_id');
    if (args.text('recipient_team_id') === undefined) throw new SlackError('missing_recipient_team_id');
  }
  if (recipientUser !== undefined) {
    const person = world.person(recipientUser);
    const team = args.text('recipient_team_id');
    if (team !== undefined && team !== person.teamId) throw new SlackError('user_not_found');
  }
  const displayMode = args.text('task_display_mode') ?? 'timeline';
  if (!DISPLAY_MODES.includes(displayMode)) throw new SlackError('invalid_arguments');
  const stream: Stream = {
    displayMode,
    startedMs: world.clock.now(),
    state: 'streaming',
    parts: [],
    tasks: new Map(),
    ...(recipientUser === undefined ? {} : { recipientUser }),
  };
  const addition = readAddition(args);
  if (addition !== undefined) extend(stream, addition);
  const message = world.addMessage({ ...appMessage(world, channel, threadTs, visibleAtMs), stream });
  world.clock.wakeAt(stream.startedMs + LIMITS.streamMs, () => {
    if (stream.state !== 'streaming') return;
    freeze(message, 'died');
    world.changes.note();
  });
  emit(messagePosted(world, message));
  return { channel: channel.id, ts: message.ts };
}

/** The message of a stream that still runs. */
function running(call: Call): { readonly message: Message; readonly stream: Stream } {
  const message = ownMessage(call, 'message_not_found', 'message_not_owned_by_app');
  const { stream } = message;
  if (stream?.state === 'stopped-by-user') throw new SlackError('stopped_by_user');
  if (stream?.state !== 'streaming') throw new SlackError('message_not_in_streaming_state');
  return { message, stream };
}

function append(call: Call): Shape {
  const { message, stream } = running(call);
  const addition = readAddition(call.args);
  if (addition === undefined) throw new SlackError('no_text');
  extend(stream, addition);
  call.world.changes.note();
  return { channel: message.channel, ts: message.ts };
}

function stop(call: Call, emit: Emit): Shape {
  const { args, world } = call;
  const { message, stream } = running(call);
  const addition = readAddition(args);
  const blocks = args.objects('blocks', 'invalid_blocks_format') ?? [];
  const metadata = readMetadata(args);
  checkBlocks(blocks);
  if (addition !== undefined) extend(stream, addition);
  const before = apiMessage(world, message);
  message.blocks = blocks;
  if (metadata !== undefined && metadata !== 'none') message.metadata = metadata;
  freeze(message, 'completed');
  const session = args.text('session_status');
  if (session !== undefined && message.threadTs !== undefined)
    setSession(world, message.channel, message.threadTs, session);
  world.changes.note();
  emit(messageChanged(world, message, before));
  return { channel: message.channel, ts: message.ts, message: apiMessage(world, message, true) };
}

/** What was streamed becomes what the message says. */
export function freeze(message: Message, state: 'completed' | 'died' | 'stopped-by-user'): void {
  const { stream } = message;
  if (stream === undefined) return;
  stream.state = state;
  message.text = storedFromApp(streamText(stream));
}
