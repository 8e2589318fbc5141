import {
  encodeRequest,
  type RpcError,
  type RpcReply,
  readEmptyResponse,
  readResponse,
} from '@agentkourier/a2a/json-rpc';
import { holdsAtMost, isObject, parseJson } from '@agentkourier/a2a/json-value';
import type { StreamEvent } from '@agentkourier/a2a/model';
import type { Encoder, OutgoingCall } from '@agentkourier/a2a/outgoing';
import { readEvent } from '@agentkourier/a2a/read-event';
import { readRestError } from '@agentkourier/a2a/rest-error';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { CLIENT_LIMITS } from '../limits.ts';
import { agentError, failedReply } from './agent-reply.ts';
import { callHeaders } from './call-headers.ts';
import { TransportError } from './client-error.ts';
import { exchange, type Http, type HttpReply } from './exchange.ts';
import { framesOf } from './frames.ts';
import type { CallOptions, Tokens, Wire, WireOptions } from './wire.ts';

/** How one agent is spoken to over HTTP. */
export interface HttpWireOptions extends WireOptions {
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  readonly encoder: Encoder;
  readonly http: Http;
  readonly newId: () => string;
}

interface Addressed {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body: string | undefined;
}

/** Calls of one agent over HTTP, in either version and binding. */
export class AgentWire implements Wire {
  readonly #options: HttpWireOptions;

  constructor(options: HttpWireOptions) {
    this.#options = options;
  }

  get encoder(): Encoder {
    return this.#options.encoder;
  }

  async result(call: OutgoingCall, options: CallOptions): Promise<unknown> {
    const reply = await this.#send(call, 'application/json', options);
    const value = parseJson(bounded(await reply.body.text(CLIENT_LIMITS.answerBytes)));
    if (value === undefined) throw new TransportError('The answer is not JSON.');
    return this.#resultOf(readResponse(value), value, reply);
  }

  async done(call: OutgoingCall, options: CallOptions): Promise<void> {
    const reply = await this.#send(call, 'application/json', options);
    const text = await reply.body.text(CLIENT_LIMITS.answerBytes);
    if (this.#options.binding === 'HTTP+JSON' && text.trim() === '') return;
    const value = parseJson(bounded(text));
    this.#resultOf(readEmptyResponse(value), value, reply);
  }

  /**
   * Whatever its content type says (cases C025, C032). Throws an AgentError for an error that stands in it, a
   * TransportError when it breaks.
   */
  async *events(call: OutgoingCall, options: CallOptions, idleMs: () => number): AsyncGenerator<StreamEvent, void> {
    const reply = await this.#send(call, 'text/event-stream', options);
    try {
      for await (const data of framesOf(reply.body, idleMs)) {
        const value = parseJson(bounded(data));
        if (value === undefined) {
          // Said by some models' gateways at the end; it is no frame of A2A.
          if (data.trim() === '[DONE]') continue;
          throw new TransportError('An event of the stream is not JSON.');
        }
        const event = readEvent(this.#resultOf(readResponse(value), value, reply));
        if (event !== undefined) yield event;
      }
    } finally {
      reply.body.close();
    }
  }

  /** Of one answer or frame. In HTTP+JSON it stands without an envelope. */
  #resultOf(read: RpcReply, value: unknown, reply: HttpReply): unknown {
    const { binding, encoder } = this.#options;
    if (binding === 'HTTP+JSON' && !(isObject(value) && 'jsonrpc' in value)) {
      const error = readRestError(value);
      if (error !== undefined) throw this.#error(error, reply);
      return encoder.fromRest(value);
    }
    if (read.kind === 'error') throw this.#error(read.error, reply);
    if (read.kind === 'none') throw new TransportError('The answer is no JSON-RPC response.');
    if (!read.versioned) throw unversioned(read.result);
    return read.result;
  }

  #error(error: RpcError, reply: HttpReply) {
    return agentError(error, reply, this.#options.http.clock.now());
  }

  async #send(call: OutgoingCall, accept: string, options: CallOptions): Promise<HttpReply> {
    const { otherMethod, ...request } = this.#addressed(call);
    let reply = await this.#authorized(request, accept, options);
    // 501 is what gateways say that were generated from the protocol buffers.
    if (otherMethod !== undefined && (reply.status === 405 || reply.status === 501)) {
      reply.body.close();
      reply = await this.#authorized({ ...request, method: otherMethod }, accept, options);
    }
    if (reply.status >= 200 && reply.status < 300) return reply;
    throw await failedReply(reply, this.#options.http.clock.now());
  }

  async #authorized(request: Addressed, accept: string, options: CallOptions): Promise<HttpReply> {
    const { tokens, reply } = await this.#attempt(request, accept, options);
    if (reply.status !== 401 || tokens.size === 0) return reply;
    // Refused means not done, so that it may be sent again, once.
    reply.body.close();
    return (await this.#attempt(request, accept, options, tokens)).reply;
  }

  async #attempt({ url, method, body }: Addressed, accept: string, options: CallOptions, refused?: Tokens) {
    const { http, authorize } = this.#options;
    const { signal, skillId, headersMs } = options;
    const headers = {
      ...callHeaders(this.#options, this.#options.encoder, options),
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const { tokens, ...signed } = await authorize({ url, headers, skillId, signal }, refused);
    return { tokens, reply: await exchange(http, { ...signed, method, body, signal, headersMs }) };
  }

  #addressed(call: OutgoingCall): Addressed & { readonly otherMethod?: 'GET' | 'POST' } {
    const { binding, encoder, tenant, newId } = this.#options;
    const params = tenant === undefined || encoder.version === '0.3' ? call.params : { ...call.params, tenant };
    const url = new URL(this.#options.url);
    if (binding === 'JSONRPC') {
      return { url, method: 'POST', body: encodeRequest({ id: newId(), method: call.method, params }) };
    }
    const { path, query, body, ...methods } = encoder.rest({ method: call.method, params });
    url.pathname = withoutEndSlashes(url.pathname) + path;
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { url, ...methods, body: body === undefined ? undefined : JSON.stringify(body) };
  }
}

/** Not to be believed, and not to be sent again either: the task that it names is real all the same (case C029). */
function unversioned(result: unknown): TransportError {
  const event = readEvent(result);
  const taskId = event?.kind === 'task' ? event.task.id : event?.kind === 'message' ? undefined : event?.taskId;
  return new TransportError('The answer is a JSON-RPC response without its version.', 'unknown', taskId);
}

/** A text that is worth parsing: an empty object is two characters on the wire and a hundred bytes in memory. */
function bounded(text: string): string {
  const { jsonContainers } = CLIENT_LIMITS;
  if (text.length < jsonContainers || holdsAtMost(text, jsonContainers)) return text;
  throw new TransportError(`The answer holds more than ${jsonContainers} objects and arrays.`);
}
