import type { WireVersion } from './wire-version.ts';

const VERSION = /^(\d{1,4})(?:\.(\d{1,4})(?:\.\d{1,6})?)?$/;

/**
 * The version that a request names; `undefined` when it names none. `unknown` is neither 1.0 nor 0.3: a request means
 * what its version means (A2A 1.0, section 3.6.2), so that it is not read as leniently as the version of a card. The
 * numbers are compared, not the letters, and a patch does not matter (case C140).
 */
export function askedVersionOf(text: string): WireVersion | 'unknown' | undefined {
  const named = text.trim();
  if (named === '') return undefined;
  if (named === '1.0') return named;
  const match = VERSION.exec(named);
  const [major, minor] = [Number(match?.[1] ?? -1), Number(match?.[2] ?? 0)];
  if (major === 1 && minor === 0) return '1.0';
  return major === 0 && minor === 3 ? '0.3' : 'unknown';
}
