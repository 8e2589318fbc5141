import { apiMessage } from '../api-message.ts';
import { storedFromPerson } from '../blocks/stored-text.ts';
import type { Emit } from '../delivery/emit.ts';
import { messageChanged, messageDeleted, messagePosted } from '../delivery/message-events.ts';
import type { Message } from '../model.ts';
import type { Shape } from '../shape.ts';
import { SlackError } from '../slack-error.ts';
import { richText } from '../stream-content.ts';
import type { World } from '../world.ts';

export interface SayOptions {
  /** The root's ts. */
  readonly thread?: string;
  /** "Also send to channel". */
  readonly broadcast?: boolean;
  readonly files?: readonly { readonly name: string; readonly mimetype?: string }[];
  /** `/me`. */
  readonly me?: boolean;
}

export interface BotSayOptions extends SayOptions {
  /** With the subtype `bot_message`, as old integrations do. */
  readonly classic?: boolean;
  readonly subtype?: string;
}

/** What people do with their keyboards. `<@U…>` in a text is a mention picked in the composer; all else is plain. */
export class Typing {
  readonly #world: World;
  readonly #emit: Emit;

  constructor(world: World, emit: Emit) {
    this.#world = world;
    this.#emit = emit;
  }

  say(channel: string, user: string, text: string, options: SayOptions = {}): Message {
    const world = this.#world;
    const person = world.person(user);
    if (!world.channel(channel).members.has(user)) throw new SlackError('not_in_channel');
    if (options.thread !== undefined && world.thread(channel, options.thread).length === 0) {
      throw new SlackError('thread_not_found');
    }
    const files = (options.files ?? []).map(({ name, mimetype = 'text/plain' }) => this.#file(name, mimetype, user));
    const subtype = this.#subtype(options);
    return this.#post({
      ...this.#blank(channel),
      user,
      teamId: person.teamId,
      clientMsgId: world.id('msg-'),
      text: storedFromPerson(text),
      blocks: text === '' ? [] : [{ ...richText(text), block_id: world.id('b') }],
      files,
      ...(options.thread === undefined ? {} : { threadTs: options.thread }),
      ...(subtype === undefined ? {} : { subtype }),
    });
  }

  /** A message that names the app. */
  mention(channel: string, user: string, text: string, options: SayOptions = {}): Message {
    return this.say(channel, user, `<@${this.#world.app.botUserId}> ${text}`, options);
  }

  /** To the app, in the direct conversation with it. */
  dm(user: string, text: string, options: SayOptions = {}): Message {
    return this.say(this.#world.directChannel(user).id, user, text, options);
  }

  edit(message: Message, text: string): Message {
    const before = apiMessage(this.#world, message);
    message.text = storedFromPerson(text);
    message.blocks = [{ ...richText(text), block_id: this.#world.id('b') }];
    message.edited = { user: message.user, ts: this.#world.ts() };
    this.#world.changes.note();
    this.#emit(messageChanged(this.#world, message, before));
    return message;
  }

  remove(message: Message): void {
    const before = apiMessage(this.#world, message);
    message.deleted = true;
    this.#world.changes.note();
    this.#emit(messageDeleted(this.#world, message, before));
  }

  /** Slack shows what a link leads to: `message_changed`, and nobody edited anything (C145). */
  unfurl(message: Message, attachment: Shape = { title: 'Example', from_url: 'https://example.com' }): void {
    const before = apiMessage(this.#world, message);
    message.attachments = [...message.attachments, attachment];
    this.#world.changes.note();
    this.#emit(messageChanged(this.#world, message, before));
  }

  /** A change of counters: `message_changed` with neither a previous message nor an edit (C145). */
  touch(message: Message): void {
    this.#emit(messageChanged(this.#world, message, undefined));
  }

  /** Another app posts. */
  botSays(channel: string, text: string, options: BotSayOptions = {}): Message {
    return this.#appSays(channel, text, options, { id: 'A0OTHER', botId: 'B0OTHER', name: 'Deploys' }, 'U0DEPLOYS');
  }

  /** The app's own upload or post comes back by another way than the Web API (C148, C149). */
  ownSays(channel: string, text: string, options: BotSayOptions = {}): Message {
    const { id, botId, name, botUserId } = this.#world.app;
    return this.#appSays(channel, text, options, { id, botId, name }, botUserId);
  }

  #appSays(
    channel: string,
    text: string,
    options: BotSayOptions,
    app: NonNullable<Message['app']>,
    user: string,
  ): Message {
    const subtype = options.classic === true ? 'bot_message' : (options.subtype ?? this.#subtype(options));
    return this.#post({
      ...this.#blank(channel),
      user,
      teamId: this.#world.person(this.#world.app.botUserId).teamId,
      app,
      text,
      files: (options.files ?? []).map(({ name, mimetype = 'text/plain' }) => this.#file(name, mimetype, user)),
      ...(options.thread === undefined ? {} : { threadTs: options.thread }),
      ...(subtype === undefined ? {} : { subtype }),
    });
  }

  #post(message: Message): Message {
    this.#world.addMessage(message);
    this.#emit(messagePosted(this.#world, message));
    return message;
  }

  #blank(channel: string): Omit<Message, 'user' | 'teamId'> {
    return {
      channel,
      ts: this.#world.ts(),
      files: [],
      reactions: new Map(),
      state: new Map(),
      visibleAtMs: 0,
      text: '',
      blocks: [],
      attachments: [],
      deleted: false,
    };
  }

  #subtype(options: SayOptions): string | undefined {
    if (options.broadcast === true) return 'thread_broadcast';
    if (options.me === true) return 'me_message';
    return (options.files?.length ?? 0) > 0 ? 'file_share' : undefined;
  }

  #file(name: string, mimetype: string, user: string): Shape {
    const id = this.#world.id('F');
    return { id, name, title: name, mimetype, user, mode: 'hosted', url_private: `https://files.slack.com/${id}` };
  }
}
