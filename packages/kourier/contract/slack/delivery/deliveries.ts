import { type Shape, shapeIn, textIn } from '../shape.ts';
import type { World } from '../world.ts';
import type { Emit } from './emit.ts';
import { eventBody } from './event-body.ts';
import type { Attempt, Envelope, Outcome, Transport } from './transport.ts';

/** After the first attempt failed: at once, a minute later, five minutes later; then it is lost. */
const RETRY_AFTER_MS = [0, 60_000, 300_000] as const;

export interface Delivery {
  readonly envelope: Envelope;
  /** When each began, and how it ended, by the fake's clock. */
  readonly attempts: { readonly atMs: number; outcome?: Outcome }[];
  /** `lost`: Slack has given up, or believes that a deaf socket took it. */
  state: 'under-way' | 'waiting' | 'acknowledged' | 'lost';
}

/** Carries to the app what it hears of, each with its own retries. */
export class Deliveries {
  readonly all: Delivery[] = [];
  readonly #world: World;
  readonly #transport: Transport;

  constructor(world: World, transport: Transport) {
    this.#world = world;
    this.#transport = transport;
  }

  /** Events of a channel that the app is in and subscribed to. */
  readonly emit: Emit = ({ channel: id, events }) => {
    const channel = this.#world.channel(id);
    if (!channel.members.has(this.#world.app.botUserId)) return;
    for (const event of events) {
      if (this.#isSubscribed(event)) this.send(event, channel.shared);
    }
  };

  /** An event that is bound to no channel, or is sent as it is. */
  send(event: Shape, isShared = false): Delivery {
    return this.redeliver(eventBody(this.#world, event, isShared));
  }

  /** The same body in an envelope of its own, as Slack does when it forgot that it sent it (C146). */
  redeliver(payload: Shape): Delivery {
    const envelope = { id: this.#world.id('env-'), kind: 'events_api', payload } as const;
    const delivery: Delivery = { envelope, attempts: [], state: 'under-way' };
    this.all.push(delivery);
    void this.#attempt(delivery, { number: 0 });
    return delivery;
  }

  /** A click or a submitted view: sent once, and the person sees whether it was taken. */
  async interact(payload: Shape): Promise<Outcome> {
    const envelope = { id: this.#world.id('env-'), kind: 'interactive', payload } as const;
    const delivery: Delivery = { envelope, attempts: [], state: 'under-way' };
    this.all.push(delivery);
    const outcome = await this.#once(delivery, { number: 0 });
    delivery.state = outcome.kind === 'acknowledged' ? 'acknowledged' : 'lost';
    this.#world.changes.note();
    return outcome;
  }

  /** Those that carry a message: by the ts of the event, or of the message that changed. */
  of(ts: string): readonly Delivery[] {
    return this.all.filter(({ envelope }) => {
      const event = shapeIn(envelope.payload, 'event') ?? {};
      const inner = shapeIn(event, 'message');
      return textIn(event, 'ts') === ts || (inner !== undefined && textIn(inner, 'ts') === ts);
    });
  }

  async #attempt(delivery: Delivery, attempt: Attempt): Promise<void> {
    const { clock } = this.#world;
    delivery.state = 'under-way';
    const outcome = await this.#once(delivery, attempt);
    const waitMs = RETRY_AFTER_MS[attempt.number];
    if (outcome.kind === 'acknowledged') delivery.state = 'acknowledged';
    else if (outcome.kind === 'lost' || outcome.noRetry === true || waitMs === undefined) delivery.state = 'lost';
    else {
      delivery.state = 'waiting';
      const next = { number: attempt.number + 1, reason: outcome.reason };
      if (waitMs === 0) void this.#attempt(delivery, next);
      else clock.wakeAt(clock.now() + waitMs, () => void this.#attempt(delivery, next));
    }
    this.#world.changes.note();
  }

  async #once(delivery: Delivery, attempt: Attempt): Promise<Outcome> {
    const entry: Delivery['attempts'][number] = { atMs: this.#world.clock.now() };
    delivery.attempts.push(entry);
    const outcome = await this.#transport(delivery.envelope, attempt);
    entry.outcome = outcome;
    return outcome;
  }

  #isSubscribed(event: Shape): boolean {
    const { events } = this.#world.app;
    const type = textIn(event, 'type') ?? '';
    if (type !== 'message') return events.has(type);
    const kind = { channel: 'channels', group: 'groups', im: 'im', mpim: 'mpim' }[textIn(event, 'channel_type') ?? ''];
    return events.has(`message.${kind ?? ''}`);
  }
}
