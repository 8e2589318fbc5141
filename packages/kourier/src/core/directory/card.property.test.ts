import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { cardChanges } from './card-changes.ts';
import { ENDPOINT } from './fixtures/registered.ts';
import { isJson } from './json.ts';
import { DIRECTORY_LIMITS } from './limits.ts';
import { listingOf } from './listing.ts';
import { needsApproval } from './needs-approval.ts';
import { publishedCard } from './published-card.ts';
import type { Json } from './registered-agent.ts';

const UPSTREAM = 'http://upstream.internal/';
const MEMBERS = `name description url preferredTransport additionalInterfaces supportedInterfaces capabilities skills security
  securitySchemes securityRequirements signatures protocolVersion supportsAuthenticatedExtendedCard defaultInputModes id tags`;

/** Cards as nobody would write them: the members of a card with any value in any place. */
const { card } = fc.letrec<{ value: unknown; card: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(UPSTREAM, '', null, true, 7, 'a', '\u202E', '__proto__'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('card'),
  ),
  card: fc.dictionary(fc.constantFrom(...MEMBERS.split(/\s+/), '__proto__'), tie('value'), { maxKeys: 8 }),
}));

it('C023 whatever a card says, what is listed of it is inert and bounded', () => {
  fc.assert(
    fc.property(card, (any) => {
      const listed: string[] = [];
      JSON.stringify(listingOf(any), (_, value: unknown) => {
        if (typeof value === 'string') listed.push(value);
        return value;
      });
      for (const text of listed) {
        assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        assert.ok(text.length <= DIRECTORY_LIMITS.listedTextCharacters);
      }
    }),
  );
});

it('the changes of two cards are none exactly when they say the same', () => {
  fc.assert(
    fc.property(card, card, (one, other) => {
      assert.deepEqual(cardChanges(one, structuredClone(one)), []);
      const isSame = canonical(one) === canonical(other);
      assert.equal(cardChanges(one, other).length === 0, isSame);
      const side = { endpoints: [ENDPOINT], signedBy: [] };
      assert.deepEqual(needsApproval({ card: one, ...side }, { card: structuredClone(one), ...side }), []);
      const [there, back] = [[one, other] as const, [other, one] as const].map(([before, after]) =>
        needsApproval({ card: before, ...side }, { card: after, ...side }),
      );
      assert.deepEqual(there, back);
    }),
  );
});

it('whatever a card says, callers are sent to the gateway only', () => {
  const publishing = { base: 'https://gateway.example/a', pushNotifications: false, openIdConnect: [] };
  fc.assert(
    fc.property(card, fc.constantFrom('1.0', '0.3'), (any, version) => {
      const published = publishedCard({ card: any, endpoints: [{ ...ENDPOINT, version }] }, publishing) ?? {};
      const { supportedInterfaces, url, additionalInterfaces, securitySchemes } = published as Record<string, unknown>;
      const routing = JSON.stringify([supportedInterfaces, url, additionalInterfaces, securitySchemes]);
      assert.ok(!routing.includes('upstream'), routing);
      assert.ok(routing.includes(publishing.base));
      assert.ok(!('signatures' in published));
      const skills = Array.isArray(published['skills']) ? published['skills'] : [];
      assert.ok(skills.every((skill) => !(isJson(skill) && ('security' in skill || 'securityRequirements' in skill))));
    }),
  );
});

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    isJson(item) ? Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)) : item,
  );
}
