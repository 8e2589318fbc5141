/** What the three servers do, by the text of a message: so that all three do the same. */
export type Script =
  | { readonly kind: 'say' }
  | { readonly kind: 'chunks'; readonly count: number }
  | { readonly kind: 'hold' };

export const CHUNK = 'a chunk of some words, ';

export function scriptOf(text: string): Script {
  const [, count] = /^chunks (\d+)$/.exec(text) ?? [];
  if (count !== undefined) return { kind: 'chunks', count: Number(count) };
  return { kind: text === 'hold' ? 'hold' : 'say' };
}
