import type { StreamEvent } from '@agentkourier/a2a/model';
import type { Encoder, OutgoingCall } from '@agentkourier/a2a/outgoing';

/** What one call of an agent may say. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly extensions?: readonly string[] | undefined;
  readonly skillId?: string | undefined;
  readonly headersMs?: number | undefined;
}

/** Calls of one agent in one version and one binding. All throw an AgentError or a TransportError. */
export interface Wire {
  readonly encoder: Encoder;
  /** The result of a call that is answered once, as JSON-RPC spells it. */
  result(call: OutgoingCall, options: CallOptions): Promise<unknown>;
  /** A call that is answered with nothing. */
  done(call: OutgoingCall, options: CallOptions): Promise<void>;
  /** The events of a call that is answered with a stream. Ends when the stream does; `idleMs` is asked before each wait. */
  events(call: OutgoingCall, options: CallOptions, idleMs: () => number): AsyncGenerator<StreamEvent, void>;
}

/** What every kind of wire stands on: chosen once, from the card. */
export interface WireOptions {
  readonly url: URL;
  readonly tenant: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a call's own headers may go to `url`: they may authenticate. */
  readonly trusted: boolean;
  /** URIs that every call names. */
  readonly extensions: readonly string[];
  /** Adds what authenticates a call; `refused`: the tokens that the agent has refused. */
  readonly authorize: (call: UnsignedCall, refused?: Tokens) => Promise<SignedCall>;
}

export interface UnsignedCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** The skill that the call is for, which may ask for more. */
  readonly skillId: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface SignedCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Those in it that can be had anew. */
  readonly tokens: Tokens;
}

/** By the name of their scheme. */
export type Tokens = ReadonlyMap<string, string>;
