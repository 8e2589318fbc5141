import { objectOf, parseJson, textOf } from '@agentkourier/a2a/json-value';
import { CLIENT_LIMITS, CLIENT_WAITS } from '../limits.ts';
import { CredentialsError } from './client-error.ts';
import type { ClientCredential } from './credential.ts';
import { exchange, type Http } from './exchange.ts';

interface Token {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly untilMs: number;
}

/** Tokens of the client credentials flow (RFC 6749, 4.4), each kept until shortly before it expires. */
export class ClientTokens {
  readonly #http: Http;
  readonly #kept = new Map<string, Promise<Token>>();

  constructor(http: Http) {
    this.#http = http;
  }

  /** Calls at the same time share one request. `refused`: a token that is not to come again. */
  async token(
    tokenUrl: URL,
    credential: ClientCredential,
    scopes: readonly string[],
    refused?: string,
  ): Promise<string> {
    const key = JSON.stringify([tokenUrl.href, credential.clientId, ...scopes]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      const token = await kept;
      if (token.value !== refused && this.#http.clock.now() < token.untilMs) return token.value;
    }
    // While this one waited, another call may have asked already.
    const newest = this.#kept.get(key);
    if (newest !== undefined && newest !== kept) return (await newest).value;
    const asked = this.#ask(tokenUrl, credential, scopes);
    this.#kept.set(key, asked);
    asked.catch(() => this.#kept.get(key) === asked && this.#kept.delete(key));
    return (await asked).value;
  }

  async #ask(url: URL, { clientId, clientSecret }: ClientCredential, scopes: readonly string[]): Promise<Token> {
    const form = new URLSearchParams({ grant_type: 'client_credentials' });
    if (scopes.length > 0) form.set('scope', scopes.join(' '));
    const login = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    const headers = {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(login).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    };
    const { status, value } = await this.#json({ method: 'POST', url, headers, body: form.toString() });
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
  async discover(url: URL): Promise<string> {
    const { status, value } = await this.#json({ method: 'GET', url, headers: { accept: 'application/json' } });
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
      throw new CredentialsError(`${request.url.origin}, which has the tokens, cannot be reached.`);
    }
  }
}
