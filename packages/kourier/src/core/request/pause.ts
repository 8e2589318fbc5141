import type { Question, RequestedTool, RequestType } from '../thread/entry.ts';

/** A pause that can be put to a person. */
export interface Pause {
  /** Tells one pause of a thread from another (rules Q3, Q4). */
  readonly name: string;
  /** Two pauses of one name that say something else cannot be told apart by whoever answers. */
  readonly says: string;
  readonly type: RequestType;
  readonly heading: string;
  readonly questions: readonly Question[];
  readonly tools: readonly RequestedTool[];
  /** The id that an answer to structured questions echoes (rules Q6, Q10). */
  readonly echo?: string;
}

/** `why` is for the log. */
export type PauseRead =
  | { readonly kind: 'pause'; readonly pause: Pause }
  | { readonly kind: 'unusable'; readonly why: string };

export const unusable = (why: string): PauseRead => ({ kind: 'unusable', why });

export type Dialect = 'a2a' | 'kagent-v1';
