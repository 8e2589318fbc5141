/**
 * Reads a text of the web once, for a command: over http and https only, no redirect is followed, bounded in bytes and
 * time (case C022). With a body it is POSTed as JSON. Never throws, repeats nothing.
 */
export type WebText = (url: URL, body?: string) => Promise<WebAnswer>;

export type WebAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  /** `why` is a half sentence; where it pointed is part of it. */
  | { readonly kind: 'redirect'; readonly why: string }
  /** Nobody answered, or without an end. */
  | { readonly kind: 'failed'; readonly why: string };
