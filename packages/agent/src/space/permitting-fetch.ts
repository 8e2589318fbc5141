import { createHash } from 'node:crypto';
import { canonicalJson } from '@agentkourier/a2a/canonical-json';
import { isObject, type JsonObject, parseJson, textOf } from '@agentkourier/a2a/json-value';

export interface Prepare {
  readonly messageId: string;
  readonly messageSha256: string;
}

export interface Permit {
  readonly taskId: string;
  readonly permit: string;
}

/** As the gateway takes a permit, and names the task of a call. */
const PERMIT_HEADER = 'a2a-space-permit';

/**
 * A `fetch` for the calls of one task: each send asks the Space for a permit for exactly the message that is about to go
 * out, so that nothing else can be sent with it. What is no send goes out as it is: the Space knows whose task it is.
 */
export function permittingFetch(
  fetch: typeof globalThis.fetch,
  prepare: (asked: Prepare) => Promise<Permit>,
): typeof globalThis.fetch {
  return async (input, init) => {
    const message = messageOf(init?.body);
    if (message === undefined) return fetch(input, init);
    const { permit } = await prepare({
      messageId: textOf(message['messageId']) ?? '',
      messageSha256: sha256Of(message),
    });
    const headers = new Headers(init?.headers);
    headers.set(PERMIT_HEADER, permit);
    return fetch(input, { ...init, headers });
  };
}

function messageOf(body: unknown): JsonObject | undefined {
  const value = typeof body === 'string' ? parseJson(body) : undefined;
  if (!isObject(value)) return undefined;
  const params = isObject(value['params']) ? value['params'] : value;
  return isObject(params['message']) ? params['message'] : undefined;
}

/** Without what is only known when the message is sent on: as the gateway hashes it. */
function sha256Of({ taskId: _task, contextId: _context, ...message }: JsonObject): string {
  return createHash('sha256')
    .update(canonicalJson(message) ?? '')
    .digest('hex');
}
