/**
 * What a card says, to be shown on one line: no control, direction, invisible or unpaired characters (case C023), each
 * white space one blank, at most `characters`. Markup stays: escaping it is the view's. Cost is bounded by `characters`.
 */
export function inertText(text: string, characters: number): string {
  const room = 4 * characters;
  const line = text
    .slice(0, room)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  if (line.length <= characters && text.length <= room) return line;
  return `${line.slice(0, characters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
