import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { CARD_0_3, CARD_1_0 } from '../test/cards.ts';
import { PAIRS } from '../test/signing-keys.ts';
import { canonicalJson } from './canonical-json.ts';
import { signCard } from './sign-card.ts';
import { type CardAlgorithm, signWith } from './signature/algorithms.ts';
import { base64url } from './signature/base64url.ts';
import { type CardVerification, verifyCard } from './verify-card.ts';

const JWKS = { keys: Object.values(PAIRS).map(({ open }) => open) };
const { secret, open } = PAIRS.ES256;

interface Signature {
  readonly protected: string;
  readonly signature: string;
  readonly header?: object;
}
type Signed = Readonly<Record<string, unknown>> & { readonly signatures: readonly Signature[] };

function signed(card: unknown, jwk: unknown = secret): Signed {
  const signing = signCard(card, jwk);
  assert.equal(signing.kind, 'signed');
  // As it goes over the wire.
  return JSON.parse(JSON.stringify('card' in signing ? signing.card : {})) as Signed;
}

const lines = ({ verified, signatures, why }: CardVerification): readonly string[] => [
  String(verified),
  ...signatures.map(({ verdict, keyId, algorithm, form }) => [verdict, keyId, algorithm, form ?? '-'].join(' ')),
  ...(why === undefined ? [] : [why]),
];
const verdict = (card: unknown, jwks: unknown = JWKS): string => lines(verifyCard(card, jwks)).slice(1).join();

/** A card signed by hand: any header, over any text. */
function forged(text: string, header: object, jwk: JsonWebKey = secret, algorithm: CardAlgorithm = 'ES256'): Signature {
  const head = base64url(JSON.stringify(header));
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return { protected: head, signature: base64url(signWith(algorithm, key, `${head}.${base64url(text)}`)) };
}
const HEADER = { alg: 'ES256', typ: 'JOSE', kid: 'es256' };

describe('C5 signing and verifying', () => {
  for (const [algorithm, pair] of Object.entries(PAIRS)) {
    test(`${algorithm}, cards of both versions, with all that they hold`, () => {
      for (const card of [CARD_0_3, CARD_1_0]) {
        const whole = signed({ ...card, 'x-mine': { no: null, n: 1e21 } }, pair.secret);
        assert.deepEqual(lines(verifyCard(whole, JWKS)), [
          'true',
          `verified ${algorithm.toLowerCase()} ${algorithm} presence`,
        ]);
        assert.deepEqual(Object.keys(whole.signatures[0] ?? {}), ['protected', 'signature']);
      }
    });
  }

  test('the order of members and white space do not matter', () => {
    const { signatures, ...rest } = signed(CARD_1_0);
    const other = Object.fromEntries([['signatures', signatures], ...Object.entries(rest).toReversed()]);
    assert.equal(verdict(other), 'verified es256 ES256 presence');
  });

  test('a change at any place is seen, and the key is named: security schemes and unknown members, too', () => {
    const whole = signed({ ...CARD_1_0, 'x-mine': { deep: ['a'] } });
    let places = 0;
    const visit = (value: unknown, change: (to: unknown) => unknown): void => {
      if (typeof value !== 'object' || value === null) {
        places += 1;
        const { verified, signatures } = verifyCard(change(`${value}!`), JWKS);
        assert.deepEqual([verified, signatures[0]?.keyId], [false, 'es256']);
        assert.match(signatures[0]?.why ?? '', /^key "es256" did not sign this/);
        return;
      }
      for (const [name, item] of Object.entries(value)) {
        if (name === 'signatures') continue;
        const put = (to: unknown): unknown =>
          change(Array.isArray(value) ? value.with(Number(name), to) : { ...value, [name]: to });
        visit(item, put);
      }
    };
    visit(whole, (to) => to);
    assert.ok(places > 50, `${places} places`);
    const { securitySchemes: _, ...without } = whole;
    assert.equal(verifyCard(without, JWKS).verified, false);
    assert.equal(verifyCard({ ...whole, added: 1 }, JWKS).verified, false);
  });

  test('C017 tampered is told apart from not verified: only when no form could read it otherwise', () => {
    const { capabilities: _, ...rest } = CARD_0_3;
    const { securitySchemes: _1, security: _2, supportsAuthenticatedExtendedCard: _3, ...bare } = rest;
    const skills = [{ id: 'a', name: 'A', description: 'B', tags: ['c'] }];
    const plain = signed({ ...bare, capabilities: { streaming: true }, skills });
    assert.equal(verdict({ ...plain, version: '9' }), 'tampered es256 ES256 -');
    assert.equal(verdict({ ...plain, version: '' }), 'not-verified es256 ES256 -');
    assert.equal(verdict({ ...plain, name: 'Ä' }), 'not-verified es256 ES256 -');
  });

  test('C017 each form is taken, in a fixed order, and told with what it leaves out', () => {
    const card = { ...CARD_1_0, capabilities: { streaming: false, extensions: [] }, iconUrl: null };
    const { capabilities: _, iconUrl: _1, ...rest } = CARD_1_0;
    const kept = { ...rest, capabilities: { streaming: false } };
    for (const [content, form, uncovered] of [
      [kept, 'presence', ['$.capabilities.extensions']],
      [card, 'as-served', []],
      [rest, 'no-defaults', ['$.capabilities']],
    ] as const) {
      const whole = { ...card, signatures: [forged(canonicalJson(content) ?? '', HEADER)] };
      const [found] = verifyCard(whole, JWKS).signatures;
      assert.deepEqual([found?.verdict, found?.form, found?.uncovered], ['verified', form, uncovered]);
    }
    const empties = { ...kept, securityRequirements: [{ schemes: { oauth: { list: [] } } }] };
    const { securityRequirements: _2, ...stripped } = empties;
    const whole = { ...empties, signatures: [forged(canonicalJson(stripped) ?? '', HEADER)] };
    const [found] = verifyCard(whole, JWKS).signatures;
    assert.deepEqual([found?.form, found?.uncovered], ['no-empties', ['$.securityRequirements']]);
  });

  test('of several signatures one is enough, and each is told', () => {
    const twice = signed(signed(CARD_1_0), PAIRS.RS256.secret);
    assert.equal(verdict(twice), 'verified es256 ES256 presence,verified rs256 RS256 presence');
    const { verified, signatures } = verifyCard(twice, { keys: [PAIRS.RS256.open] });
    assert.deepEqual([verified, signatures.map(({ verdict: word }) => word)], [true, ['not-verified', 'verified']]);
  });

  test('only so many are tried', () => {
    const [one] = signed(CARD_1_0).signatures;
    const many = { ...CARD_1_0, signatures: [...Array(20).fill({}), one] };
    assert.equal(verifyCard(many, JWKS).signatures.length, 20);
    assert.equal(verifyCard(many, JWKS).verified, false);
  });
});

