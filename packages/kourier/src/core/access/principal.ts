/** What a principal may do in a Space; each may do what the one before it may. */
export const ROLES = ['caller', 'publisher', 'operator'] as const;
export type Role = (typeof ROLES)[number];

export const PRINCIPAL_KINDS = ['user', 'service', 'runtime'] as const;
export type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/** Who calls the Space, as its credential proved it. */
export interface Principal {
  readonly tenant: string;
  readonly kind: PrincipalKind;
  /** Unique within its tenant and kind. */
  readonly id: string;
  /** By Space; `*` is every Space of its tenant. */
  readonly grants: ReadonlyMap<string, Role>;
}

/** One text for one principal, of any tenant: what belongs to it is kept under this. */
export function principalKey({ tenant, kind, id }: Pick<Principal, 'tenant' | 'kind' | 'id'>): string {
  return JSON.stringify([tenant, kind, id]);
}

/** The role of a principal in a Space of a tenant; none in the Spaces of others, whatever they are called. */
export function roleIn(
  principal: Principal,
  space: { readonly id: string; readonly tenant: string },
): Role | undefined {
  if (principal.tenant !== space.tenant) return undefined;
  const roles = [principal.grants.get(space.id), principal.grants.get('*')];
  return ROLES.findLast((role) => roles.includes(role));
}

export function mayActAs(role: Role | undefined, wanted: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}
