import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signCard } from '@agentkourier/a2a/sign-card';
import { PAIRS } from '../../../a2a/test/signing-keys.ts';
import type { SpacePolicy } from '../ports/space/space-configuration.ts';
import { type CardReading, type Reached, readRevision } from './card-reading.ts';
import { card03, card10 } from './fixtures/cards.ts';
import { spacePolicy } from './fixtures/space-policy.ts';
import { SPACE_LIMITS } from './limits.ts';

const PUBLIC: Reached = { reach: 'public' };

function read(card: unknown, reached: Reached = PUBLIC, policy: SpacePolicy = spacePolicy()) {
  const reading = readRevision(card, reached, policy);
  assert.equal(reading.kind, 'read', JSON.stringify(reading));
  return (reading as Extract<CardReading, { kind: 'read' }>).revision;
}

function refusal(card: unknown, reached: Reached = PUBLIC, policy: SpacePolicy = spacePolicy()) {
  const reading = readRevision(card, reached, policy);
  assert.equal(reading.kind, 'refused');
  return reading as Extract<CardReading, { kind: 'refused' }>;
}

const urls = (card: unknown, reached: Reached): string[] => read(card, reached).endpoints.map(({ url }) => url);

test('C001 what is no card is refused with each field that it lacks', () => {
  for (const value of [{}, [], 'card', null, 7]) assert.equal(refusal(value).code, 'card-invalid');
  const { faults } = refusal({});
  assert.ok(
    faults.some(({ path }) => path.includes('name')),
    JSON.stringify(faults),
  );
  assert.ok(faults.length > 3);
});

