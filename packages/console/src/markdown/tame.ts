/** Deeper than anybody nests quotes and lists; each level is another recursion of the reader. */
const TOO_DEEP = /^[ \t]*(?:(?:>|[-*+]|\d{1,9}[.)])[ \t]?){40}/m;
/** Marks of emphasis in one item or paragraph: reading them takes the square of their number. */
const MOST_MARKS = 1_000;

export function isTooDeep(window: string): boolean {
  return TOO_DEEP.test(window);
}

/** Whether a block can be read in a moment. One that cannot is shown as plain text. */
export function isTame(raw: string): boolean {
  if (/^ {0,3}(?:```|~~~)/.test(raw)) return true;
  return raw
    .split(/\n(?=\s*(?:[-*+] |\d{1,9}[.)] |\|))/)
    .every((part) => (part.match(/[*_~]/g)?.length ?? 0) <= MOST_MARKS);
}
