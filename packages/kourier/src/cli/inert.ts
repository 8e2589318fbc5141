/** What others wrote, as part of a line: no control or direction characters, and not without end. */
export function inert(text: string, characters = 300): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '?');
  return line.length > characters ? `${line.slice(0, characters - 1)}…` : line;
}