test('C005 C014 cards of either version and of both shapes lead to the same endpoints, in one place', () => {
  const url = 'https://agent.example/rpc';
  assert.deepEqual(read(card10(url)).endpoints, [{ url, binding: 'JSONRPC', version: '1.0' }]);
  assert.deepEqual(read(card03(url)).endpoints, [{ url, binding: 'JSONRPC', version: '0.3' }]);
  const both = read({ ...card10(url), url: `${url}-03`, preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' });
  assert.deepEqual(
    both.endpoints.map(({ url: at, version }) => `${version} ${at}`),
    [`1.0 ${url}`, `0.3 ${url}-03`],
  );
  const listed = card10(url, {
    supportedInterfaces: [
      { url: `${url}/a`, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      { url: `${url}/b`, protocolBinding: 'JSONRPC', protocolVersion: '9.0' },
      { url: `${url}/c`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'inner' },
      { url: `${url}/d`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${url}/e`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
  });
  assert.deepEqual(read(listed).endpoints, [
    { url: `${url}/c`, binding: 'JSONRPC', version: '1.0', tenant: 'inner' },
    { url: `${url}/e`, binding: 'HTTP+JSON', version: '1.0' },
  ]);
});

test('C005 a card without a place that can be called is refused, an empty one included', () => {
  const unspoken = [{ url: 'https://a.example', protocolBinding: 'GRPC', protocolVersion: '1.0' }];
  for (const [card, reached] of [
    [card10('', {}), PUBLIC],
    [card10('', {}), { reach: 'inside', cardUrl: 'http://10.0.0.7:8080/.well-known/agent-card.json' }],
    [card10('', {}), { reach: 'inside', url: 'http://10.0.0.7:8080' }],
    [card10('https://a.example', { supportedInterfaces: unspoken }), PUBLIC],
    [card10('/rpc'), PUBLIC],
  ] as const) {
    assert.equal(refusal(card, reached).code, 'card-without-endpoint', JSON.stringify([card, reached]));
  }
});

test('C022 only http and https addresses count, without credentials or a fragment in them', () => {
  for (const url of [
    ...['file:///etc/passwd', 'ftp://a.example/x', 'javascript:1', 'a.example', 'https://', 'htp://h/card.json'],
    ...['https://user@a.example/', 'https://:word@a.example/', 'https://a.example/#x'],
  ]) {
    assert.equal(refusal(card10(url)).code, 'card-without-endpoint', url);
  }
});

test('C008 an agent inside is called where it was found, whatever its card says', () => {
  const cardUrl = 'http://10.0.0.7:8080/.well-known/agent-card.json';
  const inside: Reached = { reach: 'inside', cardUrl };
  for (const [named, called] of [
    ['http://[::]:8080/invoke', 'http://10.0.0.7:8080/invoke'],
    ['http://localhost/invoke?a=b', 'http://10.0.0.7:8080/invoke?a=b'],
    ['https://169.254.169.254/latest/', 'http://10.0.0.7:8080/latest/'],
    ['//other.inside/x', 'http://10.0.0.7:8080/x'],
    ['/rpc', 'http://10.0.0.7:8080/rpc'],
    ['http://10.0.0.7:8080/../../x', 'http://10.0.0.7:8080/x'],
  ] as const) {
    assert.deepEqual(urls(card10(named), inside), [called], named);
    assert.deepEqual(urls(card03(named), inside), [called], named);
  }
});

test('C013 a configured URL takes the place of where the card says, and its path comes once', () => {
  for (const [url, named, called] of [
    ['https://gate.example', 'http://pod:8080/rpc', 'https://gate.example/rpc'],
    ['https://gate.example/', 'http://pod:8080/rpc?x=1', 'https://gate.example/rpc?x=1'],
    ['https://gate.example/firefly', 'http://pod:8080/rpc', 'https://gate.example/firefly/rpc'],
    ['https://gate.example/firefly/', 'http://pod:8080/firefly/rpc', 'https://gate.example/firefly/rpc'],
    ['https://gate.example/fire', 'http://pod:8080/firefly', 'https://gate.example/fire/firefly'],
    ['https://gate.example/fire', 'http://pod:8080/', 'https://gate.example/fire/'],
  ] as const) {
    for (const reach of ['inside', 'public', 'vpc', 'tunnel'] as const)
      assert.deepEqual(urls(card10(named), { reach, url, cardUrl: 'https://pod.example/card.json' }), [called], url);
  }
});

test('C016 an interface at the address of the card itself is told', () => {
  const cardUrl = 'https://a.example/v1/card.json';
  const { findings, endpoints } = read(card10(cardUrl), { reach: 'public', cardUrl });
  assert.equal(endpoints.length, 1);
  assert.match(findings[0]?.problem ?? '', /URL of the card itself/);
  assert.deepEqual(read(card10('https://a.example/v1'), { reach: 'public', cardUrl }).findings, []);
});

test('what goes through the guard is https, but for hosts that the Space trusts', () => {
  const plain = card10('http://agent.example:8080/rpc');
  for (const reach of ['public', 'vpc'] as const) {
    assert.equal(refusal(plain, { reach }).code, 'endpoint-not-https');
    const egress = { public: true, ports: [443], trustedHosts: ['agent.example:8080'] };
    assert.equal(read(plain, { reach }, spacePolicy({ egress })).endpoints.length, 1);
  }
  assert.equal(read(plain, { reach: 'tunnel' }).endpoints.length, 1);
});

test('a card has one hash however it is written, and bounds', () => {
  const card = card10('https://agent.example/rpc');
  const turned = Object.fromEntries(Object.entries(card).toReversed());
  assert.equal(read(card).cardSha256, read(turned).cardSha256);
  assert.match(read(card).cardSha256, /^[0-9a-f]{64}$/);
  assert.notEqual(read({ ...card, 'x-more': 1 }).cardSha256, read(card).cardSha256);
  assert.equal(refusal({ ...card, description: 'x'.repeat(SPACE_LIMITS.cardCharacters) }).code, 'card-too-large');
  assert.equal(refusal({ ...card, description: 'half \ud800' }).code, 'card-invalid');
  const skills = Array.from({ length: 200 }, () => ({}));
  assert.equal(read({ ...card, skills }).findings.length, SPACE_LIMITS.cardFaults);
});

const signed = (card: object, pair: keyof typeof PAIRS = 'ES256'): Record<string, unknown> => {
  const signing = signCard(card, PAIRS[pair].secret);
  assert.equal(signing.kind, 'signed', JSON.stringify(signing));
  return (signing as Extract<typeof signing, { kind: 'signed' }>).card as Record<string, unknown>;
};

const trusting = (origins: readonly string[], required = true): SpacePolicy =>
  spacePolicy({ signatures: { required, keys: [{ jwk: PAIRS.ES256.open as Record<string, unknown>, origins }] } });

test('C019 a signature counts by a configured key, for the origin that the key is for', () => {
  const card = card10('https://agent.example/rpc');
  const cardUrl = 'https://agent.example/card.json';
  assert.deepEqual(read(signed(card), PUBLIC, trusting([])).signedBy, ['es256']);
  assert.deepEqual(read(signed(card), PUBLIC, trusting(['https://agent.example'])).signedBy, ['es256']);
  const { code, unsigned } = refusal(signed(card), PUBLIC, trusting(['https://other.example']));
  assert.deepEqual([code, unsigned?.signedBy], ['signature-required', []]);
  const elsewhere = { reach: 'public', cardUrl: 'https://other.example/card.json' } as const;
  assert.equal(refusal(signed(card), elsewhere, trusting(['https://agent.example'])).code, 'signature-required');
  assert.equal(refusal(signed(card, 'EdDSA'), { reach: 'public', cardUrl }, trusting([])).code, 'signature-required');
  assert.equal(refusal(card, PUBLIC, trusting([])).code, 'signature-required');
  assert.deepEqual(read(signed(card, 'EdDSA'), PUBLIC, trusting([], false)).signedBy, []);
  assert.deepEqual(read(signed(signed(card))).signedBy, [], 'no key is configured');
});

test('a card that a configured key did not sign as it is now is refused, whatever is required', () => {
  // In one form only, so that it is certain.
  const card = signed(card10('https://agent.example/rpc', { capabilities: { streaming: true } }));
  const { supportedInterfaces } = card10('https://evil.example/');
  const at: Reached = { reach: 'public', cardUrl: 'https://agent.example/card.json' };
  for (const required of [true, false]) {
    assert.equal(refusal({ ...card, description: 'Other.' }, at, trusting([], required)).code, 'card-tampered');
    assert.equal(refusal({ ...card, supportedInterfaces }, at, trusting([], required)).code, 'card-tampered');
  }
});
