import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCard } from '@agentkourier/a2a/card';
import { validateCard } from '@agentkourier/a2a/validate-card';
import { type Publishing, publishedCard } from './published-card.ts';
import type { Endpoint, Json } from './registered-agent.ts';

const BASE = 'https://gateway.example/spaces/s/agents/a';
const PUBLISHING: Publishing = {
  base: BASE,
  pushNotifications: false,
  openIdConnect: [{ name: 'corp', openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' }],
};
const UPSTREAM = 'http://10.1.2.3:8080';

const COMMON = {
  name: 'Echo',
  description: 'Says it again.',
  version: '1.2.3',
  provider: { organization: 'ACME', url: 'https://acme.example' },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  signatures: [{ protected: 'e30', signature: 'AA', header: { jku: `${UPSTREAM}/keys` } }],
  'x-vendor': { kept: [1] },
};
const SKILL = { id: 'echo', name: 'Echo', description: 'Echoes.', tags: ['echo'], 'x-skill': true };

const MODERN: Json = {
  ...COMMON,
  supportedInterfaces: [
    { url: `${UPSTREAM}/grpc`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: `${UPSTREAM}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 't1' },
    { url: `${UPSTREAM}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true, 'x-cap': 1 },
  securitySchemes: {
    own: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: `${UPSTREAM}/t`, scopes: {} } } } },
  },
  securityRequirements: [{ schemes: { own: { list: [] } } }],
  skills: [{ ...SKILL, securityRequirements: [{ schemes: { own: { list: [] } } }] }],
};
const OLD: Json = {
  ...COMMON,
  protocolVersion: '0.3.0',
  url: `${UPSTREAM}/grpc`,
  preferredTransport: 'GRPC',
  additionalInterfaces: [
    { url: `${UPSTREAM}/grpc`, transport: 'GRPC' },
    { url: `${UPSTREAM}/rest`, transport: 'HTTP+JSON' },
    { url: `${UPSTREAM}/rpc`, transport: 'JSONRPC' },
  ],
  capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: true },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: { own: { type: 'openIdConnect', openIdConnectUrl: `${UPSTREAM}/oidc` } },
  security: [{ own: [] }],
  skills: [{ ...SKILL, security: [{ own: [] }] }],
};
const BOTH: Json = { ...OLD, ...MODERN };

const end = (path: string, binding: Endpoint['binding'], version: Endpoint['version']): Endpoint => ({
  url: UPSTREAM + path,
  binding,
  version,
});
const MODERN_ENDS = [{ ...end('/rpc', 'JSONRPC', '1.0'), tenant: 't1' }, end('/rest', 'HTTP+JSON', '1.0')];
const OLD_ENDS = [end('/rest', 'HTTP+JSON', '0.3'), end('/rpc', 'JSONRPC', '0.3')];

function publish(card: Json, endpoints: readonly Endpoint[], given: Partial<Publishing> = {}): Json {
  const published = publishedCard({ card, endpoints }, { ...PUBLISHING, ...given });
  assert.ok(published !== undefined);
  return published;
}

