import { LIMITS } from '../limits.ts';

/**
 * Whether an approver would see exactly what runs (rule Q7). Everything that a display could hide, change or cut makes
 * a pause unusable: better no prompt than a prompt that says something else.
 */

/**
 * Characters that show as nothing, turn the text around them, or have no agreed look (case C103), and control characters
 * other than tab and line ends. U+2800 is a blank that is no white space.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n\r])\p{Cc}/u;
/** What belongs to pictures and hides nothing: a joiner between two of them, the wish to see one in colour, a key cap. */
const PICTURED =
  /(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|(?<=[0-9#*])\uFE0F(?=\u20E3)/gu;
/** Blanks that push what follows out of sight, and marks that pile up over what stands around them. */
const FAR_APART = /[^\S\n]{200}|(?:\n[^\S\n]*){50}|\p{M}{16}/u;

export function isExactText(text: string): boolean {
  if (text.length > LIMITS.promptTextCharacters) return false;
  return !HIDDEN.test(text.replace(PICTURED, '')) && !FAR_APART.test(text.replace(/\r\n?/g, '\n'));
}

/** A question is no command: what cannot be seen in it is left out. */
export function questionText(text: string): string | undefined {
  // No longer text has a shorter one in it that is worth the search.
  if (text.length > 4 * LIMITS.promptTextCharacters) return undefined;
  const pictured = [...text.matchAll(PICTURED)];
  let shown = '';
  let from = 0;
  for (const { 0: stays, index } of pictured) {
    shown += text.slice(from, index).replace(EACH_HIDDEN, '') + stays;
    from = index + stays.length;
  }
  shown = (shown + text.slice(from).replace(EACH_HIDDEN, '')).trim();
  return shown === '' || shown.length > LIMITS.promptTextCharacters ? undefined : shown;
}

const EACH_HIDDEN = new RegExp(HIDDEN, 'gu');

/** A name or a key: one line, no blanks that would be folded, and short enough to be written whole. */
export function isExactName(name: string): boolean {
  if (name === '' || asciiLength(name) > LIMITS.promptNameCharacters || name !== name.normalize('NFC')) return false;
  return !/^\s|\s$|\s\s|[^\S ]/.test(name) && !/\p{Cc}/u.test(name) && isExactText(name);
}

export function isExactValue(value: unknown): boolean {
  if (typeof value === 'string') return isExactText(value);
  if (typeof value === 'number')
    return Number.isFinite(value) && !(Number.isInteger(value) && Math.abs(value) >= 2 ** 53);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isExactValue);
  return Object.entries(value).every(([key, item]) => isExactName(key) && isExactValue(item));
}

/** As an audit line writes it: everything but ASCII as `\uXXXX`. */
function asciiLength(text: string): number {
  return text.length > LIMITS.promptNameCharacters ? text.length : text.replace(/[^\x20-\x7e]/g, '\\uXXXX').length;
}