describe('C019 the card chooses neither key nor algorithm', () => {
  const text = canonicalJson(CARD_1_0) ?? '';
  const with1 = (signature: unknown): unknown => ({ ...CARD_1_0, signatures: [signature] });

  test('none, and HMAC with the public key as its secret', () => {
    const none = { protected: base64url(JSON.stringify({ ...HEADER, alg: 'none' })), signature: '' };
    assert.equal(verdict(with1(none)), 'not-verified es256 none -');
    assert.match(verifyCard(with1(none), JWKS).signatures[0]?.why ?? '', /algorithm "none" is not taken/);
    const pem = createPublicKey({ key: open, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const head = base64url(JSON.stringify({ ...HEADER, alg: 'HS256' }));
    const mac = createHmac('sha256', pem)
      .update(`${head}.${base64url(text)}`)
      .digest('base64url');
    assert.equal(verdict(with1({ protected: head, signature: mac })), 'not-verified es256 HS256 -');
    assert.equal(
      verdict(with1({ protected: head, signature: mac }), { keys: [{ kty: 'oct', k: 'AA', kid: 'es256' }] }),
      'the keys cannot be used: key 0: its kty, crv and alg are none that cards are signed with',
    );
  });

  test('an algorithm that does not fit the key', () => {
    for (const [algorithm, kid] of [
      ['ES384', 'es256'],
      ['RS256', 'es256'],
      ['RS256', 'ps256'],
      ['EdDSA', 'ed25519'],
    ] as const) {
      const jwk = { ...PAIRS[algorithm].secret };
      const entry = forged(text, { ...HEADER, alg: algorithm, kid }, jwk, algorithm);
      assert.equal(verdict(with1(entry)), `not-verified ${kid} ${algorithm} -`);
      assert.match(verifyCard(with1(entry), JWKS).signatures[0]?.why ?? '', /is not for/);
    }
  });

  test('a key of the header, and a set that it points to, are not looked at', () => {
    const attacker = PAIRS.ES384;
    const header = { alg: 'ES384', typ: 'JOSE', kid: 'mine', jku: 'https://evil.example/jwks', jwk: attacker.open };
    const entry = forged(text, header, attacker.secret, 'ES384');
    assert.equal(verdict(with1(entry)), 'not-verified mine ES384 -');
    const claimed = forged(text, { ...header, kid: 'es384' }, PAIRS.ES384.secret, 'ES384');
    assert.equal(verdict(with1(claimed), { keys: [open] }), 'not-verified es384 ES384 -');
  });

  test('an unprotected header says nothing', () => {
    const { alg: _, ...headless } = HEADER;
    const entry = { ...forged(text, headless), header: { alg: 'ES256' } };
    assert.equal(verdict(with1(entry)), 'not-verified es256  -');
    const both = { ...forged(text, HEADER), header: { kid: 'es384' } };
    assert.match(verifyCard(with1(both), JWKS).signatures[0]?.why ?? '', /both its headers/);
    const aside = { ...forged(text, HEADER), header: { note: 'x' } };
    assert.equal(verdict(with1(aside)), 'verified es256 ES256 presence');
  });

  test('an extension that must be understood is not', () => {
    const entry = forged(text, { ...HEADER, crit: ['b64'], b64: false });
    assert.match(verifyCard(with1(entry), JWKS).signatures[0]?.why ?? '', /critical/);
  });

  test('what is no signature is none, and nothing throws', () => {
    const whole = signed(CARD_1_0);
    const [{ protected: head, signature } = { protected: '', signature: '' }] = whole.signatures;
    const { kid: _, ...nameless } = HEADER;
    for (const entry of [
      ...[null, 1, 'x', [], {}, { protected: head }, { signature }],
      ...[
        { protected: `${head}=`, signature },
        { protected: head, signature: `${signature}==` },
      ],
      ...[
        { protected: head, signature: '' },
        { protected: base64url('[]'), signature },
        { protected: base64url('{'), signature },
      ],
      ...[forged(text, nameless), { protected: head, signature: signature.slice(2) }],
    ])
      assert.equal(verifyCard(with1(entry), JWKS).verified, false);
    const anything = fc.oneof(fc.jsonValue(), fc.record({ protected: fc.jsonValue(), signature: fc.jsonValue() }));
    fc.assert(fc.property(fc.array(anything), (list) => !verifyCard({ ...CARD_1_0, signatures: list }, JWKS).verified));
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (card, jwks) => !verifyCard(card, jwks).verified));
  });

  test('nothing to verify is told', () => {
    assert.deepEqual(lines(verifyCard(CARD_1_0, JWKS)), ['false', 'the card has no signatures']);
    assert.match(lines(verifyCard(signed(CARD_1_0), {}))[1] ?? '', /the keys cannot be used/);
  });
});

