import { signCard } from '@agentkourier/a2a/sign-card';
import { UsageError } from '../usage-error.ts';
import type { CardOptions } from './card-options.ts';
import { type Reading, readJson } from './read-json.ts';
import { twice } from './validate.ts';
import { jsonText, line, wrongLine } from './verdict.ts';

/** What `kourier card sign` prints, and what it says beside; no card when it was not signed. Throws `UsageError`. */
export async function sign(
  { card: place, key }: CardOptions & { readonly action: 'sign' },
  reading: Reading,
): Promise<{ readonly card?: string; readonly aside: string }> {
  const { value, from, duplicates } = await readJson(place, 'card', reading);
  const jwk = await readJson(key, 'private JWK', reading);
  if (duplicates.length > 0) return { aside: duplicates.map((path) => wrongLine(twice(path))).join('') };
  const signing = signCard(value, jwk.value);
  switch (signing.kind) {
    case 'bad-key':
      throw new UsageError(
        `${jwk.from}: ${signing.why}`,
        'write a private JWK for ES256, ES384, EdDSA, RS256 or PS256',
      );
    case 'bad-card':
      return { aside: [...signing.faults.map(wrongLine), line(`${from} is not signed: ${signing.why}`)].join('') };
    case 'signed': {
      const { card, keyId, algorithm, disputed } = signing;
      const dispute = `note  verifiers that drop empty values, as the official SDKs do, will not verify it: ${disputed.join(', ')}`;
      const asides = [
        line(`signed with key ${keyId}, ${algorithm}`),
        ...(disputed.length === 0 ? [] : [line(dispute)]),
      ];
      return { card: jsonText(card), aside: asides.join('') };
    }
  }
}
