import type { Clock } from '../../../ports/clock.ts';
import type { CourierDoor } from '../../../ports/courier-door.ts';
import type { Ids } from '../../../ports/ids.ts';
import type { Store } from '../../../ports/store.ts';
import type { BoundHere } from './bound-here.ts';
import type { HeardEnvelope } from './events/heard.ts';
import type { Intake } from './events/intake.ts';
import { type Reader, readEnvelope } from './events/read-event.ts';
import { HeardRecord } from './heard-record.ts';
import { HearingWatch } from './hearing-watch.ts';
import { Inbound } from './inbound.ts';
import { Interactions } from './interactions/interactions.ts';
import type { Json } from './json.ts';
import { slackPeople } from './people.ts';
import { privateNotes } from './private-notes.ts';
import type { SlackApi } from './slack-api.ts';
import { identify } from './slack-identity.ts';
import { type SlackLog, whyOf } from './slack-log.ts';
import { slackReads } from './slack-reads.ts';
import { SocketSupervisor } from './socket/socket-supervisor.ts';

export interface Signing {
  readonly signingSecret: string;
}

export interface SlackHearingOptions {
  readonly name: string;
  readonly api: SlackApi;
  readonly bound: BoundHere;
  readonly door: CourierDoor;
  readonly store: Pick<Store, 'threadAt' | 'threadOf' | 'timeline' | 'open' | 'delivery' | 'deliver'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'thread' | 'entry' | 'chance'>;
  readonly log: SlackLog;
  /** Absent: what comes in comes by HTTP. */
  readonly socket?: { readonly appToken: string; readonly apiUrl: string };
}

const AGAIN_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;

interface Parts {
  readonly intake: Intake;
  readonly watch: HearingWatch;
  readonly sockets?: SocketSupervisor;
}

/** The life of what hears one app: it asks who it is, then it is up, until it is stopped. */
export class SlackHearing {
  readonly #options: SlackHearingOptions;
  #parts: Parts | undefined;
  #why = 'starting';
  #revoked: string | undefined;
  #stopped = false;
  #calledOff: (() => void) | undefined;

  constructor(options: SlackHearingOptions) {
    this.#options = options;
  }

  /** Absent while nothing can be taken. */
  get intake(): Intake | undefined {
    return this.#stopped ? undefined : this.#parts?.intake;
  }

  start(): void {
    void this.#begin(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#calledOff?.();
    await Promise.all([this.#parts?.sockets?.stop(), this.#parts?.watch.stop()]);
  }

  notReady(): readonly string[] {
    const { name } = this.#options;
    if (this.#revoked !== undefined) return [`${name}: ${this.#revoked}`];
    if (this.#parts === undefined) return [`${name}: ${this.#why}`];
    const { sockets, watch } = this.#parts;
    if (sockets?.isConnected === false) return [`${name}: not connected to Slack`];
    return watch.trouble === undefined ? [] : [`${name}: ${watch.trouble}`];
  }

  /** Slack or the store may not be there yet; nothing of that is a reason not to run. */
  async #begin(attempt: number): Promise<void> {
    const { clock, log, name } = this.#options;
    try {
      const parts = await this.#made();
      if (this.#stopped) return;
      this.#parts = parts;
      parts.watch.start();
      parts.sockets?.start();
      log('info', { event: 'slack-up', platform: name, mode: parts.sockets === undefined ? 'http' : 'socket' });
    } catch (error) {
      if (this.#stopped) return;
      this.#why = whyOf(error);
      log('error', { event: 'slack-not-up', platform: name, why: this.#why });
      const waitMs = AGAIN_MS[Math.min(attempt, AGAIN_MS.length - 1)] ?? 0;
      this.#calledOff = clock.wakeAt(clock.now() + waitMs, () => void this.#begin(attempt + 1));
    }
  }

  async #made(): Promise<Parts> {
    const { api, bound, clock, door, ids, log, name, socket, store } = this.#options;
    const platform = name;
    const self = await identify(api);
    const record = new HeardRecord({ platform, store, ids, clock });
    await record.load();
    const people = slackPeople(api, clock);
    const tell = privateNotes(api, platform, log);
    const reader: Reader = { self, nameOf: people.nameOf };
    const noted = (place: string): void => record.note(place);
    const inbound = new Inbound({ platform, self, bound, door, store, people, tell, log, noted });
    const interactions = new Interactions({ platform, api, door, store, people, tell, log });
    const watch: HearingWatch = new HearingWatch({
      ...{ platform, bound, clock, log, reader, record, reads: slackReads(api, clock) },
      isConnected: () => sockets?.isConnected ?? true,
      deaf: () => sockets?.renew('not told of messages'),
      async take(heard, channel, ts) {
        const taken = await inbound.take({ kind: 'event', teams: [], heard });
        if (taken) watch.heard(channel, ts);
        return taken;
      },
    });
    const intake: Intake = {
      event: (payload) => this.#event(payload, reader, inbound, watch),
      interaction: (payload) => interactions.take(payload),
    };
    const sockets = socket && this.#sockets(socket, intake, watch);
    return { intake, watch, ...(sockets && { sockets }) };
  }

  #sockets(socket: NonNullable<SlackHearingOptions['socket']>, intake: Intake, watch: HearingWatch): SocketSupervisor {
    const { clock, ids, log, name } = this.#options;
    return new SocketSupervisor({
      ...{ platform: name, clock, intake, log, chance: () => ids.chance(), ...socket },
      resumed: (sinceMs) => watch.missing(sinceMs),
    });
  }

  async #event(payload: Json, reader: Reader, inbound: Inbound, watch: HearingWatch): Promise<boolean> {
    const envelope: HeardEnvelope = readEnvelope(payload, reader);
    if (envelope.kind === 'challenge') return true;
    const taken = await inbound.take(envelope);
    if (envelope.kind !== 'event') return taken;
    if (envelope.heard.kind === 'revoked') this.#revoked = envelope.heard.why;
    if (taken && envelope.messageTs !== undefined) watch.heard(envelope.messageTs.channel, envelope.messageTs.ts);
    return taken;
  }
}
