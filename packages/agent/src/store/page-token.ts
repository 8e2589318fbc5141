import { AGENT_LIMITS } from '../limits.ts';
import { UnknownPageToken } from './task-store.ts';

/** A walk that began more changes ago than this is forgotten: no store keeps for ever how tasks once stood. */
const WALK_CHANGES = AGENT_LIMITS.walkChanges;

/** Where a walk stands: the moment it began, and the last task that it showed. */
export interface Cursor {
  /** The store's own count of changes. */
  readonly asOf: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

/** `store` names the store, so that no other one takes the token for its own. */
export function writePageToken(store: string, { asOf, at, id }: Cursor): string {
  return Buffer.from(JSON.stringify([store, asOf, at, id])).toString('base64url');
}

/** `sequence` is the store's count of changes now. Throws UnknownPageToken. */
export function readPageToken(token: string, store: string, sequence: number): Cursor {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (Array.isArray(value)) {
      const [writer, asOf, at, id] = value as unknown[];
      const counts =
        Number.isSafeInteger(asOf) && Number.isSafeInteger(at) && typeof id === 'string' && !id.includes('\0');
      if (writer === store && counts && (asOf as number) > sequence - WALK_CHANGES && (asOf as number) <= sequence) {
        return { asOf: asOf as number, at: at as number, id };
      }
    }
  } catch {
    // Not ours: refused below.
  }
  throw new UnknownPageToken('the page token is not one that this store gave');
}
