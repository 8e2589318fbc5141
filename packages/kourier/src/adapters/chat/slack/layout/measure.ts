const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** What is looked at before a cut to find a bound of what a person sees as one character. */
const LOOK_BACK = 1_000;

export const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** The greatest bound of a grapheme at or before `index`. */
export function graphemeBound(text: string, index: number): number {
  if (index >= text.length) return text.length;
  const from = Math.max(0, index - LOOK_BACK);
  const segment = GRAPHEMES.segment(text.slice(from, index + LOOK_BACK)).containing(index - from);
  const bound = from + (segment?.index ?? index - from);
  // One "character" of a thousand marks: any bound between code points will do.
  return bound > from || from === 0 ? bound : codePointBound(text, index);
}

/** The greatest index up to which a text takes no more than so many bytes; between code points. */
export function indexAtBytes(text: string, bytes: number): number {
  let used = 0;
  let index = 0;
  for (const character of text) {
    used += bytesOf(character);
    if (used > bytes) break;
    index += character.length;
  }
  return index;
}

/** At most so many characters, an ellipsis for the rest. */
export function shortened(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, graphemeBound(text, characters - 1))}…`;
}

function codePointBound(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
