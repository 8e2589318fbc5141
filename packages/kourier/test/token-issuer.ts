import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { ownPort } from '../../agent/test/own-port.ts';

export type Algorithm = 'ES256' | 'RS256' | 'PS256' | 'EdDSA';

export interface IssuerKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly privateKey: KeyObject;
  /** The public key, as a JWK with `kid` and `use`. */
  readonly jwk: Readonly<Record<string, unknown>>;
}

const PAIRS: Readonly<Record<Algorithm, () => { readonly privateKey: KeyObject; readonly publicKey: KeyObject }>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  PS256: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
};

export function issuerKey(kid: string, alg: Algorithm = 'ES256'): IssuerKey {
  const { privateKey, publicKey } = PAIRS[alg]();
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig' } };
}

export const part = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** A compact JWS of these claims; `header` replaces members of the usual one, `undefined` takes one away. */
export function token(key: IssuerKey, claims: object | string, header: object = {}): string {
  const input = `${part({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })}.${part(claims)}`;
  const pss = key.alg === 'PS256' ? { padding: 6, saltLength: 32 } : {};
  const digest = key.alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(digest, Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363', ...pss });
  return `${input}.${signature.toString('base64url')}`;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An OpenID Connect issuer on loopback: its two documents, and whatever else it is told to answer. */
export class TestIssuer {
  /** What it publishes. */
  keys: readonly IssuerKey[] = [issuerKey('k-1')];
  /** In place of its documents, by path. */
  readonly answers = new Map<string, Answer>();
  /** The paths that it was asked for. */
  readonly asked: string[] = [];
  readonly #server = createServer((request, response) => this.#answer(request, response));
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get key(): IssuerKey {
    return this.keys.at(-1) ?? issuerKey('none');
  }

  async up(): Promise<void> {
    if (this.#port === 0) this.#port = await ownPort();
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
  }

  /** Closed, with what is open: a call is refused by the machine. */
  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Answers this path with a text. */
  says(path: string, body: string, status = 200, headers: Readonly<Record<string, string>> = {}): void {
    this.answers.set(path, (_, response) => void response.writeHead(status, headers).end(body));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.asked.push(path);
    const answer = this.answers.get(path);
    if (answer !== undefined) return answer(request, response);
    const documents: Readonly<Record<string, object>> = {
      '/.well-known/openid-configuration': { issuer: this.url, jwks_uri: `${this.url}/jwks` },
      '/jwks': { keys: this.keys.map(({ jwk }) => jwk) },
    };
    const document = documents[path];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  }
}

/** One that is up until the test ends. */
export async function startTestIssuer(t: TestContext): Promise<TestIssuer> {
  const issuer = new TestIssuer();
  await issuer.up();
  t.after(() => issuer.down());
  return issuer;
}
