import { isObject, type JsonObject, parseJson, textOf } from '@agentkourier/a2a/json-value';
import { withoutEndSlashes } from '@agentkourier/a2a/without-end-slashes';
import { SPACE_CLIENT_LIMITS } from '../limits.ts';
import { SpaceError, type SpaceFailure } from './space-error.ts';

export interface SpaceAddress {
  /** Where the gateway is: `https://space.example`. */
  readonly url: string;
  /** The id of the Space. */
  readonly space: string;
  /** An API key or a token of the Space; none in its local mode. */
  readonly key?: string;
  /** The global one unless given. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The HTTP interface of a Space as functions: JSON in and out, failures as `SpaceError`. */
export class SpaceApi {
  readonly #address: SpaceAddress;
  readonly #gateway: string;
  readonly #base: string;

  constructor(address: SpaceAddress) {
    this.#address = address;
    this.#gateway = withoutEndSlashes(address.url);
    this.#base = `${this.#gateway}/api/v1/spaces/${encodeURIComponent(address.space)}`;
  }

  /** What calls to the Space and its agents carry. */
  get headers(): Readonly<Record<string, string>> {
    const { key } = this.#address;
    return key === undefined ? {} : { authorization: `Bearer ${key}` };
  }

  get(path: string, signal?: AbortSignal): Promise<JsonObject> {
    return this.#call('GET', this.#base + path, undefined, signal);
  }

  post(path: string, body: object, signal?: AbortSignal): Promise<JsonObject> {
    return this.#call('POST', this.#base + path, body, signal);
  }

  /** Where the gateway answers for an agent. */
  placeOf(agentId: string): string {
    return `${this.#gateway}${this.pathOf(agentId)}`;
  }

  /** The same below whatever the gateway calls itself. */
  pathOf(agentId: string): string {
    return `/spaces/${encodeURIComponent(this.#address.space)}/agents/${encodeURIComponent(agentId)}`;
  }

  /** The card that the gateway publishes of an agent. */
  card(agentId: string, signal?: AbortSignal): Promise<JsonObject> {
    return this.#call('GET', `${this.placeOf(agentId)}/.well-known/agent-card.json`, undefined, signal);
  }

  async #call(method: string, url: string, body: object | undefined, signal?: AbortSignal): Promise<JsonObject> {
    const { fetch = globalThis.fetch } = this.#address;
    const timeout = AbortSignal.timeout(SPACE_CLIENT_LIMITS.answerMs);
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        headers: {
          ...this.headers,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await boundedText(response);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SpaceError) throw error;
      throw new SpaceError(
        'unavailable',
        'A2A_SPACE_UNREACHABLE',
        'The Space cannot be reached: look whether its URL is right and it runs.',
        { cause: error },
      );
    }
    const value = parseJson(text);
    if (response.ok && isObject(value)) return value;
    throw refusalOf(response.status, isObject(value) ? value : {});
  }
}

const FAILURES: Readonly<Record<number, SpaceFailure>> = { 401: 'unauthenticated', 403: 'refused', 404: 'not-found' };

function failureOf(status: number, { code, reason }: JsonObject): SpaceFailure {
  // Whether it was decided so, or goes by when the agent dials again.
  if (code === 'agent-blocked') return reason === 'not-connected' ? 'unavailable' : 'refused';
  return FAILURES[status] ?? (status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'invalid');
}

/** The Space's own code and words, when they are a problem document (RFC 9457). */
function refusalOf(status: number, problem: JsonObject): SpaceError {
  const code = (textOf(problem['code']) ?? '').slice(0, 100);
  const failure = failureOf(status, problem);
  if (code === '')
    return new SpaceError(
      status < 400 ? 'unavailable' : failure,
      'A2A_SPACE_ANSWER_UNKNOWN',
      `The URL answers ${status}, and not as a Space: look whether it is right.`,
    );
  return new SpaceError(failure, code, (textOf(problem['detail']) ?? '').slice(0, 500));
}

async function boundedText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > SPACE_CLIENT_LIMITS.answerBytes) {
      throw new SpaceError('unavailable', 'A2A_SPACE_ANSWER_TOO_LARGE', 'The answer is larger than any of a Space.');
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
