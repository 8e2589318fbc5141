import { UnknownPageToken } from './task-store.ts';

/** Where a walk stands: the moment it began, and the last task that it showed. */
export interface Cursor {
  /** The store's own count of changes. */
  readonly asOf: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

export function writePageToken({ asOf, at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([asOf, at, id])).toString('base64url');
}

/** Throws UnknownPageToken. */
export function readPageToken(token: string): Cursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(value)) {
      const [asOf, at, id] = value as unknown[];
      if (Number.isSafeInteger(asOf) && Number.isSafeInteger(at) && typeof id === 'string') {
        return { asOf: asOf as number, at: at as number, id };
      }
    }
  } catch {
    // Not ours: refused below.
  }
  throw new UnknownPageToken('the page token is not one that this store gave');
}
