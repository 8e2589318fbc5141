import type { Caller } from '../agent/interrupts.ts';
import { AGENT_LIMITS } from '../limits.ts';
import { bodyTypeNotSupported, invalidRequest, parseError, versionNotSupported } from '../rpc-error.ts';
import type { Awaitable } from '../store/task-store.ts';
import { sendError } from './deliver.ts';
import { DIALECT_1_0, type Dialect } from './dialect.ts';
import { JsonRpcFormat } from './format.ts';
import { isJson, type JsonBody, readJsonBody } from './json-body.ts';
import type { Outcome } from './operations.ts';
import { askedVersion } from './protocol-version.ts';
import { hasId, idOf, methodOf, readRequest } from './request.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';

/** Answers one JSON-RPC request. Rejects only when the connection breaks. */
export function answerJsonRpc(asked: Asked, sink: Sink, caller: Caller, server: ServerParts): Awaitable<void> {
  if (!isJson(asked.header('content-type'))) {
    return sendError(sink, NO_ID, bodyTypeNotSupported());
  }
  return asked
    .body(AGENT_LIMITS.bodyBytes)
    .then((bytes) => answerBody(readJsonBody(bytes), asked, { sink, caller, server }));
}

function answerBody(
  body: JsonBody,
  asked: Asked,
  { sink, caller, server }: { readonly sink: Sink; readonly caller: Caller; readonly server: ServerParts },
): Awaitable<void> {
  if (body === 'too-large') return sendError(sink, NO_ID, invalidRequest('The body is too large.'), 413);
  if (body === 'too-deep') return sendError(sink, NO_ID, invalidRequest('The body is nested too deeply.'));
  if (body === 'not-json') return sendError(sink, NO_ID, parseError());
  const dialect = server.dialects.get(askedVersion(asked));
  const format = (dialect ?? DIALECT_1_0).jsonRpcFormat(idOf(body.value, body.text), methodOf(body.value));
  return server.answer(sink, format, () => call(body.value, dialect, caller, server));
}

const NO_ID = new JsonRpcFormat('null');

/** Throws what the request is refused for. */
function call(body: unknown, dialect: Dialect | undefined, caller: Caller, server: ServerParts): Awaitable<Outcome> {
  const request = readRequest(body);
  if (dialect === undefined) throw versionNotSupported(server.dialects);
  const meant = dialect.readJsonRpc(request);
  if (!hasId(body)) throw invalidRequest('id is missing: the agent takes no notifications.');
  return server.perform(meant, caller);
}
