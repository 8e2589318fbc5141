import { ClientError } from '../client/client-error.ts';

/** What a refusal of a Space is about, for whoever decides what to do next. */
export type SpaceFailure =
  /** No Space, or nothing to reach it with, was named. */
  | 'not-configured'
  /** The credential is none of the Space's. */
  | 'unauthenticated'
  /** A policy, a permit or a role does not allow it. */
  | 'refused'
  /** No such Space, agent or task, or it is not for this caller. */
  | 'not-found'
  /** What was asked does not fit: a bad request, or one that is at odds with an earlier one. */
  | 'invalid'
  /** The Space could not be reached, or could not answer now: the same may go well later. */
  | 'unavailable';

/** A Space did not do what it was asked. `message` begins with the code and holds no credential. */
export class SpaceError extends ClientError {
  override readonly name = 'SpaceError';
  readonly failure: SpaceFailure;
  /** Stable: `not-found`, `A2A_SPACE_NOT_CONFIGURED`. */
  readonly code: string;

  constructor(failure: SpaceFailure, code: string, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.failure = failure;
    this.code = code;
  }
}
