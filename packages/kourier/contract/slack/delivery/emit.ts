import type { Shape } from '../shape.ts';

/** An event that happened in a conversation, and who hears of it is decided where it is delivered. */
export interface Happening {
  /** The channel that it happened in; the app hears of it only as a member. */
  readonly channel: string;
  /** Each is a delivery of its own, with its own event_id. */
  readonly events: readonly Shape[];
}

export type Emit = (happening: Happening) => void;
