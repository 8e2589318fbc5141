import { duplicateNames } from '@agentkourier/a2a/duplicate-names';
import { holdsAtMost, isWithinDepth } from '@agentkourier/a2a/json-value';
import { LIMITS } from '../../core/limits.ts';
import type { WebText } from '../../ports/web-text.ts';
import { UsageError } from '../usage-error.ts';
import type { Place } from './card-options.ts';

/** How a command reads. */
export interface Reading {
  /** A file, or standard input for `-`. Throws Node's errors, and a RangeError past `maxBytes`. */
  readText(path: string, maxBytes: number): Promise<string>;
  readonly webText: WebText;
}

export interface JsonDocument {
  /** As it was named. */
  readonly from: string;
  readonly value: unknown;
  /** Paths of members that stand twice, so that it says two things at once. */
  readonly duplicates: readonly string[];
}

/** The web has no such document: exit code 1. */
export class NotFound extends Error {}

/** A document from where it is. Throws `UsageError` for a file that is none, `NotFound` for an address. */
export async function readJson(place: Place, what: string, { readText, webText }: Reading): Promise<JsonDocument> {
  if (place.kind !== 'web') {
    const path = place.kind === 'stdin' ? '-' : place.path;
    const from = place.kind === 'stdin' ? 'standard input' : place.path;
    const text = await readText(path, LIMITS.cardBytes).catch((error: unknown) => {
      throw new UsageError(`${from} cannot be read (${reason(error)})`, `write the path of a ${what}`);
    });
    const read = parsed(text, from);
    if ('why' in read) throw new UsageError(`${from}${read.line}: ${read.why}`, `write a ${what}`);
    return read;
  }
  const from = place.url.href;
  const answer = await webText(place.url);
  if (answer.kind !== 'answer') throw new NotFound(`no ${what} at ${from}: ${answer.why}`);
  if (answer.status < 200 || answer.status > 299) throw new NotFound(`no ${what} at ${from}: HTTP ${answer.status}`);
  const read = parsed(answer.text, from);
  if ('why' in read) throw new NotFound(`no ${what} at ${from}: ${read.why}`);
  return read;
}

function reason(error: unknown): string {
  if (error instanceof RangeError) return `over ${LIMITS.cardBytes} bytes`;
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason';
}

/** A bounded JSON text, or why it is none, with the line that an editor would show. */
export function parsed(text: string, from: string): JsonDocument | { readonly why: string; readonly line: string } {
  if (!holdsAtMost(text, LIMITS.jsonContainers)) return { why: 'too many objects and arrays', line: '' };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const [, line] = /\(line (\d+) column \d+\)/.exec(error instanceof Error ? error.message : '') ?? [];
    return { why: text.trim() === '' ? 'empty' : 'not JSON', line: line === undefined ? '' : `:${line}` };
  }
  if (!isWithinDepth(value, LIMITS.jsonDepth)) return { why: `deeper than ${LIMITS.jsonDepth} levels`, line: '' };
  return { from, value, duplicates: duplicateNames(text) };
}
