import { askedVersionOf } from '@agentkourier/a2a/asked-version';
import type { ProtocolVersion } from './dialect.ts';
import type { Asked } from './sink.ts';

/**
 * The version that a request asks for: `unknown` when it is neither 1.0 nor 0.3. The header counts, else the query
 * parameter; without either it is a 0.3 request (case C139).
 */
export function askedVersion(asked: Asked): ProtocolVersion | 'unknown' {
  const named = asked.header('a2a-version')?.trim() || asked.query.get('A2A-Version') || '';
  return askedVersionOf(named) ?? '0.3';
}
