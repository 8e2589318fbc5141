/** A run of text as it is, or the name of something that the eye would miss. */
export interface Segment {
  readonly text: string;
  readonly hidden: boolean;
}

/**
 * Controls, bidi overrides, zero-width and tag characters, variation selectors, and runs of white space that push what
 * follows out of sight (case C103). A joiner or selector inside an emoji is part of its picture and stays.
 */
const UNSEEN =
  /(?<emoji>\p{Extended_Pictographic}(?:[\u{FE0F}\u{1F3FB}-\u{1F3FF}]|\u200D\p{Extended_Pictographic})+)|(?<blanks>[ \t\u00A0]{40,}|\n{6,})|(?<one>[\p{Cc}\p{Cf}\p{Co}\u115F\u1160\u3164\uFFA0\p{Variation_Selector}])/gu;

/** Cuts `text` into what is seen and what is not, in order. Tabs and line ends are seen. */
export function segments(text: string): readonly Segment[] {
  const found: Segment[] = [];
  let from = 0;
  const keep = (to: number): void => {
    if (to > from) found.push({ text: text.slice(from, to), hidden: false });
  };
  for (const match of text.matchAll(UNSEEN)) {
    const { blanks, one } = match.groups ?? {};
    const name = blanks === undefined ? nameOfOne(one) : nameOfBlanks(blanks);
    if (name === undefined) continue;
    keep(match.index);
    found.push({ text: name, hidden: true });
    from = match.index + match[0].length;
  }
  keep(text.length);
  return found;
}

/** `text` on one line with everything unseen named, at most `limit` characters: for names and headings. */
export function visibleLine(text: string, limit = 300): string {
  const line = segments(text.slice(0, limit * 2).replace(/\s+/g, ' '))
    .map((segment) => segment.text)
    .join('');
  return line.length <= limit && text.length <= limit * 2 ? line : `${line.slice(0, limit)}…`;
}

/** `text` without what is not seen: what a reader takes it for. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, (match, emoji: string | undefined) => emoji ?? (/^\s+$/.test(match) ? ' ' : ''));
}

function nameOfBlanks(blanks: string): string {
  return `‹${blanks.length} ${blanks.startsWith('\n') ? 'line breaks' : 'spaces'}›`;
}

function nameOfOne(one: string | undefined): string | undefined {
  if (one === undefined || one === '\n' || one === '\t' || one === '\r') return undefined;
  return `‹U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}
