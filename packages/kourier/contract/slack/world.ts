import type { Clock } from '../../src/ports/clock.ts';
import type { Changes } from './changes.ts';
import type { App, Channel, Message, Person, ResponseUrl, Trigger, View } from './model.ts';
import type { Shape } from './shape.ts';
import { SlackError } from './slack-error.ts';

export const TEAM = 'T0ACME';
export const OTHER_TEAM = 'T0OTHER';

export interface Ephemeral {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs?: string;
  readonly user: string;
  readonly text: string;
  readonly blocks: readonly Shape[];
}

/** Everything that is there: one workspace, its people and channels, and the one app. */
export class World {
  readonly clock: Clock;
  readonly changes: Changes;
  readonly app: App;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  readonly people = new Map<string, Person>();
  readonly channels = new Map<string, Channel>();
  readonly ephemerals: Ephemeral[] = [];
  /** `channel/thread_ts` → what stands under the thread as its status. */
  readonly statuses = new Map<string, { readonly status: string; readonly sinceMs: number }>();
  /** `channel/thread_ts` → the agent session's status. */
  readonly sessions = new Map<string, { status: string; title?: string }>();
  /** Modals that are open, oldest first. */
  readonly views = new Map<string, View>();
  readonly triggers = new Map<string, Trigger>();
  readonly responseUrls = new Map<string, ResponseUrl>();
  #ids = 0;
  #lastMicros = 0;

  constructor(clock: Clock, changes: Changes, app: App, random: () => number) {
    this.clock = clock;
    this.changes = changes;
    this.app = app;
    this.random = random;
  }

  id(prefix: string): string {
    return `${prefix}${(++this.#ids).toString(36).toUpperCase().padStart(8, '0')}`;
  }

  /** Seconds with six decimals, as messages are named; never the same twice, always growing. */
  ts(): string {
    this.#lastMicros = Math.max(this.clock.now() * 1_000, this.#lastMicros + 1);
    const seconds = Math.floor(this.#lastMicros / 1_000_000);
    return `${seconds}.${String(this.#lastMicros % 1_000_000).padStart(6, '0')}`;
  }

  person(id: string): Person {
    const person = this.people.get(id);
    if (person === undefined) throw new SlackError('user_not_found');
    return person;
  }

  channel(id: string): Channel {
    const channel = this.channels.get(id);
    if (channel === undefined) throw new SlackError('channel_not_found');
    return channel;
  }

  /** Absent where it never was, or was deleted. */
  message(channel: string, ts: string): Message | undefined {
    return this.channels.get(channel)?.messages.find((message) => message.ts === ts && !message.deleted);
  }

  /** The root first; without what was deleted. */
  thread(channel: string, threadTs: string): readonly Message[] {
    return this.channel(channel).messages.filter(
      (message) => !message.deleted && (message.ts === threadTs || message.threadTs === threadTs),
    );
  }

  /** The direct conversation of a person with the app, made when it is first needed. */
  directChannel(user: string): Channel {
    for (const channel of this.channels.values()) {
      if (channel.kind === 'im' && channel.members.has(user)) return channel;
    }
    return this.addChannel({ id: this.id('D'), name: '', kind: 'im', members: [user, this.app.botUserId] });
  }

  addChannel(channel: {
    readonly id: string;
    readonly name: string;
    readonly kind: Channel['kind'];
    readonly members: readonly string[];
    readonly shared?: boolean;
  }): Channel {
    const { shared = false, members, ...rest } = channel;
    const made: Channel = {
      ...rest,
      shared,
      members: new Set(members),
      archived: false,
      messages: [],
      createdMs: this.clock.now(),
    };
    this.channels.set(made.id, made);
    return made;
  }

  /** A person's stack of modals, the lowest first. */
  viewsOf(user: string): readonly View[] {
    return [...this.views.values()].filter((view) => view.user === user);
  }

  addMessage(message: Message): Message {
    this.channel(message.channel).messages.push(message);
    if (message.app?.id === this.app.id) this.statuses.delete(`${message.channel}/${message.threadTs ?? message.ts}`);
    this.changes.note();
    return message;
  }
}
