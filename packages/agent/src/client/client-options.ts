import type { JsonObject } from '@agentkourier/a2a/json-value';
import type { OutgoingPushConfig } from '@agentkourier/a2a/outgoing';
import type { Preference } from './choose-interface.ts';
import type { ClientClock } from './client-clock.ts';
import type { Credentials } from './credential.ts';
import type { FollowOptions } from './follow-patience.ts';

export interface ClientOptions {
  /** The binding and version to take where the card offers several; its own order decides otherwise. */
  readonly prefer?: Preference;
  /** Where calls go, whatever the card says of it (a card behind a gateway may name what cannot be reached, case C008). */
  readonly endpoint?: string;
  /** What satisfies the card's security schemes, by their names. */
  readonly credentials?: Credentials;
  /** Added to every call, the card's included. Given without `credentials`, they are taken to satisfy the card's schemes. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Origins beside the card's own that may have `credentials` and `headers`: `https://tokens.example`. */
  readonly credentialOrigins?: readonly string[];
  /** Instead of the one that the card's interface names. */
  readonly tenant?: string;
  /** URIs of extensions that every call names. */
  readonly extensions?: readonly string[];
  /** Milliseconds: to the response headers (30 s unless given), and without a byte (5 min). */
  readonly headersMs?: number;
  readonly idleMs?: number;
  /**
   * The global one unless given; it has to follow no redirect when it is told so, and to obey its signal. gRPC goes past
   * it, and is refused where it is given.
   */
  readonly fetch?: typeof globalThis.fetch;
  readonly clock?: ClientClock;
  /** Ids of messages and requests; random UUIDs unless given. */
  readonly newId?: () => string;
  /** Calls the connecting off. */
  readonly signal?: AbortSignal;
}

export interface CallSettings {
  /** Calls it off; the call then rejects with the signal's reason. It cancels no task. */
  readonly signal?: AbortSignal;
  /** Of this call. They may authenticate, so they go where `credentials` may. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly extensions?: readonly string[];
}

export interface FollowSettings extends CallSettings {
  /** Go on after a lost stream: GetTask, then SubscribeToTask, until the task has ended or paused. */
  readonly follow?: boolean | FollowOptions;
}

export interface StreamSettings extends FollowSettings {
  readonly acceptedOutputModes?: readonly string[];
  /** Messages of the task's history that come with it; the agent decides otherwise. */
  readonly historyLength?: number;
  readonly pushNotificationConfig?: OutgoingPushConfig;
  /** Of the request, not of the message. */
  readonly metadata?: JsonObject;
}

export interface SendOptions extends StreamSettings {
  /** Do not wait for the task to end or to pause: the result may be `running`. */
  readonly returnImmediately?: boolean;
}
