import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CARD_0_3, CARD_1_0, changed } from '../test/cards.ts';
import { validateCard } from './validate-card.ts';
import type { WireVersion } from './wire-version.ts';

const CARDS = { '0.3': CARD_0_3, '1.0': CARD_1_0 } as const;
const VERSIONS = ['0.3', '1.0'] as const;

const faults = (card: unknown, version?: WireVersion): readonly string[] =>
  validateCard(card, version).faults.map(({ path, problem }) => `${path} ${problem}`);
const notes = (card: unknown, version?: WireVersion): readonly string[] =>
  validateCard(card, version).notes.map(({ path, kind }) => `${path} ${kind}`);

for (const version of VERSIONS) {
  describe(`A2A ${version}`, () => {
    const card = CARDS[version];

    test('C007 a whole card is valid, with every field that the version has, and none of the other is asked for', () => {
      const report = validateCard(card);
      assert.deepEqual(report.faults, []);
      assert.deepEqual(report.notes, []);
      assert.deepEqual([report.valid, report.version], [true, version]);
    });

    test('every value of a wrong type is a fault at its path; with none it is missing or was not required', () => {
      let places = 0;
      const visit = (value: unknown, path: readonly (string | number)[]): void => {
        const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
        for (const [name, item] of entries) {
          const step = Array.isArray(value) ? Number(name) : name;
          const at = [...path, step];
          if (path.at(-1) === 'params') continue;
          places += 1;
          const wrong = typeof item === 'boolean' ? 'yes' : true;
          const shown = `$${at.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
          assert.ok(faults(changed(card, at, wrong), version).includes(`${shown} wrong-type`), `${shown} wrong-type`);
          const without = faults(changed(card, at, undefined), version);
          assert.ok(
            without.every(
              (line) =>
                [`${shown} missing`, `${shown} wrong-type`].includes(line) || / (undeclared|missing)$/.test(line),
            ),
            `${shown}: ${without}`,
          );
          visit(item, at);
        }
      };
      visit(card, []);
      assert.ok(places > 80, `${places} places`);
    });

    test('C001 an empty card: one fault for each field that is required, in the order of the specification', () => {
      const required = {
        '0.3': 'protocolVersion name description url version capabilities defaultInputModes defaultOutputModes skills',
        '1.0': 'name description supportedInterfaces version capabilities defaultInputModes defaultOutputModes skills',
      }[version];
      assert.deepEqual(
        faults({}, version),
        required.split(' ').map((name) => `$.${name} missing`),
      );
      assert.deepEqual(faults([], version)[0], '$ wrong-type');
    });

    test('C002 a flag is true or false; what was found and what is allowed are told, with the version', () => {
      for (const [wrong, found] of [
        ['yes', 'the text "yes"'],
        ['false', 'the text "false"'],
        [1, 'the number 1'],
        [[], 'an array'],
      ] as const) {
        const report = validateCard(changed(card, ['capabilities', 'streaming'], wrong));
        assert.deepEqual(report.faults, [
          {
            path: '$.capabilities.streaming',
            problem: 'wrong-type',
            found,
            allowed: 'true or false',
            message: `found ${found}; A2A ${version} allows true or false`,
          },
        ]);
      }
      assert.deepEqual(faults(changed(card, ['capabilities'], null)), ['$.capabilities wrong-type']);
    });

    test('C007 C023 unknown fields are notes; so are tools, permissions and models (C7), at any place', () => {
      const more = changed(changed(card, ['x-mine'], { a: 1 }), ['skills', 0, 'allowedTools'], ['rm']);
      const tools = changed(changed(more, ['tools'], []), ['model'], 'm');
      assert.deepEqual(faults(tools), []);
      assert.deepEqual(notes(tools).toSorted(), [
        '$.model not-of-a-card',
        '$.skills[0].allowedTools not-of-a-card',
        '$.tools not-of-a-card',
        '$["x-mine"] unknown-field',
      ]);
    });

    test('a requirement that names no declared scheme is a fault, of the card and of a skill (C4)', () => {
      const [member, entry] =
        version === '0.3'
          ? ['security', { ghost: [] }]
          : ['securityRequirements', { schemes: { ghost: { list: [] } } }];
      const place = version === '0.3' ? '' : '.schemes';
      const card2 = changed(changed(card, [member, 1], entry), ['skills', 0, member], [entry]);
      assert.deepEqual(faults(card2), [
        `$.${member}[1]${place}.ghost undeclared`,
        `$.skills[0].${member}[0]${place}.ghost undeclared`,
      ]);
      assert.match(validateCard(card2).faults[0]?.message ?? '', /"key", "query"/);
      assert.match(validateCard(changed(card, ['securitySchemes'], undefined)).faults[0]?.message ?? '', /none/);
      assert.deepEqual(faults(changed(card, [member], [{}])), [], 'no credentials are an alternative');
    });

    test('two skills have two ids', () => {
      const twice = { ...card, skills: [...card.skills, ...card.skills] };
      assert.deepEqual(faults(twice), ['$.skills[1].id duplicate']);
    });

    test('any JSON is judged without an exception', () => {
      const loose = fc.dictionary(fc.constantFrom(...Object.keys(card), '__proto__', 'constructor'), fc.jsonValue());
      fc.assert(fc.property(fc.oneof(fc.jsonValue(), loose), (value) => void validateCard(value, version)));
    });

    test('what is quoted of a card is inert and cut, and faults have an end', () => {
      const bad = {
        ...card,
        [`a\u202e\u001b${'b'.repeat(500)}`]: 1,
        name: ['x'],
        skills: Array(2_000).fill('\u001b[2J'),
      };
      const { faults: found, notes: told, more } = validateCard(bad);
      assert.equal(found.length, 500);
      assert.ok(more > 1_400);
      for (const { path, message } of [...found, ...told]) {
        assert.doesNotMatch(path + message, /[\p{Cc}\p{Cf}]/u);
        assert.ok(path.length < 200 && message.length < 400);
      }
    });
  });
}

describe('C3 transports and addresses', () => {
  test('a transport is one of three, or the URI of a binding of its own', () => {
    assert.deepEqual(faults(changed(CARD_0_3, ['preferredTransport'], 'jsonrpc')), [
      '$.preferredTransport not-allowed',
    ]);
    assert.deepEqual(faults(changed(CARD_0_3, ['additionalInterfaces', 1, 'transport'], 'REST')), [
      '$.additionalInterfaces[1].transport not-allowed',
    ]);
    assert.deepEqual(faults(changed(CARD_1_0, ['supportedInterfaces', 0, 'protocolBinding'], 'JSON-RPC')), [
      '$.supportedInterfaces[0].protocolBinding not-allowed',
    ]);
    const own = { url: 'wss://h/a', protocolBinding: 'https://example.com/bindings/ws/v1', protocolVersion: '1.0' };
    const withOwn = changed(CARD_1_0, ['supportedInterfaces', 3], own);
    assert.deepEqual(faults(withOwn), []);
    assert.deepEqual(notes(withOwn), ['$.supportedInterfaces[3].protocolBinding advice']);
  });

  test('without preferredTransport it is JSONRPC, and a note', () => {
    const card = changed(CARD_0_3, ['preferredTransport'], undefined);
    assert.deepEqual([faults(card), notes(card)], [[], ['$.preferredTransport advice']]);
  });

  test('an interface has an absolute URL', () => {
    for (const url of ['/a2a', 'h:5000', 'file:///etc/passwd', 'http://', 'not a url'])
      assert.deepEqual(faults(changed(CARD_0_3, ['url'], url)), ['$.url not-allowed'], url);
  });

  test('C008 an address that only the machine of the agent knows is a note', () => {
    for (const host of ['0.0.0.0', '[::]', 'localhost', '127.0.0.5', '[::1]', 'plain.example'])
      assert.deepEqual(notes(changed(CARD_0_3, ['url'], `http://${host}:8080/`)), ['$.url advice'], host);
  });
});

describe('C004 between the versions', () => {
  test('a half-migrated card is named so, with the rule that chose its version', () => {
    const { supportedInterfaces: _, ...rest } = CARD_1_0;
    const half = {
      ...rest,
      protocolVersion: '1.0',
      supportedInterfaces: [{ protocolBinding: 'JSONRPC', url: 'http://h:1', tenant: '' }],
      url: null,
      documentationUrl: null,
    };
    const report = validateCard(half);
    assert.deepEqual([report.version, report.rule], ['1.0', 'root']);
    assert.deepEqual(faults(half), ['$.supportedInterfaces[0].protocolVersion missing']);
    assert.match(
      report.notes[0]?.message ?? '',
      /^half-migrated, whole as neither: protocolVersion .* supportedInterfaces/,
    );
    assert.ok(notes(half).includes('$.protocolVersion other-version'));
    assert.ok(!notes(half).includes('$.url other-version'), 'null is absent');
  });

  test('a whole card of both is named so', () => {
    const { securitySchemes: _1, security: _2, ...old } = CARD_0_3;
    const { securitySchemes: _3, securityRequirements: _4, ...modern } = CARD_1_0;
    const skills = [{ id: 'a', name: 'A', description: '', tags: ['a'] }];
    const { notes: told, valid } = validateCard({ ...old, ...modern, skills });
    assert.deepEqual([valid, told[0]?.kind], [true, 'both-versions']);
  });

  test('--protocol decides, whatever the card says', () => {
    assert.equal(validateCard(CARD_1_0, '0.3').rule, 'asked');
    assert.deepEqual(faults(CARD_1_0, '0.3').slice(0, 2), ['$.protocolVersion missing', '$.url missing']);
    assert.deepEqual(faults({ ...CARD_0_3, protocolVersion: '1.0' }, '0.3'), ['$.protocolVersion unsupported']);
  });

  test('a card of A2A 0.2 is judged as 0.3, and a note says so', () => {
    const card = { ...CARD_0_3, protocolVersion: '0.2.6' };
    assert.deepEqual([faults(card), notes(card)], [[], ['$.protocolVersion advice']]);
  });

  test('null for absent is a fault in 0.3, whose JSON does not know it, and a note in 1.0, whose does', () => {
    assert.deepEqual(faults({ ...CARD_0_3, iconUrl: null }), ['$.iconUrl wrong-type']);
    assert.deepEqual(
      [faults({ ...CARD_1_0, iconUrl: null }), notes({ ...CARD_1_0, iconUrl: null })],
      [[], ['$.iconUrl advice']],
    );
  });
});

test('C023 long text, and characters that draw what is not there, are notes', () => {
  const card = { ...CARD_1_0, name: 'Pay\u202eyap', description: 'x'.repeat(5_000) };
  assert.deepEqual([faults(card), notes(card)], [[], ['$.name advice', '$.description advice']]);
  assert.deepEqual(notes({ ...CARD_1_0, description: 'Two\nlines\tand a tab.' }), []);
});
