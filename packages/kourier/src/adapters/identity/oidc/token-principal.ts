import { isObject, type JsonObject } from '@agentkourier/a2a/json-value';
import { ACCESS_LIMITS } from '../../../core/access/limits.ts';
import { mayActAs, type Principal, type Role } from '../../../core/access/principal.ts';
import type { TokenGrant, TokenIssuer } from '../../../ports/space/space-configuration.ts';

/** What would break a line or hide in one: such a text is no name of anybody. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** OAuth writes these as one text, its values parted by spaces (RFC 8693 §4.2); others as an array. */
const SPACE_SEPARATED = new Set(['scope', 'scp']);

/**
 * Who the verified claims of a token say, by the rules of its issuer; `undefined` for nobody. The id is the issuer's name
 * and the subject, `NAME:SUB`: two issuers may have one subject each. A subject or a tenant that is no text in one line
 * of at most `subjectCharacters` is none.
 */
export function tokenPrincipal(
  claims: JsonObject,
  { name, kind, tenant: from, grants }: TokenIssuer,
): Principal | undefined {
  const sub = nameOf(claims['sub']);
  const tenant = 'fixed' in from ? from.fixed : nameOf(claimAt(claims, from.claim));
  if (sub === undefined || tenant === undefined) return undefined;
  return { tenant, kind, id: `${name}:${sub}`, grants: grantsOf(claims, grants) };
}

/** Of several rules that give a role in one Space, the greatest counts. */
function grantsOf(claims: JsonObject, rules: readonly TokenGrant[]): ReadonlyMap<string, Role> {
  const grants = new Map<string, Role>();
  for (const { when, space, role } of rules) {
    const holds = when === undefined || valuesOf(claims, when.claim).includes(when.has);
    if (holds && !mayActAs(grants.get(space), role)) grants.set(space, role);
  }
  return grants;
}

function valuesOf(claims: JsonObject, name: string): readonly unknown[] {
  const value = claimAt(claims, name);
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && SPACE_SEPARATED.has(name) ? value.split(' ') : [value];
}

/**
 * The claim of this name; else the one that its parts lead to: `realm_access.roles`. Names may have dots of their own
 * (`kubernetes.io`), so at each object the longest name that is there is taken.
 */
function claimAt(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return value[name];
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const outer = name.slice(0, dot);
    if (Object.hasOwn(value, outer)) return claimAt(value[outer], name.slice(dot + 1));
  }
  return undefined;
}

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.length > ACCESS_LIMITS.subjectCharacters)
    return undefined;
  return UNPRINTABLE.test(value) ? undefined : value;
}