describe('what is not signed', () => {
  test('a card with faults, with all of them; C020 a URL that only a request would complete is one', () => {
    const relative = {
      ...CARD_1_0,
      supportedInterfaces: [{ url: '/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    };
    const signing = signCard(relative, secret);
    assert.deepEqual(signing.kind === 'bad-card' && signing.faults.map(({ path }) => path), [
      '$.supportedInterfaces[0].url',
    ]);
    assert.equal(signCard({}, secret).kind, 'bad-card');
    assert.equal(signCard(null, secret).kind, 'bad-card');
  });

  test('a card without a canonical form, and with a key that is none', () => {
    assert.equal(signCard({ ...CARD_1_0, 'x-mine': '\ud800' }, secret).kind, 'bad-card');
    assert.equal(signCard(CARD_1_0, open).kind, 'bad-key');
  });

  test('empty values, about which verifiers disagree, are told', () => {
    const told = (card: unknown) => {
      const signing = signCard(card, secret);
      return signing.kind === 'signed' && signing.disputed;
    };
    assert.deepEqual(told(CARD_1_0), []);
    assert.deepEqual(told({ ...CARD_1_0, description: '' }), ['$.description']);
  });
});

test('any members survive signing: verified as they are, and not when one is changed', () => {
  const extra = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(extra, fc.string({ minLength: 1 }), (members, text) => {
      const whole = signed({ ...members, ...CARD_1_0 }, PAIRS.EdDSA.secret);
      assert.equal(verifyCard(whole, JWKS).verified, true);
      assert.equal(verifyCard({ ...whole, name: `${CARD_1_0.name}${text}` }, JWKS).verified, false);
    }),
    { numRuns: 50 },
  );
});
