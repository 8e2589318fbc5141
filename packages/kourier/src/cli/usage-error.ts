import { nearest } from '../core/nearest.ts';
import { inert } from './inert.ts';

/** The command line is wrong: exit code 2, and one line that says what to write instead. */
export class UsageError extends Error {
  constructor(what: string, write: string) {
    super(`${inert(what)}; ${inert(write)}`);
  }
}

export function writeOneOf(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `write ${near}`;
  return `write ${known.length === 1 ? '' : 'one of '}${known.join(', ')}`;
}
