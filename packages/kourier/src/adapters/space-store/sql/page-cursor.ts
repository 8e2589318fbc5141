import { UnknownCursor } from '../../../ports/space/space-store.ts';

/** Where a page in the order of a time and an id ended. */
export const pageCursor = (at: number, id: string): string => `${at}.${id}`;

/** Throws an `UnknownCursor`. */
export function readCursor(cursor: string): { readonly at: number; readonly id: string } {
  const [, at, id] = /^(\d{1,15})\.([A-Za-z0-9._-]{1,128})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined) throw new UnknownCursor();
  return { at: Number(at), id };
}
