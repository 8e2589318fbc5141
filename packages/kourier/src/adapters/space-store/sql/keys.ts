import { hash } from 'node:crypto';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Of a Space, an agent or a task, to look it up: what cannot be one is the empty text, which nothing is called. */
export const lookedUp = (id: string): string => (ID.test(id) ? id : '');

/** The same, to write it. */
export function written(id: string): string {
  if (!ID.test(id)) throw new TypeError('An id of a Space, an agent or a task has letters, digits, ".", "_" and "-".');
  return id;
}

/**
 * Names that others make up are looked up by their digests: they may be long, and hold what a column of text or an index
 * does not take.
 */
export const digest = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts), 'base64url');

/** A number of ours that comes back from outside; 0, which is none, for anything else. */
export const countedId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0);
