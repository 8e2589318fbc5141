import type { PrincipalKind, Role } from '../../../../core/access/principal.ts';
import type { Access, ApiKey, SpacePolicy, TokenIssuer } from '../../../../ports/space/space-configuration.ts';
import type { Checked } from '../documents.ts';
import { isLoopbackUrl, timeMs } from '../formats.ts';
import { quoted, writeOneOf } from '../problem.ts';
import type { Documents } from '../product.ts';
import { type Say, speaker } from '../speaker.ts';
import type { Path } from '../yaml-documents.ts';
import { referredTo } from './referred-to.ts';
import { DEFAULT_TENANT } from './resolve-space.ts';

interface ApiKeySpec {
  readonly sha256: string;
  readonly tenant?: string;
  readonly kind?: PrincipalKind;
  readonly expiresAt?: string;
  readonly grants: readonly Grant[];
}

interface IdentityProviderSpec {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl?: string;
  readonly kind?: PrincipalKind;
  readonly tenant?: string;
  readonly tenantClaim?: string;
  readonly grants: readonly (Grant & { readonly when?: { readonly claim: string; readonly has: string } })[];
}

interface Grant {
  readonly space: string;
  readonly role: Role;
}

type Spaces = ReadonlyMap<string, SpacePolicy>;

/** Whether a document says who may call, be it one that is refused: then it is no local mode that was meant. */
export function saysWhoMayCall({ of, misshaped }: Documents): boolean {
  return (['ApiKey', 'IdentityProvider'] as const).some((kind) => of(kind).length + misshaped(kind).size > 0);
}

/** Who may call, by the documents; what is wrong with them is reported. */
export function resolveAccess(documents: Documents, spaces: Spaces): Access {
  const first = new Map<string, Checked>();
  const apiKeys = documents.of('ApiKey').map((document) => {
    const key = resolveApiKey(document, documents, spaces);
    const other = first.get(key.sha256);
    if (other === undefined) first.set(key.sha256, document);
    else
      speaker(document, documents.report)(
        ['spec', 'sha256'],
        `its key is that of ApiKey ${quoted(other.name)} at ${other.file}:${other.line([])}`,
        'keep one of them',
      );
    return key;
  });
  const issuers = documents.of('IdentityProvider').map((document) => resolveIssuer(document, documents, spaces));
  return { apiKeys, issuers };
}

function resolveApiKey(document: Checked, documents: Documents, spaces: Spaces): ApiKey {
  const spec = document.value['spec'] as ApiKeySpec;
  const { sha256, tenant = DEFAULT_TENANT, kind = 'service', expiresAt, grants } = spec;
  const say = speaker(document, documents.report);
  checkGrants(grants, tenant, { documents, spaces, say });
  const roles = new Map<string, Role>();
  for (const [index, { space, role }] of grants.entries()) {
    if (roles.has(space))
      say(['spec', 'grants', index, 'space'], `Space ${quoted(space)} stands here twice`, 'keep the greater role');
    roles.set(space, role);
  }
  const expires = expiresAt === undefined ? undefined : timeMs(expiresAt);
  return {
    ...{ name: document.name, sha256, tenant, kind, grants: roles },
    ...(expires === undefined ? {} : { expiresAt: expires }),
  };
}

function resolveIssuer(document: Checked, documents: Documents, spaces: Spaces): TokenIssuer {
  const spec = document.value['spec'] as IdentityProviderSpec;
  const { issuer, audience, jwksUrl, kind = 'user', tenant = DEFAULT_TENANT, tenantClaim, grants } = spec;
  const say = speaker(document, documents.report);
  const [called, keysAt] = jwksUrl === undefined ? (['issuer', issuer] as const) : (['jwksUrl', jwksUrl] as const);
  if (new URL(keysAt).protocol !== 'https:' && !isLoopbackUrl(keysAt))
    say(
      ['spec', called],
      `${called} is not https: whoever is on the way could hand in keys`,
      called === 'issuer' ? 'write https://, or an https jwksUrl' : 'write https://',
    );
  if (spec.tenant !== undefined && tenantClaim !== undefined)
    say(['spec', 'tenantClaim'], 'tenant and tenantClaim stand here both', 'keep one of them');
  checkGrants(grants, tenantClaim === undefined ? tenant : undefined, { documents, spaces, say });
  return {
    ...{ name: document.name, issuer, audience, kind },
    ...(jwksUrl === undefined ? {} : { jwksUrl }),
    tenant: tenantClaim === undefined ? { fixed: tenant } : { claim: tenantClaim },
    grants: grants.map(({ space, role, when }) => ({ space, role, ...(when === undefined ? {} : { when }) })),
  };
}

interface At {
  readonly documents: Documents;
  readonly spaces: Spaces;
  readonly say: Say;
}

/** A grant in a Space that is not there, or is another tenant's, would let nobody in. Without a tenant a claim names it. */
function checkGrants(grants: readonly Grant[], tenant: string | undefined, { documents, spaces, say }: At): void {
  const { misshaped } = documents;
  const tenants = new Set([...spaces.values()].map((space) => space.tenant));
  const hasSpaces = tenant === undefined || tenants.has(tenant) || misshaped('Space').size > 0;
  if (!hasSpaces) {
    const add = `add a Space with tenant: ${quoted(tenant)}`;
    say(
      ['spec', 'tenant'],
      `tenant ${quoted(tenant)} has no Space`,
      tenants.size === 0 ? add : `${writeOneOf(tenant, [...tenants])}, or ${add}`,
    );
  }
  for (const [index, { space: name }] of grants.entries()) {
    if (name === '*') continue;
    const path: Path = ['spec', 'grants', index, 'space'];
    const space = referredTo({ kind: 'Space', name, path }, spaces, misshaped, say);
    if (space !== undefined && hasSpaces && tenant !== undefined && space.tenant !== tenant)
      say(
        path,
        `Space ${quoted(name)} is of tenant ${quoted(space.tenant)}, and this of ${quoted(tenant)}`,
        'correct one of them',
      );
  }
}
