import type { HttpContext } from '../route.ts';

/** The trace id of a W3C `traceparent` header; `undefined` when there is none that is well-formed. */
export function traceIn(c: HttpContext): string | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/.exec(c.req.header('traceparent') ?? '');
  const [, trace = '', span = ''] = found ?? [];
  return /[1-9a-f]/.test(trace) && /[1-9a-f]/.test(span) ? trace : undefined;
}