describe('the published card, of 1.0', () => {
  const card = publish(MODERN, MODERN_ENDS);

  it('is valid', () => assert.deepEqual(validateCard(card, '1.0').faults, []));

  it('C013 names the gateway only, by the bindings that are called', () => {
    assert.deepEqual(card['supportedInterfaces'], [
      { url: BASE, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${BASE}/a2a/v1`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]);
    assert.ok(!JSON.stringify(card).includes('10.1.2.3'));
    for (const name of ['url', 'preferredTransport', 'additionalInterfaces', 'security', 'signatures'])
      assert.ok(!(name in card), name);
  });

  it('wants what the gateway wants, of every skill alike', () => {
    assert.deepEqual(card['securitySchemes'], {
      gateway: {
        httpAuthSecurityScheme: { scheme: 'Bearer', description: 'A key of this gateway, as a bearer token.' },
      },
      corp: { openIdConnectSecurityScheme: { openIdConnectUrl: PUBLISHING.openIdConnect[0]?.openIdConnectUrl } },
    });
    assert.deepEqual(card['securityRequirements'], [
      { schemes: { gateway: { list: [] } } },
      { schemes: { corp: { list: [] } } },
    ]);
    assert.deepEqual(card['skills'], [SKILL]);
  });

  it('keeps everything else', () => {
    const { signatures: _, ...common } = COMMON;
    assert.deepEqual({ ...card, ...common }, card);
    const capabilities = { streaming: true, 'x-cap': 1, extendedAgentCard: false };
    assert.deepEqual(card['capabilities'], { ...capabilities, pushNotifications: false });
    const pushing = publish(MODERN, MODERN_ENDS, { pushNotifications: true });
    assert.deepEqual(pushing['capabilities'], { ...capabilities, pushNotifications: true });
  });

  it('C014 leaves the card that was registered as it is', () => {
    const before = structuredClone(MODERN);
    publish(MODERN, MODERN_ENDS);
    assert.deepEqual(MODERN, before);
  });

  it('names the version that is called, in whatever shape the card is', () => {
    const published = publish(MODERN, [end('/rpc', 'JSONRPC', '0.3')]);
    assert.deepEqual(published['supportedInterfaces'], [
      { url: BASE, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ]);
  });
});

describe('the published card, of 0.3', () => {
  const card = publish(OLD, OLD_ENDS);

  it('is valid', () => assert.deepEqual(validateCard(card, '0.3').faults, []));

  it('C013 names the gateway only, by the bindings that are called, the preferred first', () => {
    const { protocolVersion, url, preferredTransport, additionalInterfaces } = card;
    assert.deepEqual(
      { protocolVersion, url, preferredTransport, additionalInterfaces },
      {
        protocolVersion: '0.3.0',
        url: `${BASE}/a2a`,
        preferredTransport: 'HTTP+JSON',
        additionalInterfaces: [
          { url: `${BASE}/a2a`, transport: 'HTTP+JSON' },
          { url: BASE, transport: 'JSONRPC' },
        ],
      },
    );
    assert.ok(!JSON.stringify(card).includes('10.1.2.3'));
    for (const name of ['supportedInterfaces', 'securityRequirements', 'signatures']) assert.ok(!(name in card), name);
  });

  it('wants what the gateway wants, and offers no fuller card', () => {
    assert.deepEqual(card['security'], [{ gateway: [] }, { corp: [] }]);
    assert.deepEqual(Object.keys(card['securitySchemes'] ?? {}), ['gateway', 'corp']);
    assert.deepEqual(card['skills'], [SKILL]);
    assert.equal(card['supportsAuthenticatedExtendedCard'], false);
    assert.deepEqual(card['capabilities'], { streaming: true, stateTransitionHistory: true, pushNotifications: false });
  });

  it('is one of 0.3 where the agent said 0.2, or nothing', () => {
    const { protocolVersion: _, ...silent } = OLD;
    for (const old of [{ ...OLD, protocolVersion: '0.2.6' }, silent]) {
      const published = publish(old, OLD_ENDS);
      assert.equal(published['protocolVersion'], '0.3.0');
      assert.deepEqual(validateCard(published, '0.3').faults, []);
    }
  });
});

describe('the published card, of both versions', () => {
  it('is valid as either, and names the gateway in both', () => {
    const card = publish(BOTH, [...MODERN_ENDS, ...OLD_ENDS]);
    for (const version of ['1.0', '0.3'] as const) assert.deepEqual(validateCard(card, version).faults, [], version);
    assert.ok(!JSON.stringify(card).includes('10.1.2.3'));
    const reading = readCard(card);
    assert.ok(reading.kind === 'card');
    assert.deepEqual(
      reading.card.interfaces.map(
        ({ url, binding, protocolVersion }) => `${url.slice(BASE.length)} ${binding} ${protocolVersion}`,
      ),
      [
        ' JSONRPC 1.0',
        '/a2a/v1 HTTP+JSON 1.0',
        '/a2a HTTP+JSON 0.3',
        ' JSONRPC 0.3',
        '/a2a HTTP+JSON ',
        '/a2a HTTP+JSON ',
        ' JSONRPC ',
      ],
    );
  });

  it('is one of 1.0 when the agent is called by 1.0 only', () => {
    const card = publish(BOTH, MODERN_ENDS);
    assert.deepEqual(validateCard(card, '1.0').faults, []);
    for (const name of ['url', 'preferredTransport', 'additionalInterfaces', 'security'])
      assert.ok(!(name in card), name);
  });
});

describe('what is published', () => {
  it('C005 is nothing for an agent that cannot be called', () => {
    assert.equal(publishedCard({ card: MODERN, endpoints: [] }, PUBLISHING), undefined);
  });

  it('C008 C011 C020 stands below the base, however the agent and the base are written', () => {
    const urlOf = (base: string): unknown => publish(OLD, [end('/a?b=c', 'JSONRPC', '0.3')], { base })['url'];
    assert.equal(urlOf(`${BASE}/`), BASE);
    assert.equal(
      urlOf('https://gateway.example/prefix/spaces/s/agents/a'),
      'https://gateway.example/prefix/spaces/s/agents/a',
    );
  });

  it('comes of whatever is no card by the letter, too', () => {
    const card = publish({ url: UPSTREAM, capabilities: 'all', skills: [null, 7] }, [end('', 'JSONRPC', '1.0')]);
    assert.deepEqual(card['skills'], [null, 7]);
    assert.equal(card['url'], BASE);
    assert.deepEqual(card['capabilities'], { pushNotifications: false });
  });
});
