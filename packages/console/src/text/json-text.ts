/** Shown at once; the rest is named, so that nobody takes the beginning for the whole. */
const SHOWN_CHARACTERS = 20_000;

/** A value of a step as text: a string as it is, anything else as indented JSON. */
export function jsonText(value: unknown): { readonly text: string; readonly left: number } {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
  return { text: whole.slice(0, SHOWN_CHARACTERS), left: Math.max(0, whole.length - SHOWN_CHARACTERS) };
}
