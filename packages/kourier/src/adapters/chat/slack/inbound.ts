import { LIMITS } from '../../../core/limits.ts';
import type { Actor } from '../../../core/thread/entry.ts';
import type { CourierDoor } from '../../../ports/courier-door.ts';
import type { Key, Store } from '../../../ports/store.ts';
import { areBotsDone, isAllowed } from './bots.ts';
import type { BoundHere } from './bound-here.ts';
import type { HeardEnvelope, HeardMessage } from './events/heard.ts';
import { HEARING } from './hearing-limits.ts';
import type { People } from './people.ts';
import type { TellPrivately } from './private-notes.ts';
import { Recent } from './recent.ts';
import type { SlackIdentity } from './slack-identity.ts';
import { type SlackLog, whyOf } from './slack-log.ts';
import { placeOf } from './slack-place.ts';

export interface InboundOptions {
  readonly platform: string;
  readonly self: SlackIdentity;
  readonly bound: BoundHere;
  readonly door: CourierDoor;
  readonly store: Pick<Store, 'threadAt' | 'timeline'>;
  readonly people: People;
  readonly tell: TellPrivately;
  readonly log: SlackLog;
  /** A message went into the thread at this place, or may have. */
  readonly noted: (place: string) => void;
}

type StopPressed = Extract<Extract<HeardEnvelope, { kind: 'event' }>['heard'], { kind: 'stop-pressed' }>;

/** The words for a person who waits for an answer that will not come by itself. */
const NOTES = {
  unbound: 'Nobody answers here: this channel is not connected to an agent. Whoever runs Agent Kourier can connect it.',
  notDirect: 'Direct messages are not connected to an agent here. Mention me in a channel that is.',
  full: 'Your message was not taken: too many wait in this thread already. Send it again when some are answered.',
  tooLong: `Your message was not taken: it is too long. ${LIMITS.messageBytes / 1_024} KiB is the most.`,
} as const;

/**
 * From an event to the courier. An event is acknowledged when this says so: then what it says is durable, or starts
 * nothing (commit, then acknowledge: cases C146, C151). It keeps no queue: what is not taken, Slack brings again.
 */
export class Inbound {
  readonly #options: InboundOptions;
  /** By message: twins and retries that come meanwhile wait for the same outcome (case C143). */
  readonly #underWay = new Map<string, Promise<boolean>>();
  /** By thread: the next message goes in after the one before, whoever's name is looked up longer. */
  readonly #last = new Map<string, Promise<boolean>>();
  readonly #presses = new Recent<true>(HEARING.rememberedMessages);
  readonly #toldOf = new Recent<true>(HEARING.rememberedStrangers);

  constructor(options: InboundOptions) {
    this.#options = options;
  }

  /** `false`: not taken, or not for certain. Whoever brought it is to bring it again, which is harmless. */
  async take(envelope: Exclude<HeardEnvelope, { kind: 'challenge' }>): Promise<boolean> {
    if (envelope.kind === 'ignored') return this.#ignored(envelope.why, 'debug');
    const { heard, teams } = envelope;
    if (teams.length > 0 && !teams.includes(this.#options.self.team)) return this.#stranger('team', teams[0] ?? '');
    switch (heard.kind) {
      case 'ignored':
        return this.#ignored(heard.why, 'debug');
      case 'revoked':
        this.#options.log('error', { event: 'slack-revoked', platform: this.#options.platform, why: heard.why });
        return true;
      case 'stop-pressed':
        return this.#guarded(() => this.#stop(heard));
      case 'message':
        return this.#message(heard);
    }
  }

  #message(message: HeardMessage): Promise<boolean> {
    const id = `${message.channel}/${message.ts}`;
    const running = this.#underWay.get(id);
    if (running !== undefined) return running;
    const thread = `${message.channel}/${message.threadTs}`;
    const before = this.#last.get(thread) ?? Promise.resolve(true);
    const taken = before.then(() => this.#guarded(() => this.#carry(message)));
    this.#underWay.set(id, taken);
    this.#last.set(thread, taken);
    void taken.then(() => {
      this.#underWay.delete(id);
      if (this.#last.get(thread) === taken) this.#last.delete(thread);
    });
    return taken;
  }

  async #guarded(act: () => Promise<boolean>): Promise<boolean> {
    try {
      return await act();
    } catch (error) {
      const { log, platform } = this.#options;
      log('error', { event: 'slack-not-taken', platform, why: whyOf(error) });
      return false;
    }
  }

  async #carry(message: HeardMessage): Promise<boolean> {
    const { bound, self } = this.#options;
    const { channel, direct, mention, threadTs, ts, user, clientMsgId } = message;
    const binding = bound.inChannel(channel) ?? (direct ? bound.directly() : undefined);
    if (message.bot !== undefined && (binding === undefined || !isAllowed(message, bound.bots(binding)))) {
      return this.#ignored("a bot's message", 'debug');
    }
    if (binding === undefined) return this.#unbound(message);
    // Names within the binding; the app's own is in them, for two apps may stand in one channel. They are durable with
    // the message, so twins and repeats are known after a restart too: by the ts, and where one gesture came as two
    // messages, by the client's id (slack.md 1.4).
    const of = `slack/${self.bot}/${channel}`;
    const key = [`${of}/${ts}`, ...(clientMsgId === undefined ? [] : [`${of}/${user}/${clientMsgId}`])];
    const place = placeOf({ team: self.team, channel, threadTs });
    return direct || mention ? this.#open(message, binding, key, place) : this.#aside(message, binding, key, place);
  }

  /** Bots that answer each other would go on for ever: past their turns what they say is context of a person's next one. */
  async #isTurn({ bot, channel }: HeardMessage, binding: string, place: string): Promise<boolean> {
    const { bound, log, platform, store } = this.#options;
    const thread = bot && (await store.threadAt(binding, place));
    const entries = thread === undefined ? undefined : (await store.timeline(thread))?.entries;
    if (bot === undefined || entries === undefined) return true;
    if (!areBotsDone(entries, bound.bots(binding)?.turnsInARow ?? 0)) return true;
    log('warn', { event: 'slack-bot-waits', platform, channel, bot: bot.id, why: 'no turn before a person writes' });
    return false;
  }

