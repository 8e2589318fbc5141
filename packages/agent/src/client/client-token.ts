import { objectOf, parseJson, textOf } from '@agentkourier/a2a/json-value';
import { CLIENT_LIMITS, CLIENT_WAITS } from '../limits.ts';
import { CredentialsError } from './client-error.ts';
import type { ClientCredential } from './credential.ts';
import { exchange, type Http } from './exchange.ts';
import { SharedWork } from './shared-work.ts';

interface Token {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
}

export interface Wanted {
  readonly scopes: readonly string[];
  /** A token that is not to come again. */
  readonly refused: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Tokens of the client credentials flow (RFC 6749, 4.4), each kept until shortly before it expires. */
export class ClientTokens {
  readonly #http: Http;
  readonly #kept = new Map<string, SharedWork<Token>>();

  constructor(http: Http) {
    this.#http = http;
  }

  /** Calls at the same time share one request, which ends when all of them are called off. */
  async token(tokenUrl: URL, credential: ClientCredential, { scopes, refused, signal }: Wanted): Promise<string> {
    const key = JSON.stringify([tokenUrl.href, credential.clientId, ...scopes]);
    const kept = this.#alive(key);
    if (kept !== undefined) {
      const token = await kept.wait(signal);
      if (token.value !== refused && this.#http.clock.now() < token.untilMs) return token.value;
    }
    // While this one waited, another call may have asked already.
    const newest = this.#alive(key);
    if (newest !== undefined && newest !== kept) return (await newest.wait(signal)).value;
    const asked = new SharedWork((until) => this.#ask(tokenUrl, credential, scopes, until));
    this.#kept.set(key, asked);
    return (await asked.wait(signal)).value;
  }

  #alive(key: string): SharedWork<Token> | undefined {
    const kept = this.#kept.get(key);
    return kept?.lost ? undefined : kept;
  }

  async #ask(
    url: URL,
    { clientId, clientSecret }: ClientCredential,
    scopes: readonly string[],
    signal: AbortSignal,
  ): Promise<Token> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const login = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const headers = {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(login).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const { status, value } = await this.#json({ method: 'POST', url, headers, body: form.toString(), signal });
    const answer = objectOf<'access_token' | 'expires_in' | 'error'>(value);
    const token = textOf(answer?.access_token);
    if (status !== 200 || !token) {
      const code = textOf(answer?.error)
        ?.replace(/[^\w-]/g, '')
        .slice(0, 64);
      throw new CredentialsError(`No token from ${url.origin}: HTTP ${status}${code ? ` ${code}` : ''}.`);
    }
    const seconds = typeof answer?.expires_in === 'number' ? answer.expires_in : 0;
    return { value: token, untilMs: this.#http.clock.now() + seconds * 1_000 - CLIENT_WAITS.tokenEarlyMs };
  }

  /** The token endpoint that an OpenID provider names at its discovery URL. */
  async discover(url: URL, signal: AbortSignal | undefined): Promise<string> {
    const headers = { accept: 'application/json' };
    const { status, value } = await this.#json({ method: 'GET', url, headers, signal });
    const endpoint = textOf(objectOf<'token_endpoint'>(value)?.token_endpoint);
    if (status !== 200 || endpoint === undefined || !URL.canParse(endpoint)) {
      throw new CredentialsError(`No token endpoint is named at ${url.origin}${url.pathname}: HTTP ${status}.`);
    }
    return endpoint;
  }

  async #json(request: Parameters<typeof exchange>[1]): Promise<{ readonly status: number; readonly value: unknown }> {
    try {
      const { status, body } = await exchange(this.#http, request);
      return { status, value: parseJson(await body.text(CLIENT_LIMITS.errorBytes)) };
    } catch {
      request.signal?.throwIfAborted();
      throw new CredentialsError(`${request.url.origin}, which has the tokens, cannot be reached.`);
    }
  }
}
