import type { AgentCard } from '@agentkourier/a2a/card';
import type { Timings } from '../../../core/timings.ts';
import type { Headers } from './headers.ts';
import type { Unfinished } from './unfinished.ts';
import type { Way } from './way.ts';
import type { Wire } from './wire.ts';

/** Where an agent is (rules D2, D7). */
export interface Endpoint {
  /** Where every call goes, whatever the card says (rule D7). */
  readonly url: URL;
  readonly cardUrl: URL;
  /** The origin's own card place, when it is another: only looked at to explain a failure (decision 1, case C010). */
  readonly originCardUrl: URL | undefined;
}

/** How one binding reaches its agent. */
export interface Target {
  readonly endpoint: Endpoint;
  /** The id of an agent that is called at the gateway of a Space, which has words of its own for what it does not carry. */
  readonly inSpace?: string;
  readonly way: Way;
  readonly timings: () => Timings;
  /** Shared by all targets. */
  readonly unfinished: Unfinished;
  /** 16 hex digits, new for each call. */
  readonly spanId: () => string;
}

/** An agent whose card was taken. */
export interface Connected {
  readonly kind: 'connected';
  readonly card: AgentCard;
  readonly wire: Wire;
  /** What the card adds to every call. */
  readonly headers: Headers;
}
