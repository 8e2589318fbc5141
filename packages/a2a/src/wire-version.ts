/** The two wires that we speak. A2A 0.2 differs from 0.3 only in what the reader tolerates anyway. */
export type WireVersion = '1.0' | '0.3';

/**
 * The wire that a version text asks for, by its numbers: `0.3.0` and `0.3` are 0.3, `0.30` is not, `1` and `01.0` are
 * 1.0 (case C140). `undefined` for what we do not speak and for what is no version.
 */
export function wireVersionOf(value: unknown): WireVersion | undefined {
  const match = /^\s*v?(\d{1,4})(?:\.(\d{1,4}))?(?:[.\-+].*)?$/s.exec(versionText(value));
  if (match === null) return undefined;
  const major = Number(match[1]);
  const minor = Number(match[2] ?? 0);
  if (major === 1) return '1.0';
  return major === 0 && (minor === 3 || minor === 2) ? '0.3' : undefined;
}

/** A version as written; some cards hold a number. Empty when there is none. */
export function versionText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
