import type { ProtocolVersion } from './dialect.ts';
import type { Asked } from './sink.ts';

const VERSION = /^(\d{1,4})(?:\.(\d{1,4})(?:\.\d{1,6})?)?$/;

/**
 * The version that a request asks for: `unknown` when it is neither 1.0 nor 0.3. The header counts, else the query
 * parameter; without either it is a 0.3 request (case C139). The numbers are compared, not the letters, and a patch does
 * not matter (case C140).
 */
export function askedVersion(asked: Asked): ProtocolVersion | 'unknown' {
  const named = (asked.header('a2a-version')?.trim() || asked.query.get('A2A-Version') || '').trim();
  if (named === '') return '0.3';
  if (named === '1.0') return named;
  const match = VERSION.exec(named);
  const [major, minor] = [Number(match?.[1] ?? -1), Number(match?.[2] ?? 0)];
  if (major === 1 && minor === 0) return '1.0';
  return major === 0 && minor === 3 ? '0.3' : 'unknown';
}
