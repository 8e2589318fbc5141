import type { Checked } from './documents.ts';
import type { Report } from './problem.ts';
import { type Say, speaker } from './speaker.ts';

/**
 * Reports about the spec of the one document that holds for all, by paths in it: at the document, or at `--set` where that
 * says what is wrong, or where there is no document.
 */
export function specSpeaker(document: Checked | undefined, set: object, report: Report): Say {
  return (path, what, write) => {
    const isSet = path.reduce<unknown>(member, set) !== undefined;
    if (document === undefined || isSet) report({ file: '--set', what, write });
    else speaker(document, report)(['spec', ...path], what, write);
  };
}

const member = (value: unknown, key: string | number): unknown =>
  (value as Readonly<Record<string | number, unknown>> | undefined)?.[key];