  #actor({ bot, user }: HeardMessage): Promise<Actor> {
    return bot === undefined ? this.#options.people.actor(user) : Promise.resolve(bot);
  }

  async #open(message: HeardMessage, binding: string, key: Key, place: string): Promise<boolean> {
    const { door, platform, log, noted } = this.#options;
    const { text } = message;
    if (Buffer.byteLength(text) > LIMITS.messageBytes) {
      log('warn', { event: 'slack-message-too-long', platform, channel: message.channel });
      return this.#note(message, NOTES.tooLong);
    }
    const aside = (await this.#isTurn(message, binding, place)) ? {} : { mention: false as const };
    const taken = await door.open({ binding, text, actor: await this.#actor(message), key, place, ...aside });
    switch (taken.kind) {
      case 'accepted':
      case 'repeated':
        noted(place);
        return true;
      case 'full':
        log('warn', { event: 'slack-thread-full', platform, channel: message.channel });
        return this.#note(message, NOTES.full);
      case 'no-binding':
        return this.#unbound(message);
      case 'stopping':
        return false;
    }
  }

  /** Not addressed to the app: context of the next turn, where there is a thread of ours. */
  async #aside(message: HeardMessage, binding: string, key: Key, place: string): Promise<boolean> {
    const { door, store, platform, log, noted } = this.#options;
    const thread = message.threadTs === message.ts ? undefined : await store.threadAt(binding, place);
    if (thread === undefined) return true;
    const saying = { text: cut(message.text), actor: await this.#actor(message), mention: false, key };
    const { kind } = await door.say(thread, saying);
    if (kind === 'full') log('warn', { event: 'slack-thread-full', platform, channel: message.channel });
    if (kind === 'accepted' || kind === 'repeated') noted(place);
    return kind !== 'stopping';
  }

  async #stop({ channel, threadTs, user, press }: StopPressed): Promise<boolean> {
    const { bound, door, self, store } = this.#options;
    const binding = bound.inChannel(channel) ?? bound.directly();
    if (binding === undefined || this.#presses.get(press)) return true;
    const thread = await store.threadAt(binding, placeOf({ team: self.team, channel, threadTs }));
    if (thread !== undefined) await door.stop(thread, { id: user });
    this.#presses.set(press, true);
    return true;
  }

  #unbound(message: HeardMessage): boolean {
    const { channel, direct, mention } = message;
    this.#stranger('channel', channel);
    return direct || mention ? this.#note(message, direct ? NOTES.notDirect : NOTES.unbound) : true;
  }

  #note({ bot, channel, user, ts, threadTs }: HeardMessage, text: string): true {
    if (bot !== undefined) return true;
    const thread = threadTs === ts ? {} : { threadTs };
    this.#options.tell({ channel, user, ...thread, text, about: `${channel}/${ts}` });
    return true;
  }

  /** One line each, however much comes from there. */
  #stranger(what: 'team' | 'channel', id: string): true {
    if (!this.#toldOf.add(`${what}/${id}`, true)) return true;
    this.#options.log('warn', { event: 'slack-ignored', platform: this.#options.platform, why: `unknown ${what}`, id });
    return true;
  }

  #ignored(why: string, level: 'debug'): true {
    this.#options.log(level, { event: 'slack-ignored', platform: this.#options.platform, why });
    return true;
  }
}

/** An aside is context that may be cut; a turn is not. */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= LIMITS.messageBytes) return text;
  const bytes = Buffer.from(text).subarray(0, LIMITS.messageBytes - 4);
  return `${new TextDecoder().decode(bytes, { stream: true })}…`;
}
