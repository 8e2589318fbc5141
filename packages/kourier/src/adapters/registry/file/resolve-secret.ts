import { quoted } from './problem.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import type { Say } from './speaker.ts';
import type { Path } from './yaml-documents.ts';

/** What is wrong with a value (`is empty`), and what to write instead. */
export interface SecretFault {
  readonly what: string;
  readonly write: string;
}

/** A secret by its reference, at `path`. What is wrong with it is reported there; the value is never named. */
export function resolveSecret(
  reference: SecretReference,
  path: Path,
  {
    fault,
    secrets,
    say,
  }: {
    readonly fault: (text: string) => SecretFault | undefined;
    readonly secrets: Secrets;
    readonly say: Say;
  },
): string {
  const secret = secrets(reference);
  if (secret.kind === 'missing') {
    say(path, secret.what, secret.write);
    return '';
  }
  const found = fault(secret.text);
  if (found !== undefined)
    say(
      path,
      `the value of secret ${quoted(reference.name)}, key ${quoted(reference.key)}, ${found.what}`,
      found.write,
    );
  return secret.text;
}
