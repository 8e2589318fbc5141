import { nearest } from '../core/nearest.ts';

/** The command line is wrong: exit code 2, and one line that says what to write instead. */
export class UsageError extends Error {
  constructor(what: string, write: string) {
    super(`${inert(what)}; ${inert(write)}`);
  }
}

/** What somebody typed comes back as one line, without control characters and not without end. */
function inert(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?');
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}

export function writeOneOf(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `write ${near}`;
  return `write ${known.length === 1 ? '' : 'one of '}${known.join(', ')}`;
}
