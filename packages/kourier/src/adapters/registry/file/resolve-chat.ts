import { nearest } from '../../../core/nearest.ts';
import type { BindingChat } from '../../../ports/registry.ts';
import type { Checked } from './documents.ts';
import { quoted, type Report, writeOneOf } from './problem.ts';
import { type Say, speaker } from './speaker.ts';
import type { Path } from './yaml-documents.ts';

export interface ChatSpec {
  readonly platform: string;
  readonly channels?: readonly string[];
  readonly directMessages?: boolean;
  readonly bots?: { readonly allowed: readonly string[]; readonly turnsInARow?: number };
}

/** Turns that bots begin in a thread before a person has to write. */
const TURNS_IN_A_ROW = 3;
const BOT = /^[BUW][A-Z0-9]{1,63}$/;
const CHANNEL = /^[CG][A-Z0-9]{1,63}$/;
const WEB: BindingChat = { platform: 'web', channels: [], directMessages: false };

/** Where bindings answer, each checked against those before it: a place has one binding. */
export class ChatPlaces {
  readonly #platforms: ReadonlySet<string>;
  readonly #misshaped: ReadonlySet<string>;
  readonly #report: Report;
  /** By platform and place: the binding that has it, as it is named in an error line. */
  readonly #taken = new Map<string, string>();

  /** `misshaped`: platforms whose document is refused for its shape. A reference to one is no second mistake. */
  constructor(platforms: ReadonlySet<string>, misshaped: ReadonlySet<string>, report: Report) {
    this.#platforms = platforms;
    this.#misshaped = misshaped;
    this.#report = report;
  }

  resolve(document: Checked, spec: ChatSpec): BindingChat {
    const say = speaker(document, this.#report);
    const { platform, channels = [], directMessages = false, bots } = spec;
    if (platform === 'web') return webChat(spec, say);
    if (!(this.#platforms.has(platform) || this.#misshaped.has(platform)))
      say(CHAT('platform'), `platform ${quoted(platform)} is not known`, this.#knownPlatform(platform));
    else if (channels.length === 0 && !directMessages)
      say(['spec', 'chat'], 'chat has no channels and no directMessages', 'add one: channels: [C…]');
    const own = new Set<string>();
    for (const [index, channel] of channels.entries()) {
      const path = CHAT('channels', index);
      if (!CHANNEL.test(channel)) say(path, `chat.channels[${index}] ${quoted(channel)} is no id of a channel`, ID_OF);
      else if (own.has(channel)) say(path, `channel ${channel} stands here twice`, 'keep one of them');
      else this.#take(document, spec.platform, channel, path, say);
      own.add(channel);
    }
    if (directMessages) this.#take(document, platform, undefined, CHAT('directMessages'), say);
    for (const [index, bot] of (bots?.allowed ?? []).entries()) {
      if (!BOT.test(bot))
        say(CHAT('bots', 'allowed', index), `chat.bots.allowed[${index}] ${quoted(bot)} is no id of a bot`, ID_OF_BOT);
    }
    return {
      ...{ platform, channels, directMessages },
      ...(bots && { bots: { allowed: bots.allowed, turnsInARow: bots.turnsInARow ?? TURNS_IN_A_ROW } }),
    };
  }

  #knownPlatform(name: string): string {
    const known = ['web', ...this.#platforms, ...this.#misshaped];
    const write = writeOneOf(name, known);
    return nearest(name, known) === undefined ? `${write}, or add a ChatPlatform ${quoted(name)}` : write;
  }

  #take(document: Checked, platform: string, channel: string | undefined, path: Path, say: Say): void {
    const place = `${platform} ${channel ?? ''}`;
    const holder = this.#taken.get(place);
    this.#taken.set(place, holder ?? `Binding ${quoted(document.name)} at ${document.file}:${document.line(path)}`);
    if (holder === undefined) return;
    const what = channel === undefined ? 'direct messages' : `channel ${channel}`;
    say(
      path,
      `${what} of platform ${quoted(platform)} already belong${channel === undefined ? '' : 's'} to ${holder}`,
      'keep it in one of them',
    );
  }
}

const CHAT = (...path: Path): Path => ['spec', 'chat', ...path];
const ID_OF = "write the channel's id, as C0123ABCD (in Slack: the channel's name, About, at the end)";

const ID_OF_BOT = 'write its bot id, as B0123ABCD, or its member id, as U0123ABCD';

function webChat({ channels, directMessages, bots }: ChatSpec, say: Say): BindingChat {
  if (channels !== undefined) say(CHAT('channels'), 'chat.channels is not for platform web', 'leave it out');
  if (directMessages !== undefined)
    say(CHAT('directMessages'), 'chat.directMessages is not for platform web', 'leave it out');
  if (bots !== undefined) say(CHAT('bots'), 'chat.bots is not for platform web', 'leave it out');
  return WEB;
}
