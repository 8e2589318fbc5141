/**
 * Words from outside on one short line of ours: without brackets, control, invisible or bidirectional characters, so
 * that nothing in it looks like a prefix (rule S6) or more than one line. May be empty.
 */
export function shortLine(text: string, characters: number): string {
  const line = text.replace(/[\p{C}\p{Z}[\]<>]+/gu, ' ').trim();
  const short = [...line].slice(0, characters).join('');
  return short.length < line.length ? `${short}…` : short;
}
