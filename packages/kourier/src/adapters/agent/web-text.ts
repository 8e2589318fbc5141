import { LIMITS } from '../../core/limits.ts';
import { DEFAULT_TIMINGS } from '../../core/timings.ts';
import type { WebText } from '../../ports/web-text.ts';
import { directDispatcher, directWay } from './wire/direct-way.ts';
import { discard, exchange } from './wire/exchange.ts';
import { statusFailure } from './wire/failures.ts';
import { readBody } from './wire/read-body.ts';

/** The port, on a connection of its own that ends with the answer. */
export const webText: WebText = async (url, body) => {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'failed', why: 'not http or https' };
  const dispatcher = directDispatcher();
  const way = directWay(dispatcher, {});
  const { signal } = new AbortController();
  const { responseHeadersMs: withinMs } = DEFAULT_TIMINGS;
  // A server of both wires answers with its newest card (case C139).
  const headers = { accept: 'application/json', 'a2a-version': '1.0' };
  const sent = body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body };
  try {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await exchange({ ...sent, method, url, signal, headersMs: withinMs, way });
    if (answer.kind !== 'answer') return { kind: 'failed', why: 'why' in answer ? answer.why : answer.kind };
    const { status, target } = answer;
    if (status >= 300 && status < 400) {
      discard(answer.body);
      const failure = statusFailure(status, undefined, target);
      return { kind: 'redirect', why: 'why' in failure ? failure.why : `HTTP ${status}` };
    }
    const reading = await readBody(answer.body, { maxBytes: LIMITS.cardBytes, withinMs, signal });
    if (reading.kind === 'text') return { kind: 'answer', status, text: reading.text };
    return {
      kind: 'failed',
      why: reading.kind === 'over' ? `over ${LIMITS.cardBytes} bytes` : 'the connection was lost',
    };
  } finally {
    await dispatcher.destroy();
  }
};
