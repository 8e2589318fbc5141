import { isHeaderValue } from './formats.ts';
import { quoted } from './problem.ts';
import { resolveSecret, type SecretFault } from './resolve-secret.ts';
import type { SecretReference, Secrets } from './secrets.ts';
import type { Say } from './speaker.ts';

/** A header as a document has it. */
export interface HeaderSpec {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: SecretReference };
}

export function headerReferences(headers: readonly HeaderSpec[]): readonly SecretReference[] {
  return headers.flatMap(({ valueFrom }) => (valueFrom === undefined ? [] : [valueFrom.secretKeyRef]));
}

/** The headers of `spec.headers`, with the values of their secrets. */
export function resolveHeaders(
  headers: readonly HeaderSpec[],
  secrets: Secrets,
  say: Say,
): readonly { readonly name: string; readonly value: string }[] {
  const names = new Set<string>();
  return headers.map(({ name, value, valueFrom }, index) => {
    const path = ['spec', 'headers', index];
    if (names.has(name.toLowerCase()))
      say([...path, 'name'], `header ${quoted(name)} stands here twice`, 'keep one of them');
    names.add(name.toLowerCase());
    if (valueFrom === undefined) return { name, value: value ?? '' };
    const at = [...path, 'valueFrom', 'secretKeyRef'];
    return { name, value: resolveSecret(valueFrom.secretKeyRef, at, { fault: headerFault, secrets, say }) };
  });
}

/** What is wrong with a secret that a header will carry. */
export function headerFault(text: string): SecretFault | undefined {
  if (text === '') return { what: 'is empty', write: 'write one' };
  if (isHeaderValue(text)) return undefined;
  return { what: 'is not fit for a header', write: 'write visible ASCII in one line, at most 8192 characters' };
}
