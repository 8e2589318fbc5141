import { type CardVerification, type SignatureVerdict, verifyCard } from '@agentkourier/a2a/verify-card';
import type { CardOptions } from './card-options.ts';
import { lookUpCard } from './look-up.ts';
import { type Reading, readJson } from './read-json.ts';
import { twice } from './validate.ts';
import { jsonText, line } from './verdict.ts';

/** What `kourier card verify` says, and whether a signature holds. Throws `UsageError` and `NotFound`. */
export async function verify(
  { card: place, jwks, json }: CardOptions & { readonly action: 'verify' },
  reading: Reading,
): Promise<{ readonly verified: boolean; readonly text: string }> {
  const keys = await readJson(jwks, 'key set', reading);
  const document =
    place.kind === 'web' ? await lookUpCard(place.url, reading.webText) : await readJson(place, 'card', reading);
  const { from, value } = document;
  const [first] = document.duplicates.map(twice);
  const { verified, signatures, why }: CardVerification =
    first === undefined
      ? verifyCard(value, keys.value)
      : { verified: false, signatures: [], why: `${first.path}: ${first.message}` };
  if (json) {
    const reason = why === undefined ? {} : { why };
    return { verified, text: jsonText({ ok: verified, from, signatures, ...reason }) };
  }
  const end = verified ? `${from} is verified` : `${from} is not verified${why === undefined ? '' : `: ${why}`}`;
  return { verified, text: [...signatures.flatMap(signatureLines), line(end)].join('') };
}

const WORDS = { verified: 'ok', tampered: 'FAIL', 'not-verified': 'FAIL' } as const;

function signatureLines({ verdict, why, algorithm, uncovered = [] }: SignatureVerdict): readonly string[] {
  const word = WORDS[verdict].padEnd(4);
  const said = verdict === 'verified' ? `${why}, with ${algorithm}` : `${verdict.replace('-', ' ')}: ${why}`;
  const open = `note  what it leaves out can be changed by anybody: ${uncovered.join(', ')}`;
  return [line(`${word}  ${said}`), ...(uncovered.length === 0 ? [] : [line(open)])];
}
