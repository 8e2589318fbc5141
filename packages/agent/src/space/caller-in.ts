import { isObject, parseJson, textOf } from '@agentkourier/a2a/json-value';

/**
 * Whom a credential says that it is of, without a word of proof: the name in an API key, issuer and subject of a token. It
 * stays when the credential is replaced. Empty where it says nothing.
 */
export function callerIn(credential: string): string {
  const [, name] = /^kourier_(.+)_[A-Za-z0-9_-]{49}$/.exec(credential) ?? [];
  if (name !== undefined) return name;
  const claims = parseJson(Buffer.from(credential.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return isObject(claims) ? JSON.stringify([textOf(claims['iss']), textOf(claims['sub'])]) : '';
}
