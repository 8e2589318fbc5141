import assert from 'node:assert/strict';
import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { signCompact } from '@agentkourier/a2a/compact-jws';
import {
  bodySha256,
  FORWARDED_IDENTITY_HEADER,
  type ForwardedIdentity,
  identityClaims,
} from '@agentkourier/a2a/forwarded-identity';
import { type CardKey, signingKey } from '@agentkourier/a2a/signature/keys';
import { type GatewayCallersOptions, gatewayCallers, type InboundRefusal } from '../src/index.ts';
import { serve } from './served-agent.ts';

interface Cleanup {
  after(end: () => unknown): void;
}

export const TARGET = {
  account: 'acme',
  tenant: 'north',
  agent: 'echo',
  runtime: 'echo-1',
  registration: 'space-demo/echo',
} as const;

const ISSUER = 'https://gateway.example';

export interface Carried {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

/** A gateway of the tests: it signs what it is told to, and its clock stands still until the test moves it. */
export class TestGateway {
  nowS = 1_800_000_000;
  readonly key: CardKey;
  readonly jwk: JsonWebKey;
  readonly refused: InboundRefusal[] = [];
  readonly #secret: JsonWebKey;
  #tokens = 0;

  constructor(kid = 'g1') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#secret = { ...privateKey.export({ format: 'jwk' }), kid };
    this.jwk = { ...publicKey.export({ format: 'jwk' }), kid };
    this.key = cardKey(this.#secret);
  }

  /** What an agent demands that knows this gateway. */
  callers(more: Partial<GatewayCallersOptions> = {}) {
    const keys = more.keysUrl === undefined ? { keys: { keys: [this.jwk] } } : {};
    const onRefused = (why: InboundRefusal) => void this.refused.push(why);
    return gatewayCallers({ issuer: ISSUER, ...TARGET, ...keys, now: () => this.nowS * 1_000, onRefused, ...more });
  }

  identity({ method, path, body }: Carried, more: Partial<ForwardedIdentity> = {}): ForwardedIdentity {
    this.#tokens += 1;
    return {
      ...{ iss: ISSUER, iat: this.nowS, exp: this.nowS + 60, jti: `j${this.#tokens}`, ...TARGET },
      ...{ sub: 'ada', kind: 'user', htm: method, htu: path, bodySha256: bodySha256(body) },
      ...more,
    };
  }

  token(carried: Carried, more: Partial<ForwardedIdentity> = {}): string {
    return this.signed(identityClaims(this.identity(carried, more)));
  }

  signed(claims: Readonly<Record<string, unknown>>, typ = 'a2a-identity+jwt', key: CardKey = this.key): string {
    return signCompact(typ, claims, key);
  }
}

function cardKey(jwk: JsonWebKey): CardKey {
  const reading = signingKey(jwk);
  if (reading.kind === 'unusable') throw new TypeError(reading.why);
  return reading.value;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Over a socket of its own, with the path as it stands: nothing is resolved, added or left out. */
export async function carry(
  url: string,
  { method, path, body }: Carried,
  headers: Readonly<Record<string, string | string[]>> = {},
): Promise<RawAnswer> {
  const request = httpRequest(url, { method, path, agent: false, headers: { ...headers, connection: 'close' } });
  request.end(body);
  const [response] = await once(request, 'response');
  const text = (await response.setEncoding('utf8').toArray()).join('');
  return { status: response.statusCode, headers: response.headers, text };
}

export const CARD: Carried = { method: 'GET', path: '/.well-known/agent-card.json' };

export const JSON_1_0 = { 'content-type': 'application/json', 'a2a-version': '1.0' };
export const JSON_0_3 = { 'content-type': 'application/json' };

const said = (text: string) => ({ messageId: text, role: 'ROLE_USER', parts: [{ text }] });
const said03 = (text: string) => ({ kind: 'message', messageId: text, role: 'user', parts: [{ kind: 'text', text }] });
const saidProto03 = (text: string) => ({ messageId: text, role: 'ROLE_USER', content: [{ text }] });
const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

/** A message in each binding of each version, with the headers that it needs. */
export function messages(
  text: string,
): Readonly<Record<string, { carried: Carried; headers: Record<string, string> }>> {
  const post = (path: string, body: string): Carried => ({ method: 'POST', path, body });
  return {
    'JSON-RPC 1.0': { carried: post('/a2a/jsonrpc', rpc('SendMessage', { message: said(text) })), headers: JSON_1_0 },
    'JSON-RPC 1.0 at the root': { carried: post('/', rpc('SendMessage', { message: said(text) })), headers: JSON_1_0 },
    'JSON-RPC 0.3': {
      carried: post('/a2a/jsonrpc', rpc('message/send', { message: said03(text) })),
      headers: JSON_0_3,
    },
    'HTTP+JSON 1.0': {
      carried: post('/a2a/v1/message:send', JSON.stringify({ message: said(text) })),
      headers: JSON_1_0,
    },
    'HTTP+JSON 0.3': {
      carried: post('/a2a/v1/message:send', JSON.stringify({ message: saidProto03(text) })),
      headers: JSON_0_3,
    },
  };
}

/** An agent that knows one gateway, and says who calls it. */
export async function gatewayWorld(t: Cleanup, more: Partial<GatewayCallersOptions> = {}) {
  const gateway = new TestGateway();
  const turns: string[] = [];
  const agent = await serve(
    t,
    async function* ({ caller }) {
      turns.push(caller.id);
      yield caller.id;
    },
    { inbound: gateway.callers(more), protocols: ['1.0', '0.3'] },
  );
  const asked = (carried: Carried, token?: string | string[], headers: Record<string, string> = {}) =>
    carry(agent.url, carried, { ...headers, ...(token === undefined ? {} : { [FORWARDED_IDENTITY_HEADER]: token }) });
  return { gateway, asked, turns };
}

/** The first of them. */
export const [{ carried: MESSAGE, headers: HEADERS } = { carried: CARD, headers: {} }] = Object.values(
  messages('hello'),
);

/** What everybody is told, whatever was wrong. */
export function assertRefused({ status, headers, text }: RawAnswer, what: string): void {
  const { date: _, ...told } = headers;
  assert.deepEqual(
    { status, headers: told, text },
    {
      status: 401,
      headers: {
        'content-type': 'application/json',
        'content-length': '49',
        'www-authenticate': 'A2A-Forwarded-Identity',
        connection: 'close',
      },
      text: '{"error":"verified gateway identity is required"}',
    },
    what,
  );
}
