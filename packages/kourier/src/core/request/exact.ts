import { LIMITS } from '../limits.ts';

/**
 * Whether an approver would see exactly what runs (rule Q7). Everything that a display could hide, change or cut makes
 * a pause unusable: better no prompt than a prompt that says something else.
 */

/** Control characters other than tab and line ends, and characters that show as nothing or turn the text around them (case C103). */
const HIDDEN = /[\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u{E0100}-\u{E01EF}\uFE00-\uFE0D]|(?![\t\n\r])\p{Cc}/u;
/** Blanks that push what follows out of sight. */
const FAR_APART = /[^\S\n\r]{200}|(?:\r?\n[^\S\n\r]*){50}/;

/** Joins pictures to one picture, and hides nothing. */
const JOINER = /(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})/gu;

export function isExactText(text: string): boolean {
  return text.length <= LIMITS.promptTextCharacters && !HIDDEN.test(text.replace(JOINER, '')) && !FAR_APART.test(text);
}

/** A question is no command: what cannot be seen in it is left out. */
export function questionText(text: string): string | undefined {
  const shown = text
    .replace(JOINER, '\uE000')
    .replace(new RegExp(HIDDEN, 'gu'), (hidden) => (hidden === '\uE000' ? '\u200D' : ''))
    .trim();
  return shown === '' || shown.length > LIMITS.promptTextCharacters ? undefined : shown;
}

/** A name or a key: one line, no blanks that would be folded, and short enough to be written whole. */
export function isExactName(name: string): boolean {
  if (name === '' || name !== name.normalize('NFC') || /\p{Cc}|^\s|\s$|\s\s|[^\S ]/u.test(name)) return false;
  return !HIDDEN.test(name) && asciiLength(name) <= LIMITS.promptNameCharacters;
}

export function isExactValue(value: unknown): boolean {
  if (typeof value === 'string') return isExactText(value);
  if (typeof value === 'number') return !Number.isInteger(value) || Math.abs(value) < 2 ** 53;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isExactValue);
  return Object.entries(value).every(([key, item]) => isExactName(key) && isExactValue(item));
}

/** As an audit line writes it: everything but ASCII as `\uXXXX`. */
const asciiLength = (text: string): number => text.replace(/[^\x20-\x7e]/g, '\\uXXXX').length;
