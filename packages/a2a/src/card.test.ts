import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type AgentCard, jsonRpcInterfaces, readCard } from './card.ts';
import { wireVersionOf } from './wire-version.ts';

const COMMON = {
  name: 'Agent',
  description: 'Answers.',
  version: '1.2.3',
  capabilities: { streaming: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'talk', name: 'Talk', description: 'Talks.', tags: [] }],
};
const MODERN = {
  ...COMMON,
  supportedInterfaces: [{ url: 'http://h/a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
};
const OLD = { ...COMMON, protocolVersion: '0.3.0', url: 'http://h/a' };

function cardOf(value: unknown): AgentCard {
  const reading = readCard(value);
  assert.equal(reading.kind, 'card');
  return reading.kind === 'card' ? reading.card : assert.fail();
}

const wireOf = (value: unknown) => {
  const { version, rule } = cardOf(value).wire;
  return `${version} by ${rule}`;
};

const paths = (value: unknown) => {
  const reading = readCard(value);
  const findings = reading.kind === 'card' ? reading.card.findings : reading.findings;
  return findings.map(({ path, problem }) => `${path} ${problem}`);
};

describe('what is a card', () => {
  test('C001 an empty object is none, and every missing field is named', () => {
    const reading = readCard({});
    assert.equal(reading.kind, 'not-a-card');
    assert.deepEqual(
      paths({}),
      [
        'name',
        'description',
        'supportedInterfaces',
        'version',
        'capabilities',
        'defaultInputModes',
        'defaultOutputModes',
        'skills',
      ].map((name) => `$.${name} missing`),
    );
  });

  test('C001 neither is anything that is no object, or an error', () => {
    for (const value of [null, [], 'x', 1, { error: 'not found' }, { jsonrpc: '2.0', error: {} }]) {
      assert.equal(readCard(value).kind, 'not-a-card');
    }
  });

  test('a good card of each version has no findings', () => {
    assert.deepEqual(paths(MODERN), []);
    assert.deepEqual(paths(OLD), []);
  });

  test('a card that lacks what only describes is taken, with findings', () => {
    const bare = { url: 'http://h/a', capabilities: { streaming: true }, skills: [{ id: 'x' }, null] };
    const card = cardOf(bare);
    assert.equal(card.streaming, true);
    assert.equal(card.name, '');
    assert.ok(paths(bare).includes('$.skills[0].tags missing'));
    assert.ok(paths(bare).includes('$.skills[1] wrong-type'));
  });

  test('C007 members that a version does not name are kept and not judged', () => {
    const card = cardOf({ ...MODERN, authentication: { schemes: ['x'] }, stateTransitionHistory: 1 });
    assert.deepEqual(card.findings, []);
    assert.deepEqual(card.source['authentication'], { schemes: ['x'] });
  });

  test('any JSON is read without an exception', () => {
    const member = fc.constantFrom(
      ...Object.keys(MODERN),
      'url',
      'protocolVersion',
      'additionalInterfaces',
      'preferredTransport',
    );
    const loose = fc.dictionary(member, fc.jsonValue());
    fc.assert(fc.property(fc.oneof(fc.jsonValue(), loose), (value) => void readCard(value)));
  });
});

test('C002 only JSON true turns streaming on; any other type is a finding', () => {
  for (const streaming of ['yes', 'false', 1, []]) {
    const value = { ...MODERN, capabilities: { streaming } };
    assert.equal(cardOf(value).streaming, false);
    assert.deepEqual(paths(value), ['$.capabilities.streaming wrong-type']);
  }
  assert.equal(cardOf({ ...MODERN, capabilities: null }).streaming, false);
  assert.deepEqual(paths({ ...MODERN, capabilities: null }), ['$.capabilities wrong-type']);
  assert.equal(cardOf({ ...MODERN, capabilities: { streaming: false } }).streaming, false);
});

describe('interfaces', () => {
  test('C005 both shapes go through one reader', () => {
    assert.deepEqual(cardOf(OLD).interfaces, [
      { url: 'http://h/a', protocolVersion: '', binding: 'JSONRPC', shape: '0.3' },
    ]);
    assert.deepEqual(cardOf(MODERN).interfaces, [
      { url: 'http://h/a', protocolVersion: '1.0', binding: 'JSONRPC', shape: '1.0' },
    ]);
  });

  test('those of another binding stand beside, and none is JSON-RPC when the card lists none', () => {
    const grpc = {
      ...OLD,
      preferredTransport: 'GRPC',
      additionalInterfaces: [{ url: 'http://h/b', transport: 'HTTP+JSON' }],
    };
    assert.deepEqual(
      cardOf(grpc).interfaces.map(({ binding }) => binding),
      ['GRPC', 'HTTP+JSON'],
    );
    assert.deepEqual(jsonRpcInterfaces(cardOf(grpc).interfaces), []);
    assert.deepEqual(cardOf({ ...MODERN, supportedInterfaces: [] }).interfaces, []);
  });

  test('only JSON true makes an extension required', () => {
    const extensions = [{ uri: 'u:a', required: true }, { uri: 'u:b', required: 'yes' }, { uri: 'u:c' }, null, {}];
    assert.deepEqual(cardOf({ ...MODERN, capabilities: { extensions } }).extensions, [
      { uri: 'u:a', required: true },
      { uri: 'u:b', required: false },
      { uri: 'u:c', required: false },
    ]);
  });
});

describe('the wire (decision 13)', () => {
  const entry = (protocolVersion?: unknown) => ({ url: 'http://h/a', protocolBinding: 'JSONRPC', protocolVersion });

  test("the interface's own version comes first", () => {
    assert.equal(wireOf(MODERN), '1.0 by interface');
    assert.equal(
      wireOf({ ...COMMON, protocolVersion: '1.0', supportedInterfaces: [entry('0.3')] }),
      '0.3 by interface',
    );
    assert.equal(wireOf({ ...OLD, supportedInterfaces: [entry('1.0')] }), '1.0 by interface');
  });

  test("C004 then the card's", () => {
    const half = {
      protocolVersion: '1.0',
      supportedInterfaces: [{ ...entry(), tenant: '' }],
      url: null,
      provider: null,
    };
    assert.equal(wireOf({ ...COMMON, ...half }), '1.0 by root');
    assert.equal(wireOf(OLD), '0.3 by root');
    assert.equal(wireOf({ ...OLD, protocolVersion: '0.2.6' }), '0.3 by root');
  });

  test('then the shape', () => {
    assert.equal(wireOf({ ...COMMON, supportedInterfaces: [entry()] }), '1.0 by shape');
    assert.equal(wireOf({ ...COMMON, url: 'http://h/a' }), '0.3 by shape');
  });

  test('a version that we do not speak says nothing, and is a finding', () => {
    assert.equal(wireOf({ ...OLD, protocolVersion: '0.30' }), '0.3 by shape');
    assert.deepEqual(paths({ ...OLD, protocolVersion: '0.30' }), ['$.protocolVersion unsupported']);
    assert.equal(wireOf({ ...COMMON, supportedInterfaces: [entry('9.9')] }), '1.0 by shape');
  });

  test('the version of an interface that is not JSON-RPC does not count', () => {
    const grpc = { url: 'http://h/g', protocolBinding: 'GRPC', protocolVersion: '1.0' };
    assert.equal(wireOf({ ...COMMON, supportedInterfaces: [grpc, entry('0.3.0')] }), '0.3 by interface');
  });

  test('C140 versions are compared by their numbers', () => {
    const read = ['0.3', '0.3.0', '0.30', '1', '01.0', '1.0.1', '1.1', '10.0', '2.0', '', 'one', 1, 0.3, null].map(
      wireVersionOf,
    );
    assert.deepEqual(read, [
      ...['0.3', '0.3', undefined, '1.0', '1.0', '1.0', '1.0'],
      ...[undefined, undefined, undefined, undefined, '1.0', '0.3', undefined],
    ]);
  });
});
