import type { Encoder } from '@agentkourier/a2a/outgoing';

/** What differs between the versions of A2A for one who calls. Reading does not: one reader takes both. */
export interface Wire {
  readonly encoder: Encoder;
  /** The headers that name the extensions asked for (decision 10). */
  readonly extensionHeaders: readonly string[];
}

/** kagent's human-in-the-loop extension: the only one that we speak (rules D4, S8). */
export const HITL_EXTENSION = 'https://kagent.dev/extensions/hitl/v1';
