import type { Caller } from '../agent/interrupts.ts';
import { invalidRequest, parseError, versionNotSupported } from '../rpc-error.ts';
import { sendError } from './deliver.ts';
import { JsonRpcFormat } from './format.ts';
import { isJson, readJsonBody } from './json-body.ts';
import type { Outcome } from './operations.ts';
import { askedVersion } from './protocol-version.ts';
import { idOf, readRequest } from './request.ts';
import type { ServerParts } from './server-parts.ts';
import type { Asked, Sink } from './sink.ts';

/** Answers one JSON-RPC request. Rejects only when the connection breaks. */
export async function answerJsonRpc(asked: Asked, sink: Sink, caller: Caller, server: ServerParts): Promise<void> {
  if (!isJson(asked.header('content-type'))) {
    return sendError(sink, new JsonRpcFormat('null'), invalidRequest('Content-Type must be application/json.'));
  }
  const body = await readJsonBody(asked);
  const noId = new JsonRpcFormat('null');
  if (body === 'too-large') return sendError(sink, noId, invalidRequest('The body is too large.'), 413);
  if (body === 'too-deep') return sendError(sink, noId, invalidRequest('The body is nested too deeply.'));
  if (body === 'not-json') return sendError(sink, noId, parseError());
  const format = new JsonRpcFormat(idOf(body.value));
  await server.answer(sink, format, () => call(body.value, asked, caller, server));
}

async function call(body: unknown, asked: Asked, caller: Caller, server: ServerParts): Promise<Outcome> {
  const request = readRequest(body);
  if (askedVersion(asked) !== '1.0') throw versionNotSupported();
  return server.perform(request, caller);
}
