import { jsonExcess } from '@agentkourier/a2a/json-bounds';
import { isObject, type JsonObject, parseJson } from '@agentkourier/a2a/json-value';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';

const COMPACT_JWS = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/;

/** What a token says of itself; nothing of it is proved. */
export interface UnverifiedToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/**
 * A signed JWT in its compact form, read within bounds that are judged before anything is parsed; `undefined` for what is
 * none. Its length is bounded by that of the header that it came in.
 */
export function readToken(token: string): UnverifiedToken | undefined {
  const [, header, claims] = (COMPACT_JWS.exec(token) ?? []).map(jsonObject);
  return header === undefined || claims === undefined ? undefined : { header, claims };
}

function jsonObject(base64url: string): JsonObject | undefined {
  const text = Buffer.from(base64url, 'base64url').toString('utf8');
  const { tokenDepth: maxDepth, tokenContainers: maxContainers, authorizationCharacters } = ACCESS_LIMITS;
  if (jsonExcess(text, { maxDepth, maxContainers, maxStringLength: authorizationCharacters }) !== undefined)
    return undefined;
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
