import type { Security } from '@agentkourier/a2a/read-security';
import { chooseRequirement, type Satisfied } from './choose-requirement.ts';
import { CredentialsError } from './client-error.ts';
import { ClientTokens, type Wanted } from './client-token.ts';
import type { ClientCredential, Credentials, TokenCredential } from './credential.ts';
import type { Http } from './exchange.ts';
import { setHeader } from './header.ts';
import { unlessAborted } from './shared-work.ts';
import type { SignedCall, Tokens, UnsignedCall } from './wire.ts';

export interface AuthorizerOptions {
  readonly security: Security;
  readonly credentials: Credentials;
  /** Where a client's secret may go. */
  readonly origins: ReadonlySet<string>;
  readonly http: Http;
}

interface Signing {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly tokens: Map<string, string>;
  readonly refused: Tokens;
  /** Of the call. */
  readonly signal: AbortSignal | undefined;
}

const NO_TOKENS: Tokens = new Map();

/** Adds to calls what the card's security schemes want (rule C4). */
export class Authorizer {
  readonly #options: AuthorizerOptions;
  readonly #tokens: ClientTokens;
  readonly #discovered = new Map<string, string>();

  constructor(options: AuthorizerOptions) {
    this.#options = options;
    this.#tokens = new ClientTokens(options.http);
  }

  /** Throws a CredentialsError when what was given satisfies nothing that the agent asks of every call. */
  check(): void {
    chooseRequirement(this.#options.security, this.#options.credentials);
  }

  async authorize({ url, headers, skillId, signal }: UnsignedCall, refused: Tokens = NO_TOKENS): Promise<SignedCall> {
    const { security, credentials } = this.#options;
    const tokens = new Map<string, string>();
    const signing = { url: new URL(url), headers: { ...headers }, tokens, refused, signal };
    for (const one of chooseRequirement(security, credentials, skillId)) await this.#add(one, signing);
    return { url: signing.url, headers: signing.headers, tokens };
  }

  async #add(one: Satisfied, signed: Signing): Promise<void> {
    const { scheme, credential, name } = one;
    const of = JSON.stringify(name);
    if (scheme.kind === 'apiKey' && 'apiKey' in credential) {
      if (scheme.in === 'query') signed.url.searchParams.set(scheme.name, credential.apiKey);
      else if (scheme.in === 'header') setHeader(signed.headers, scheme.name, credential.apiKey, of);
      else addCookie(signed.headers, scheme.name, credential.apiKey, of);
    } else if ('username' in credential) {
      const login = Buffer.from(`${credential.username}:${credential.password}`).toString('base64');
      setHeader(signed.headers, 'authorization', `Basic ${login}`, of);
    } else if ('token' in credential || 'clientId' in credential) {
      const token = await this.#token(one, credential, signed);
      if ('clientId' in credential || typeof credential.token === 'function') signed.tokens.set(name, token);
      setHeader(signed.headers, 'authorization', `Bearer ${token}`, of);
    }
  }

  async #token(one: Satisfied, credential: TokenCredential | ClientCredential, { refused, signal }: Signing) {
    const { name, scopes } = one;
    const wanted = { scopes, refused: refused.get(name), signal };
    if ('clientId' in credential) return this.#clientToken(one, credential, wanted);
    const { token } = credential;
    if (typeof token === 'string') return token;
    return unlessAborted(Promise.resolve(token({ scheme: name, ...wanted })), signal);
  }

  async #clientToken(one: Satisfied, credential: ClientCredential, wanted: Wanted): Promise<string> {
    const named = credential.tokenUrl ?? (await this.#tokenUrl(one, wanted.signal));
    if (!URL.canParse(named)) throw new CredentialsError(`The token URL of ${JSON.stringify(one.name)} is no URL.`);
    const url = new URL(named);
    // Whoever writes the card names this place, and the client's secret goes there.
    if (credential.tokenUrl === undefined && !this.#options.origins.has(url.origin)) {
      throw new CredentialsError(
        `The card would have the client secret sent to ${url.origin}: allow it with credentialOrigins, or give tokenUrl.`,
      );
    }
    return this.#tokens.token(url, credential, { ...wanted, scopes: credential.scopes ?? wanted.scopes });
  }

  async #tokenUrl({ scheme, name }: Satisfied, signal: AbortSignal | undefined): Promise<string> {
    if (scheme.kind === 'oauth2') return scheme.tokenUrl ?? '';
    if (scheme.kind !== 'openIdConnect' || !URL.canParse(scheme.url)) {
      throw new CredentialsError(`The scheme ${JSON.stringify(name)} names no URL to discover its token endpoint at.`);
    }
    const known = this.#discovered.get(name) ?? (await this.#tokens.discover(new URL(scheme.url), signal));
    this.#discovered.set(name, known);
    return known;
  }
}

function addCookie(headers: Record<string, string>, name: string, value: string, of: string): void {
  if (/[\s;,"\\]/.test(value)) throw new CredentialsError(`What was given for ${of} is no cookie's value.`);
  const others = headers['cookie'];
  setHeader(headers, 'cookie', `${others === undefined ? '' : `${others}; `}${name}=${value}`, of);
}
