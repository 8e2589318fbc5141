/**
 * Closes what the end of a growing text has opened, so that `**bo` is bold at once and a half link shows its words
 * instead of jumping about. Only for the last block while it streams; the finished text is read as it is.
 */
export function mend(raw: string): string {
  if (/^ {0,3}(?:```|~~~)/.test(raw)) return raw;
  const text = withoutHalfLink(raw);
  const ticks = text.match(/`+/g) ?? [];
  const tick = ticks.length % 2 === 1 ? ticks.at(-1) : undefined;
  if (tick !== undefined) return tick === '`' && !text.endsWith('`') ? `${text}\`` : text.replace(/`+$/, '');
  const bare = text.replace(/`[^`]*`/g, '');
  return closed(text, bare, '**') ?? closed(text, bare, '~~') ?? text;
}

function closed(text: string, bare: string, mark: string): string | undefined {
  if (bare.split(mark).length % 2 === 1) return undefined;
  // Nothing is open yet when the mark itself is the last thing that came.
  return text.endsWith(mark) ? text.slice(0, -mark.length) : `${text.replace(/[\s*~]+$/, '')}${mark}`;
}

function withoutHalfLink(text: string): string {
  return text.replace(/!?\[([^[\]\n]{0,300})(?:\](?:\([^()\s]{0,2000})?)?$/, (whole, words: string) =>
    /^\[[ xX]?\]?$/.test(whole) ? whole : words,
  );
}
