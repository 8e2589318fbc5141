import type { Shape } from '../shape.ts';

export type EnvelopeKind = 'events_api' | 'interactive';

export interface Envelope {
  readonly id: string;
  readonly kind: EnvelopeKind;
  readonly payload: Shape;
}

export interface Attempt {
  /** 0 for the first. */
  readonly number: number;
  /** Why the one before failed. */
  readonly reason?: string;
}

export type Outcome =
  /** `answer`: what the app sent back, such as `response_action`. */
  | { readonly kind: 'acknowledged'; readonly answer: Shape }
  | { readonly kind: 'failed'; readonly reason: string; readonly noRetry?: boolean }
  /** Slack believes that it was taken, and the app has not heard it: a deaf socket. */
  | { readonly kind: 'lost' };

/** One way to the app. Waits at most three seconds of the clock. */
export type Transport = (envelope: Envelope, attempt: Attempt) => Promise<Outcome>;

export const ACKNOWLEDGE_WITHIN_MS = 3_000;
