import type { Caller } from '../agent/interrupts.ts';
import { bodyTypeNotSupported, invalidRequest, parseError, versionNotSupported } from '../rpc-error.ts';
import { sendError } from './deliver.ts';
import { DIALECT_1_0, type Dialect } from './dialect.ts';
import { JsonRpcFormat } from './format.ts';
import { isJson, readJsonBody } from './json-body.ts';
import type { Outcome } from './operations.ts';
import { askedVersion } from './protocol-version.ts';
import { hasId, idOf, methodOf, readRequest } from './request.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';

/** Answers one JSON-RPC request. Rejects only when the connection breaks. */
export async function answerJsonRpc(asked: Asked, sink: Sink, caller: Caller, server: ServerParts): Promise<void> {
  if (!isJson(asked.header('content-type'))) {
    return sendError(sink, new JsonRpcFormat('null'), bodyTypeNotSupported());
  }
  const body = await readJsonBody(asked);
  const noId = new JsonRpcFormat('null');
  if (body === 'too-large') return sendError(sink, noId, invalidRequest('The body is too large.'), 413);
  if (body === 'too-deep') return sendError(sink, noId, invalidRequest('The body is nested too deeply.'));
  if (body === 'not-json') return sendError(sink, noId, parseError());
  const dialect = server.dialects.get(askedVersion(asked));
  const format = (dialect ?? DIALECT_1_0).jsonRpcFormat(idOf(body.value, body.text), methodOf(body.value));
  await server.answer(sink, format, () => call(body.value, dialect, caller, server));
}

async function call(
  body: unknown,
  dialect: Dialect | undefined,
  caller: Caller,
  server: ServerParts,
): Promise<Outcome> {
  const request = readRequest(body);
  if (dialect === undefined) throw versionNotSupported(server.dialects);
  const meant = dialect.readJsonRpc(request);
  if (!hasId(body)) throw invalidRequest('id is missing: the agent takes no notifications.');
  return server.perform(meant, caller);
}
